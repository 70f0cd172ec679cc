import type { Conversation } from './live-conversation.ts'
import type { Answered } from './live-interactions.ts'
import type { Call, Outbox } from './live-outbox.ts'
import { inputPart } from './live-prompt.ts'
import type { Threads } from './live-threads.ts'
import type { LiveTurn } from './live-turn.ts'

/** What codex is told while a turn runs. It can be told nothing before it has named the turn: that waits. */
export class TurnControl {
  readonly #out: Outbox
  readonly #threads: Threads

  constructor(out: Outbox, threads: Threads) {
    this.#out = out
    this.#threads = threads
  }

  name(turn: LiveTurn, id: string | undefined, { threadId }: Conversation): void {
    if (turn.id !== undefined || id === undefined) return
    turn.id = id
    for (const { id: steerId, text } of turn.steers.takeWaiting()) {
      this.#steer(turn, id, steerId, text, threadId)
    }
  }

  /** codex has begun the turn. */
  begin(turn: LiveTurn, id: string, conversation: Conversation): void {
    this.name(turn, id, conversation)
    turn.hasStarted = true
    if (turn.isStopped) this.#interrupt(id, conversation.threadId)
  }

  steer(turn: LiveTurn | undefined, id: string, text: string, { threadId }: Conversation): void {
    if (!turn || turn.verdict) this.#out.steered([{ id, outcome: 'rejected', reason: 'No turn is open.' }])
    else if (turn.id === undefined) turn.steers.wait({ id, text })
    else this.#steer(turn, turn.id, id, text, threadId)
  }

  /** The answer to a request of codex's, and what the answer itself has no place for. */
  reply(turn: LiveTurn, { requestId, reply }: Answered, conversation: Conversation): void {
    this.#out.answer(requestId, reply.result)
    if (reply.unsupported !== undefined) {
      turn.transcript.notice('warning', 'updated_input_unsupported', reply.unsupported)
    }
    if (reply.stops) this.interrupt(turn, conversation)
    else if (reply.decision === 'deny' && reply.message && turn.id !== undefined) {
      this.#send(turn.id, reply.message, conversation.threadId)
    }
  }

  interrupt(turn: LiveTurn | undefined, { threadId }: Conversation): void {
    if (!turn || turn.isStopped || turn.verdict) return
    turn.isStopped = true
    if (turn.hasStarted && turn.id !== undefined) this.#interrupt(turn.id, threadId)
  }

  /** Commands outlive a turn, interrupted or not (0.115.0 to 0.171.0): they are ended before the turn is. */
  clean(turn: LiveTurn): void {
    for (const threadId of this.#threads.takeBusy()) {
      turn.cleaning++
      this.#out.ask('thread/backgroundTerminals/clean', { threadId }, { what: 'clean', turn })
    }
  }

  #steer(turn: LiveTurn, turnId: string, id: string, text: string, threadId: string | undefined): void {
    turn.steers.send({ id, text })
    this.#send(turnId, text, threadId, { what: 'steer', turn, id })
  }

  #send(expectedTurnId: string, text: string, threadId: string | undefined, call?: SteerCall): void {
    const mark = call && { clientUserMessageId: call.id }
    const input = [inputPart({ type: 'text', text })]
    this.#out.ask('turn/steer', { threadId, expectedTurnId, input, ...mark }, call)
  }

  #interrupt(turnId: string, threadId: string | undefined): void {
    for (const running of [{ threadId, turnId }, ...this.#threads.others(threadId)]) {
      this.#out.ask('turn/interrupt', running)
    }
  }
}

type SteerCall = Extract<Call, { what: 'steer' }>
