import type { AcpDialect } from '../../src/adapters/acp.dialect.ts'
import { AcpWire } from '../../src/adapters/acp.wire.ts'
import type { PromptPart, WireOptions } from '../../src/options/turn-options.ts'
import type { Failure } from '../../src/protocol/ending.ts'
import type { AgentEvent, CompletionStatement, WireEvent } from '../../src/protocol/events.ts'
import { asObject } from '../../src/protocol/narrow.ts'
import type { Exit, Steered, Step, Wire, WireCommand, WireDecision } from '../../src/protocol/wire.ts'
import { checkGuarantees } from '../../src/testing/guarantees.ts'

export type Json = Record<string, unknown>

export interface DrivenOptions {
  options?: WireOptions
  /** undefined: a recording, which has none. */
  opening?: Record<string, unknown> | undefined
  dialect?: AcpDialect
  wire?: Wire
}

/** Answers of an agent to the handshake. */
export const greeting = (capabilities: Json = {}, more: Json = {}): Json => ({
  protocolVersion: 1,
  agentCapabilities: { promptCapabilities: { image: true }, ...capabilities },
  agentInfo: { name: 'agent', version: '3.2.1' },
  authMethods: [],
  ...more,
})

/** A wire, told what the caller wants and what the agent says, and what it made of it. */
export class Driven {
  readonly events: WireEvent[] = []
  readonly completions: CompletionStatement[] = []
  readonly steered: Steered[] = []
  readonly failures: Failure[] = []
  ready = 0
  #sent: Json[] = []
  #turn: WireEvent[] = []
  readonly #wire: Wire

  constructor({ options = { cwd: '/w' }, dialect = { agent: 'agent' }, wire, ...more }: DrivenOptions = {}) {
    this.#wire = wire ?? new AcpWire(dialect)
    const opening = 'opening' in more ? more.opening : { oneTurn: false }
    this.#take(this.#wire.start({ transport: 'live', options, ...(opening && { opening }) }))
  }

  /** One with a conversation. */
  static open(options: DrivenOptions = {}): Driven {
    const driven = new Driven(options)
    driven.answer(greeting()).answer({ sessionId: 's1' })
    driven.sent()
    return driven
  }

  agent(...records: Json[]): this {
    for (const record of records) this.#take(this.#wire.receive({ jsonrpc: '2.0', ...record }))
    return this
  }

  /** The answer to the latest request of the wire's. */
  answer(result: Json): this {
    return this.agent({ id: this.#lastId, result })
  }

  refuse(error: Json): this {
    return this.agent({ id: this.#lastId, error })
  }

  update(...updates: Json[]): this {
    return this.agent(
      ...updates.map((update) => ({ method: 'session/update', params: { sessionId: 's1', update } })),
    )
  }

  ask(id: unknown, method: string, params: Json): this {
    return this.agent({ id, method, params: { sessionId: 's1', ...params } })
  }

  prompt(prompt: string | PromptPart[] = 'Go.'): this {
    return this.command({
      type: 'prompt',
      prompt: typeof prompt === 'string' ? [{ type: 'text', text: prompt }] : prompt,
    })
  }

  decide(interactionId: string, decision: WireDecision): this {
    return this.command({ type: 'answer', interactionId, decision, by: 'host' })
  }

  command(command: WireCommand): this {
    const step = this.#wire.command?.(command)
    if (step) this.#take(step)
    return this
  }

  end(exit: Partial<Exit> = {}): this {
    this.#take(this.#wire.end({ exitCode: 0, signal: null, stderr: '', ...exit }))
    return this
  }

  /** What was sent since the last look: without the field that all have, and an id of a request as it is counted. */
  sent(): Json[] {
    return this.#sent.splice(0).map(({ jsonrpc: _, ...record }) => record)
  }

  /** Of the latest turn, or of all: 'delta Hello', 'tool end bash completed'. */
  story(): string[] {
    return this.events.map(tell)
  }

  get completion(): CompletionStatement | undefined {
    return this.completions.at(-1)
  }

  #lastId: unknown

  #take({ events, send = [], steered = [], ready, failure }: Step): void {
    for (const event of events) {
      this.events.push(event)
      this.#turn.push(event)
      if (event.type !== 'completion') continue
      this.completions.push(event)
      const breaches = checkGuarantees(this.#turn.splice(0).map(envelope))
      if (breaches.length > 0) throw new Error(breaches.map(({ message }) => message).join('\n'))
    }
    for (const record of send) {
      const { id, method } = asObject(record) ?? {}
      if (id !== undefined && method !== undefined) this.#lastId = id
      this.#sent.push(JSON.parse(JSON.stringify(record)))
    }
    this.steered.push(...steered)
    if (ready) this.ready++
    if (failure) this.failures.push(failure)
  }
}

/** With what only the runner knows. */
function envelope(event: WireEvent, seq: number, all: readonly WireEvent[]): AgentEvent {
  const common = { seq, at: 0, adapter: 'agent' }
  if (event.type !== 'completion') return { ...event, ...common }
  const unknown = all.filter((each) => each.type === 'notice' && each.code === 'unknown_record').length
  return {
    ...event,
    ...common,
    credentialExposure: 'none',
    ledger: { bytes: 1, records: 9, ignored: 0, unknown, invalid: 0, oversized: 0 },
    stderrTail: '',
    exitCode: null,
    signal: null,
    durationMs: 0,
  }
}

function tell(event: WireEvent): string {
  switch (event.type) {
    case 'delta':
    case 'thinking':
      return `${event.type} ${event.text}`
    case 'message':
      return `message ${event.status} ${event.text}`
    case 'tool':
      return toolLine(event)
    case 'interaction':
      return `${event.phase} ${event.kind} ${event.title}${event.decision ? ` ${event.decision} by ${event.by}` : ''}`
    case 'notice':
      return `notice ${event.code} ${event.message}`
    case 'plan':
      return `plan ${event.entries.map((entry) => `${entry.content}:${entry.status}`).join(', ')}`
    case 'completion':
      return `completion ${event.status}${event.error ? ` ${event.error.code}` : ''}`
    default:
      return event.type
  }
}

function toolLine(event: Extract<WireEvent, { type: 'tool' }>): string {
  const start = `tool ${event.phase} ${event.name}`
  switch (event.phase) {
    case 'start':
      return `${start} ${event.kind}`
    case 'input':
      return `${start} ${JSON.stringify(event.input)}`
    case 'output':
      return `${start} ${event.outputDelta ?? `= ${event.output}`}`
    case 'end':
      return `${start} ${event.status} ${event.output}`
  }
}
