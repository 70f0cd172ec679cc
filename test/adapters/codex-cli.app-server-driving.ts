import { CodexAppServerWire } from '../../src/adapters/codex-cli.app-server.ts'
import type { PromptPart, WireOptions } from '../../src/options/turn-options.ts'
import type { Failure } from '../../src/protocol/ending.ts'
import type { AgentEvent, CompletionStatement, WireEvent } from '../../src/protocol/events.ts'
import { asObject } from '../../src/protocol/narrow.ts'
import type { Exit, Steered, Step, WireCommand, WireDecision } from '../../src/protocol/wire.ts'
import { checkGuarantees } from '../../src/testing/guarantees.ts'

export type Json = Record<string, unknown>

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
export class Driven {
  readonly said: string[] = []
  readonly events: WireEvent[] = []
  readonly completions: CompletionStatement[] = []
  readonly steered: Steered[] = []
  readonly failures: Failure[] = []
  ready = 0
  readonly owed: boolean[] = []
  #sent: Json[] = []
  #turn: WireEvent[] = []
  #turnCount = 0
  readonly #wire = new CodexAppServerWire()

  constructor({
    options = { interactions: 'host' },
    opening = { method: 'thread/start', params: { cwd: '/w' } },
    version = '0.171.0',
    greeted = true,
    recorded = false,
  }: DrivenOptions = {}) {
    const start = { transport: 'live' as const, options, cliVersion: version }
    this.#take(this.#wire.start(recorded ? start : { ...start, opening }))
    if (!greeted || recorded) return
    this.answer('initialize', { userAgent: 'coxswain/0.171.0 (Linux)' })
    this.answer(String(opening.method), { thread: { id: main }, model: 'm1', cwd: '/w' })
    this.sent()
  }

  codex(...records: Json[]): this {
    for (const record of records) this.#take(this.#wire.receive(record))
    return this
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

  command(command: WireCommand): this {
    this.#take(this.#wire.command(command))
    return this
  }

  /** Gives a prompt, which codex only takes. */
  prompt(prompt: string | PromptPart[] = 'go'): this {
    this.#turnCount++
    return this.command({
      type: 'prompt',
      prompt: typeof prompt === 'string' ? [{ type: 'text', text: prompt }] : prompt,
    })
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

  steer(id: string, text: string): this {
    return this.command({ type: 'steer', id, text })
  }

  interrupt(): this {
    return this.command({ type: 'interrupt' })
  }

  decide(interactionId: string, decision: WireDecision): this {
    return this.command({ type: 'answer', interactionId, decision, by: 'host' })
  }

  end(exit: Partial<Exit> = {}): this {
    this.#take(this.#wire.end({ exitCode: 0, signal: null, stderr: '', ...exit }))
    return this
  }

  /** What was sent since the last call. */
  sent(): Json[] {
    const sent = this.#sent.filter((record) => record.taken !== true)
    for (const record of sent) record.taken = true
    return sent.map(({ taken: _, ...record }) => record)
  }

  get last(): CompletionStatement | undefined {
    return this.completions.at(-1)
  }

  #idOf(method: string): unknown {
    const request = this.#sent.findLast((record) => record.method === method)
    if (!request) throw new Error(`nobody asked for ${method}`)
    return request.id
  }

  #take(step: Step): void {
    for (const event of step.events) {
      this.events.push(event)
      this.#turn.push(event)
      if (event.type === 'completion') this.#complete(event)
      else this.said.push(line(event))
    }
    this.#sent.push(...(step.send ?? []).map((record) => ({ ...record })))
    this.steered.push(...(step.steered ?? []))
    if (step.ready) this.ready++
    if (step.owed !== undefined) this.owed.push(step.owed)
    if (step.failure) this.failures.push(step.failure)
  }

  /** Each turn is held to the guarantees. */
  #complete(completion: CompletionStatement): void {
    this.completions.push(completion)
    this.said.push(`completion ${completion.error?.code ?? completion.status}`)
    const breaches = checkGuarantees(this.#turn.map(envelope))
    this.#turn = []
    if (breaches.length > 0) throw new Error(`guarantees broken: ${JSON.stringify(breaches)}`)
  }
}

/** One line per event. */
function line(event: Exclude<WireEvent, CompletionStatement>): string {
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

function envelope(event: WireEvent, seq: number, all: readonly WireEvent[]): AgentEvent {
  const common = { seq, at: 0, adapter: 'codex-cli' }
  if (event.type !== 'completion') return { ...event, ...common }
  const unknown = all.filter((each) => each.type === 'notice' && each.code === 'unknown_record').length
  return {
    ...event,
    ...common,
    credentialExposure: 'none',
    ledger: { bytes: 0, records: 1, ignored: 0, unknown, invalid: 0, oversized: 0 },
    stderrTail: '',
    exitCode: null,
    signal: event.evidence.by === 'signal' ? event.evidence.detail : null,
    durationMs: 0,
  }
}

/** The methods and, for answers, the results of what was sent. */
export function outline(sent: readonly Json[]): unknown[] {
  return sent.map((record) => record.method ?? record.result ?? asObject(record.error)?.code)
}
