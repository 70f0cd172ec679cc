import { CodexAppServerWire } from '../../../src/adapters/codex-cli/app-server.ts'
import type { WireEvent } from '../../../src/protocol/events.ts'
import { asObject } from '../../../src/protocol/narrow.ts'
import type { PromptPart } from '../../../src/protocol/prompt.ts'
import type { Step, WireOptions } from '../../../src/protocol/wire.ts'
import { DrivenWire, type Json } from '../driven-wire.ts'

export type { Json }

export const main = '01a00000-0000-7000-8000-000000000001'
export const child = '01a00000-0000-7000-8000-00000000000c'

export interface DrivenOptions {
  options?: WireOptions
  opening?: Json
  version?: string
  /** Default true: the handshake is done. */
  greeted?: boolean
  /** A recording: nothing of what is sent matters. */
  recorded?: boolean
}

/** A wire, told what the caller wants and what codex says, and what it made of it. */
export class Driven extends DrivenWire<CodexAppServerWire> {
  /** All that was ever sent: answers look for what they answer. */
  readonly #asked: Json[] = []
  #turnCount = 0

  constructor({
    options = { interactions: 'host' },
    opening = { method: 'thread/start', params: { cwd: '/w' } },
    version = '0.171.0',
    greeted = true,
    recorded = false,
  }: DrivenOptions = {}) {
    super(new CodexAppServerWire(), line)
    const start = { transport: 'live' as const, options, cliVersion: version }
    this.take(this.wire.start(recorded ? start : { ...start, opening }))
    if (!greeted || recorded) return
    this.answer('initialize', { userAgent: 'coxswain/0.171.0 (Linux)' })
    this.answer(String(opening.method), { thread: { id: main }, model: 'm1', cwd: '/w' })
    this.sent()
  }

  codex(...records: Json[]): this {
    return this.receive(...records)
  }

  /** A notification about the open turn of the main thread. */
  notify(method: string, params: Json = {}): this {
    return this.codex({ method, params: { threadId: main, turnId: this.turnId, ...params } })
  }

  /** The answer to the last request of that method that is not answered. */
  answer(method: string, result: Json = {}): this {
    return this.codex({ id: this.#idOf(method), result })
  }

  refuse(method: string, message: string): this {
    return this.codex({ id: this.#idOf(method), error: { code: -32600, message } })
  }

  get turnId(): string {
    return `turn-${this.#turnCount}`
  }

  /** Gives a prompt, which codex only takes. */
  override prompt(prompt: string | PromptPart[] = 'go'): this {
    this.#turnCount++
    return super.prompt(prompt)
  }

  /** Gives a prompt, and codex begins the turn. */
  turn(prompt?: string | PromptPart[]): this {
    this.prompt(prompt)
    this.answer('turn/start', { turn: { id: this.turnId } })
    return this.notify('turn/started', { turn: { id: this.turnId } })
  }

  done(status = 'completed', error?: Json): this {
    return this.notify('turn/completed', { turn: { id: this.turnId, status, error: error ?? null } })
  }

  started(item: Json, params: Json = {}): this {
    return this.notify('item/started', { item, ...params })
  }

  completed(item: Json, params: Json = {}): this {
    return this.notify('item/completed', { item, ...params })
  }

  says(text: string, id = `msg-${this.events.length}`): this {
    this.started({ type: 'agentMessage', id, text: '' })
    this.notify('item/agentMessage/delta', { itemId: id, delta: text })
    return this.completed({ type: 'agentMessage', id, text })
  }

  asks(id: unknown, method: string, params: Json = {}): this {
    return this.codex({ id, method, params: { threadId: main, turnId: this.turnId, ...params } })
  }

  /** What was sent since the last call. */
  sent(): Json[] {
    return this.takeSent()
  }

  #idOf(method: string): unknown {
    const request = this.#asked.findLast((record) => record.method === method)
    if (!request) throw new Error(`nobody asked for ${method}`)
    return request.id
  }

  protected override take(step: Step): this {
    for (const record of step.send ?? []) this.#asked.push({ ...record })
    return super.take(step)
  }
}

/** One line per event. */
function line(event: WireEvent): string {
  const by = 'parentToolId' in event && event.parentToolId !== undefined ? ` in ${event.parentToolId}` : ''
  switch (event.type) {
    case 'session':
      return `session ${event.origin} ${event.model ?? ''}`.trim()
    case 'delta':
    case 'thinking':
      return `${event.type} ${event.text}${by}`
    case 'message':
      return `message ${event.status} ${event.text}${by}`
    case 'tool':
      return `tool ${event.toolId} ${event.phase} ${detail(event)}${by}`
    case 'plan':
      return `plan ${event.entries.map(({ content, status }) => `${content}=${status}`).join(' ')}`
    case 'interaction':
      return event.phase === 'request'
        ? `asks ${event.interactionId} ${event.kind} ${event.title}${by}`
        : `resolved ${event.interactionId} ${event.decision} by ${event.by}`
    case 'usage':
      return `usage ${event.usage.basis} ${event.usage.inputTokens}`
    case 'notice':
      return `notice ${event.code} ${event.message}`
    case 'completion':
      return `completion ${event.error?.code ?? event.status}`
  }
}

function detail(event: Extract<WireEvent, { type: 'tool' }>): string {
  switch (event.phase) {
    case 'start':
      return [event.server, event.name].filter(Boolean).join('.')
    case 'input':
      return JSON.stringify(event.input)
    case 'output':
      return event.outputDelta ?? `= ${event.output}`
    case 'end':
      return [event.status, event.output].filter((part) => part !== undefined).join(' ')
  }
}

/** The methods and, for answers, the results of what was sent. */
export function outline(sent: readonly Json[]): unknown[] {
  return sent.map((record) => record.method ?? record.result ?? asObject(record.error)?.code)
}

export const command = { type: 'commandExecution', id: 'c1', command: 'ls', status: 'inProgress' }
export const ran = { ...command, status: 'completed', aggregatedOutput: 'a\n', exitCode: 0 }

export function total(inputTokens: number, lastInput: number): Json {
  return { tokenUsage: { total: { inputTokens, outputTokens: 1 }, last: { inputTokens: lastInput } } }
}
