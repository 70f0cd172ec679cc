import type { RequestId } from '../../protocol/json-rpc.ts'
import type { JsonObject } from '../../protocol/narrow.ts'
import type { WireDecision, WireStart } from '../../protocol/wire.ts'
import type { TurnControl } from './live-control.ts'
import type { Conversation } from './live-conversation.ts'
import { Interactions } from './live-interactions.ts'
import type { ThreadItems } from './live-items.ts'
import type { Notice } from './live-notices.ts'
import type { Outbox } from './live-outbox.ts'
import { nothingKnown, type Question, readQuestion } from './live-requests.ts'
import type { LiveTurn } from './live-turn.ts'

/** What codex asks of us: every request is answered, by a person, by what is safe, or with a refusal. */
export class Asking {
  readonly #out: Outbox
  readonly #control: TurnControl
  readonly #conversation: Conversation
  readonly #interactions = new Interactions()
  /** In a recording everything is answered already. */
  readonly #isLive: boolean
  readonly #hasHost: boolean

  constructor(out: Outbox, control: TurnControl, conversation: Conversation, start: WireStart) {
    this.#out = out
    this.#control = control
    this.#conversation = conversation
    this.#isLive = start.opening !== undefined
    this.#hasHost = start.options.interactions === 'host'
  }

  /** @returns what there is to say of a request that was refused */
  receive(turn: LiveTurn | undefined, id: RequestId, method: string, params: JsonObject): Notice | undefined {
    const items = turn?.itemsOf(params, this.#conversation.threadId)
    const question = readQuestion(method, params, items ?? nothingKnown)
    if (!question) {
      this.#out.refuse(id, method)
      const message = `codex asked for "${method.slice(0, 200)}", which this version does not know.`
      return { level: 'info', code: 'unknown_record', message }
    }
    if (turn && items && !turn.verdict) {
      if (method === 'item/commandExecution/requestApproval') items.announceCommand(params)
      this.#ask(turn, items, id, question)
    } else {
      this.#out.answer(id, question.reply({ decision: 'deny' }).result)
    }
    return undefined
  }

  answer(
    turn: LiveTurn | undefined,
    interactionId: string,
    decision: WireDecision,
    by: 'host' | 'callback' | 'default',
  ): void {
    const answered = turn && this.#interactions.answer(turn.transcript, interactionId, decision, by)
    if (answered) this.#control.reply(turn, answered, this.#conversation)
  }

  /** codex says that a request is settled: withdrawn, unless we answered it. */
  withdraw(turn: LiveTurn | undefined, requestId: unknown): void {
    if (turn) this.#interactions.withdraw(turn.transcript, requestId, this.#isLive ? 'cancel' : undefined)
  }

  withdrawAll(turn: LiveTurn): void {
    this.#interactions.withdrawAll(turn.transcript)
  }

  #ask(turn: LiveTurn, items: ThreadItems, id: RequestId, question: Question): void {
    const interactionId = this.#interactions.ask(turn.transcript, id, question, items.parentToolId)
    if (this.#isLive && (!this.#hasHost || turn.isStray)) {
      this.answer(turn, interactionId, { decision: 'deny' }, 'default')
    }
  }
}
