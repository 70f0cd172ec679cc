import type { PromptPart } from '../../protocol/prompt.ts'
import type { Steered } from '../../protocol/wire.ts'

/**
 * ACP has no way to say something to a running turn. What is said to one is kept for its end: it becomes the next turn, all of it
 * in one, where the process takes another.
 */
export class AcpSteers {
  #held: { id: string; text: string }[] = []

  /** What is to be said of it at once; undefined: that comes with the end of the turn. */
  add(
    id: string,
    text: string,
    turn: { isOneTurn: boolean; isInterrupted: boolean } | undefined,
  ): Steered | undefined {
    const reason = refusalOf(turn)
    if (reason !== undefined) return { id, outcome: 'rejected', reason }
    this.#held.push({ id, text })
    return undefined
  }

  /** The turn is over, and another one can follow. */
  queue(): { receipts: Steered[]; prompt: PromptPart[] } {
    const held = this.#held.splice(0)
    return {
      receipts: held.map(({ id }) => ({ id, outcome: 'queued' })),
      prompt: held.map(({ text }) => ({ type: 'text', text })),
    }
  }

  reject(reason: string): Steered[] {
    return this.#held.splice(0).map(({ id }) => ({ id, outcome: 'rejected', reason }))
  }
}

function refusalOf(turn: { isOneTurn: boolean; isInterrupted: boolean } | undefined): string | undefined {
  if (!turn) return 'No turn is running.'
  if (turn.isInterrupted) return 'The turn is being stopped.'
  if (!turn.isOneTurn) return undefined
  return 'ACP has no way to say something to a running turn, and no other one follows.'
}
