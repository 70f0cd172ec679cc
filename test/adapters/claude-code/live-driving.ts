import { ClaudeLiveWire } from '../../../src/adapters/claude-code/live.ts'
import type { WireEvent } from '../../../src/protocol/events.ts'
import type { WireOptions } from '../../../src/protocol/wire.ts'
import { DrivenWire, type Json } from '../driven-wire.ts'

export type { Json }

export interface DrivenOptions {
  options?: WireOptions
  /** undefined: a replay. */
  opening?: Json | undefined
  /** Default '2.1.332'. */
  cliVersion?: string
  /** Default true: the handshake is done. */
  greeted?: boolean
}

/** A wire, told what the caller wants and what claude says, and what it made of it. */
export class Driven extends DrivenWire<ClaudeLiveWire> {
  constructor(given: DrivenOptions = {}) {
    super(new ClaudeLiveWire(), line)
    const { options = { interactions: 'host' }, cliVersion = '2.1.332', greeted = true } = given
    const opening = 'opening' in given ? given.opening : {}
    const start = { transport: 'live' as const, options, cliVersion }
    this.take(this.wire.start(opening === undefined ? start : { ...start, opening }))
    if (greeted) this.claude(answer(1))
    if (greeted) this.sent()
  }

  claude(...records: Json[]): this {
    return this.receive(...records)
  }

  /** What was sent since the last call: texts as they are, requests by their words, responses as they are. */
  sent(): unknown[] {
    return this.takeSent().map(brief)
  }
}

function line(event: WireEvent): string {
  switch (event.type) {
    case 'session':
      return `session ${event.sessionId} ${event.transport} ${event.origin}`
    case 'delta':
      return `delta ${event.text}`
    case 'message':
      return `message ${event.status} ${event.text}`
    case 'tool':
      return `tool ${event.phase} ${event.name}${event.phase === 'end' ? ` ${event.status}` : ''}`
    case 'interaction':
      return event.phase === 'request'
        ? `asked ${event.interactionId} ${event.kind} ${event.title}`
        : `resolved ${event.interactionId} ${event.decision} by ${event.by}`
    case 'notice':
      return `notice ${event.code}`
    case 'completion':
      return `completion ${event.error?.code ?? event.status} ${event.text}`
    default:
      return event.type
  }
}

function brief(record: Json): unknown {
  const { type, request, response, message, uuid } = record
  if (type === 'control_request') return request
  if (type === 'control_response') return response
  const content = (message as { content: Json[] }).content.map((part) => part.text ?? part.type)
  return uuid === undefined ? content : [uuid, ...content]
}

/** claude's answer to our n-th request. */
export function answer(n: number, response: Json = {}): Json {
  const body = { subtype: 'success', request_id: `coxswain-${n}`, response }
  return { type: 'control_response', response: body }
}

export function refusal(n: number, error: string): Json {
  return {
    type: 'control_response',
    response: { subtype: 'error', request_id: `coxswain-${n}`, error },
  }
}

export function request(id: unknown, asked: Json): Json {
  return { type: 'control_request', request_id: id, request: asked }
}

export const initUuid = '12345678-1234-4234-8234-aaaaaaaaaaaa'
/** What the first steers of a turn are called. */
export const steerUuids = ['12345678-1234-4234-8234-000000000001', '12345678-1234-4234-8234-000000000002']

export function init(more: Json = {}): Json {
  return { type: 'system', subtype: 'init', session_id: 's1', uuid: initUuid, model: 'm', ...more }
}

export function said(id: string, ...content: Json[]): Json {
  return { type: 'assistant', message: { id, content } }
}

export function text(value: string): Json {
  return { type: 'text', text: value }
}

export function call(id: string, name = 'Bash', input: Json = { command: 'ls' }): Json {
  return { type: 'tool_use', id, name, input }
}

export function toolResult(id: string, content: string, isError = false): Json {
  const block = { type: 'tool_result', tool_use_id: id, content, is_error: isError }
  return { type: 'user', message: { content: [block] } }
}

/** A message of ours, said back. */
export function echo(uuid: string): Json {
  return { type: 'user', uuid, isReplay: true, message: { content: [text('...')] } }
}

export function messageEnd(reason: string): Json {
  return { type: 'stream_event', event: { type: 'message_delta', delta: { stop_reason: reason } } }
}

export function result(value: string, more: Json = {}): Json {
  return {
    type: 'result',
    subtype: 'success',
    is_error: false,
    result: value,
    session_id: 's1',
    stop_reason: 'end_turn',
    usage: { input_tokens: 10, output_tokens: 2 },
    ...more,
  }
}

export const interrupted: Json[] = [
  { type: 'user', message: { content: [text('[Request interrupted by user]')] } },
  {
    type: 'result',
    subtype: 'error_during_execution',
    is_error: true,
    session_id: 's1',
    terminal_reason: 'aborted_streaming',
    errors: ['[ede_diagnostic] result_type=user'],
  },
]
