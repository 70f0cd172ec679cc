import type { AcpDialect } from '../../../src/adapters/acp/dialect.ts'
import { AcpWire } from '../../../src/adapters/acp/wire.ts'
import type { WireEvent } from '../../../src/protocol/events.ts'
import { asObject } from '../../../src/protocol/narrow.ts'
import type { Step, Wire, WireOptions } from '../../../src/protocol/wire.ts'
import { DrivenWire, type Json } from '../driven-wire.ts'

export type { Json }

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
export class Driven extends DrivenWire<Wire> {
  #lastId: unknown

  constructor({ options = { cwd: '/w' }, dialect = { agent: 'agent' }, wire, ...more }: DrivenOptions = {}) {
    super(wire ?? new AcpWire(dialect), tell)
    const opening = 'opening' in more ? more.opening : { oneTurn: false }
    this.take(this.wire.start({ transport: 'live', options, ...(opening && { opening }) }))
  }

  /** One with a conversation. */
  static open(options: DrivenOptions = {}): Driven {
    const driven = new Driven(options)
    driven.answer(greeting()).answer({ sessionId: 's1' })
    driven.sent()
    return driven
  }

  agent(...records: Json[]): this {
    return this.receive(...records.map((record) => ({ jsonrpc: '2.0', ...record })))
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

  /** What was sent since the last look: without the field that all have, and an id of a request as it is counted. */
  sent(): Json[] {
    return this.takeSent().map(({ jsonrpc: _, ...record }) => record)
  }

  protected override take(step: Step): this {
    for (const record of step.send ?? []) {
      const { id, method } = asObject(record) ?? {}
      if (id !== undefined && method !== undefined) this.#lastId = id
    }
    return super.take(step)
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
