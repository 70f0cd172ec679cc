import type { Failure } from '../../protocol/ending.ts'
import type { WireEvent } from '../../protocol/events.ts'
import { JsonRpcPeer, type RequestId } from '../../protocol/json-rpc.ts'
import { StepDraft } from '../../protocol/step-draft.ts'
import type { Steered, Step } from '../../protocol/wire.ts'
import type { LiveTurn } from './live-turn.ts'

/** What we asked codex, by what its answer means. */
export type Call =
  | { what: 'initialize' | 'thread' | 'other' }
  | { what: 'turn' | 'clean'; turn: LiveTurn }
  | { what: 'steer'; turn: LiveTurn; id: string }

/** What the step that is being made holds. */
export class Outbox {
  readonly rpc = new JsonRpcPeer<Call>('omitted')
  readonly #draft = new StepDraft()
  #send: object[] = []

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
    this.#draft.say(events)
  }

  steered(receipts: readonly Steered[]): void {
    this.#draft.steered(...receipts)
  }

  ready(): void {
    this.#draft.ready()
  }

  fail(failure: Failure | undefined): void {
    this.#draft.fail(failure)
  }

  #takeSend(): object[] | undefined {
    if (this.#send.length === 0) return undefined
    const send = this.#send
    this.#send = []
    return send
  }

  /** The step, with what the open turn has to say at its end. */
  step(turn: LiveTurn | undefined): Step {
    this.#draft.owed(turn?.isOwed === true)
    const open = turn?.transcript.step().events
    return this.#draft.take(turn?.isStray ? undefined : open, this.#takeSend())
  }
}
