import type { Failure } from '../protocol/ending.ts'
import type { WireEvent } from '../protocol/events.ts'
import { JsonRpcPeer, type RequestId } from '../protocol/json-rpc.ts'
import type { Steered, Step } from '../protocol/wire.ts'
import type { LiveTurn } from './codex-cli.live-turn.ts'

/** What we asked codex, by what its answer means. */
export type Call =
  | { what: 'initialize' | 'thread' | 'other' }
  | { what: 'turn' | 'clean'; turn: LiveTurn }
  | { what: 'steer'; turn: LiveTurn; id: string }

/** What the step that is being made holds. */
export class Outbox {
  readonly rpc = new JsonRpcPeer<Call>('omitted')
  /** Of turns that are closed. */
  #events: WireEvent[] = []
  #send: object[] = []
  #steered: Steered[] = []
  #isReady = false
  #failure: Failure | undefined

  ask(method: string, params: object, call: Call = { what: 'other' }): void {
    this.#send.push(this.rpc.request(method, params, call))
  }

  notify(method: string): void {
    this.#send.push(this.rpc.notification(method))
  }

  answer(id: RequestId, result: object): void {
    this.#send.push(this.rpc.answer(id, result))
  }

  refuse(id: RequestId, method: string): void {
    this.#send.push(this.rpc.refuse(id, method))
  }

  say(events: readonly WireEvent[]): void {
    for (const event of events) this.#events.push(event)
  }

  steered(receipts: readonly Steered[]): void {
    this.#steered.push(...receipts)
  }

  ready(): void {
    this.#isReady = true
  }

  fail(failure: Failure | undefined): void {
    this.#failure = failure
  }

  /** The step, with what the open turn has to say at its end. */
  step(turn: LiveTurn | undefined): Step {
    const open = turn?.transcript.step().events ?? []
    const step: Step = { events: this.#events.length === 0 ? open : [...this.#events, ...open] }
    if (this.#send.length > 0) step.send = this.#send
    if (this.#steered.length > 0) step.steered = this.#steered
    if (this.#isReady) step.ready = true
    if (this.#failure) step.failure = this.#failure
    this.#events = []
    this.#send = []
    this.#steered = []
    this.#isReady = false
    this.#failure = undefined
    return step
  }
}
