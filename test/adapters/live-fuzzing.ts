import type { Adapter } from '../../src/adapters/adapter.ts'
import { asString } from '../../src/protocol/narrow.ts'
import type { Step, Wire } from '../../src/protocol/wire.ts'
import { DrivenWire, type Json } from './driven-wire.ts'

/** One CLI's live protocol, as far as a peer has to know it that answers what it is asked. */
export interface LivePeer {
  adapter: Adapter
  /** What `launch` gives the wire. */
  opening: Json
  /** Records as the CLI sends them, of conversations and turns called 's1' and 't1'. */
  records: Json[]
  /** A good answer to what was sent; undefined: it asks for none. */
  answer(sent: Json): Json | undefined
  refuse(sent: Json): Json | undefined
}

export type Action =
  | { do: 'receive'; record: Json }
  | { do: 'answer' | 'refuse' | 'prompt' | 'steer' | 'interrupt' | 'model' }
  | { do: 'decide'; decision: 'allow' | 'deny' | 'cancel' }

/** A live wire between a host and a CLI that may both do anything at any time that the contract of `Wire` allows. */
export class FuzzedWire extends DrivenWire<Wire> {
  /** Turns that were opened: by a prompt, or by the CLI, with what was queued or for itself. */
  opened = 0
  steers = 0
  readonly #peer: LivePeer
  readonly #unanswered: Json[] = []
  readonly #asked: string[] = []

  constructor(peer: LivePeer) {
    // Counts that were made up contradict each other: that is the record's fault.
    super(liveWireOf(peer.adapter), () => '', [8])
    this.#peer = peer
    const options = { cwd: '/w', interactions: 'host' as const }
    this.take(this.wire.start({ transport: 'live', options, opening: peer.opening }))
  }

  perform(action: Action): void {
    // The runner ends the process then.
    if (this.failures.length > 0) return
    switch (action.do) {
      case 'receive':
        this.receive(action.record)
        return
      case 'answer':
      case 'refuse': {
        const sent = this.#unanswered.shift()
        const record = sent && this.#peer[action.do](sent)
        if (record) this.receive(record)
        return
      }
      case 'prompt':
        if (this.ready === 0 || this.#isOpen) return
        this.opened++
        this.prompt()
        return
      case 'steer':
        if (this.#isOpen) this.steer(`steer-${++this.steers}`, 'To port.')
        return
      case 'interrupt':
        if (this.#isOpen) this.interrupt()
        return
      case 'model':
        if (this.ready > 0) this.command({ type: 'model', model: 'm2' })
        return
      case 'decide':
        this.decide(this.#asked.shift() ?? 'nobody-asked', { decision: action.decision })
    }
  }

  get #isOpen(): boolean {
    return this.opened > this.completions.length
  }

  protected override take(step: Step): this {
    // What the CLI begins by itself, between turns.
    if (!this.#isOpen && step.events.some(({ type }) => type === 'session')) this.opened++
    super.take(step)
    if (step.steered?.some(({ outcome }) => outcome === 'queued')) this.opened++
    for (const record of this.takeSent()) if (this.#peer.answer(record)) this.#unanswered.push(record)
    for (const event of step.events) {
      if (event.type === 'interaction' && event.phase === 'request') this.#asked.push(event.interactionId)
    }
    return this
  }
}

function liveWireOf({ id, live }: Adapter): Wire {
  if (!live) throw new Error(`${id} has no live protocol.`)
  return live.wire()
}

/** An answer of JSON-RPC. */
export function rpcAnswer(sent: Json, results: Readonly<Record<string, Json>>): Json | undefined {
  const method = asString(sent.method)
  if (method === undefined || sent.id === undefined) return undefined
  return { ...head(sent), id: sent.id, result: results[method] ?? {} }
}

export function rpcRefusal(sent: Json): Json | undefined {
  if (sent.method === undefined || sent.id === undefined) return undefined
  return { ...head(sent), id: sent.id, error: { code: -32600, message: 'no wind' } }
}

function head({ jsonrpc }: Json): Json {
  return jsonrpc === undefined ? {} : { jsonrpc }
}
