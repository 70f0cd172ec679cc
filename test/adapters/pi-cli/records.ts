import type { AgentEvent, CompletionEvent, ToolPayload, WireEvent } from '../../../src/protocol/events.ts'
import type { CompletionStatement } from '../../../src/protocol/outcome.ts'
import type { ReplayOptions } from '../../../src/run/replay.ts'
import { replay } from '../../../src/run/replay.ts'
import { checkGuarantees } from '../../../src/testing/guarantees.ts'

/** pi's records, made by hand, in either of its wire forms. */
export type Form = 'cumulative' | 'delta-only'
export const forms = ['cumulative', 'delta-only'] as const

export type Json = Record<string, unknown>

type Part =
  | { text: string[] }
  | { thinking: string[] }
  | { call: { id: string; name: string; arguments: Json }; fragments: string[] }

export interface AnswerOptions {
  stopReason?: string
  errorMessage?: string
  usage?: Json
  /** Leaves out the `*_end` updates and the final message: the stream broke. */
  broken?: boolean
}

const noUsage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, totalTokens: 0, cost: { total: 0 } }

/** One answer of the model: message_start, its updates, message_end. */
export function answer(form: Form, parts: Part[], options: AnswerOptions = {}): Json[] {
  const content: Json[] = []
  const records: Json[] = []
  const message = () => ({ role: 'assistant', content: structuredClone(content), stopReason: 'pending' })
  const update = (event: Json, named?: Json) => {
    const snapshot = message()
    records.push(
      form === 'cumulative'
        ? {
            type: 'message_update',
            assistantMessageEvent: { ...event, partial: snapshot },
            message: snapshot,
          }
        : { type: 'message_update', usage: noUsage, assistantMessageEvent: { ...event, ...named } },
    )
  }
  records.push({ type: 'message_start', message: message() })
  for (const [contentIndex, part] of parts.entries()) {
    if ('call' in part) {
      const block: Json = { type: 'toolCall', ...part.call, arguments: {} }
      content.push(block)
      update({ type: 'toolcall_start', contentIndex }, { id: part.call.id, toolName: part.call.name })
      for (const delta of part.fragments) update({ type: 'toolcall_delta', contentIndex, delta })
      block.arguments = part.call.arguments
      if (!options.broken) update({ type: 'toolcall_end', contentIndex, toolCall: block })
      continue
    }
    const kind = 'text' in part ? 'text' : 'thinking'
    const fragments = 'text' in part ? part.text : part.thinking
    const block: Json = { type: kind, [kind]: '' }
    content.push(block)
    update({ type: `${kind}_start`, contentIndex })
    for (const delta of fragments) {
      block[kind] = `${block[kind]}${delta}`
      update({ type: `${kind}_delta`, contentIndex, delta })
    }
    if (!options.broken) update({ type: `${kind}_end`, contentIndex, content: block[kind] })
  }
  const { stopReason = 'stop', errorMessage, usage = noUsage } = options
  records.push({ type: 'message_end', message: { ...message(), stopReason, errorMessage, usage } })
  return records
}

export const session = { type: 'session', version: 3, id: 's1', timestamp: '2026-01-01T00:00:00Z', cwd: '/w' }
export const agentStart = { type: 'agent_start' }

/** How a run of the agent ends: the old form has no word of retries and no `agent_settled`. */
export function runEnd(form: Form, more: Json = {}): Json[] {
  return form === 'cumulative'
    ? [{ type: 'agent_end', messages: [] }]
    : [
        { type: 'agent_end', messages: [], willRetry: false },
        { type: 'agent_settled', ...more },
      ]
}

export function retryAnnounced(form: Form, errorMessage: string): Json[] {
  return [
    { type: 'agent_end', messages: [], ...(form === 'delta-only' && { willRetry: true }) },
    { type: 'auto_retry_start', attempt: 1, maxAttempts: 3, delayMs: 2000, errorMessage },
  ]
}

export interface Played {
  events: AgentEvent[]
  completion: CompletionEvent
  /** One line per event, without the completion. */
  said: string[]
}

/** Replays records (or lines of stdout), and holds every turn to the guarantees. */
export async function play(
  records: readonly (Json | string)[],
  more: Pick<ReplayOptions, 'exit' | 'options'> = {},
): Promise<Played> {
  const lines = records.map((record) => (typeof record === 'string' ? record : JSON.stringify(record)))
  const stdout = new TextEncoder().encode(lines.map((line) => `${line}\n`).join(''))
  const events: AgentEvent[] = []
  for await (const event of replay({ adapter: 'pi-cli', stdout: [stdout], ...more })) events.push(event)
  const breaches = checkGuarantees(events, stdout)
  if (breaches.length > 0) throw new Error(`guarantees broken: ${JSON.stringify(breaches)}`)
  const completion = events.at(-1)
  if (completion?.type !== 'completion') throw new Error('no completion')
  return { events, completion, said: events.slice(0, -1).map(line) }
}

/** An event in one line, without its envelope. */
export function line(event: AgentEvent | Exclude<WireEvent, CompletionStatement>): string {
  switch (event.type) {
    case 'session':
      return `session ${event.sessionId} ${event.origin}`
    case 'delta':
    case 'thinking':
      return `${event.type} ${event.messageId} ${event.contentDelta ? '+' : '='}${event.text}`
    case 'message':
      return `message ${event.messageId} ${event.status} ${event.text}`
    case 'tool':
      return `tool ${event.toolId} ${event.name} ${event.phase}${toolDetail(event)}`
    case 'notice':
      return `notice ${event.code}`
    case 'usage':
      return 'usage'
    case 'interaction':
      return `interaction ${event.interactionId} ${event.phase === 'request' ? event.kind : `${event.decision} by ${event.by}`}`
    default:
      return event.type
  }
}

function toolDetail(event: ToolPayload): string {
  switch (event.phase) {
    case 'start':
      return ''
    case 'input':
      return event.inputDelta === undefined ? ` ${JSON.stringify(event.input)}` : ` +${event.inputDelta}`
    case 'output':
      return event.outputDelta === undefined ? ` =${event.output}` : ` +${event.outputDelta}`
    case 'end':
      return ` ${event.status}${event.exitCode === undefined ? '' : ` exit ${event.exitCode}`} ${event.output ?? ''}`.trimEnd()
  }
}
