import type { Steered } from '../../protocol/wire.ts'

interface Pending {
  id: string
  /** As pi got it. */
  text: string
  /** pi has it in its queue. */
  taken: boolean
}

/** What was said to a running turn and is not yet known to have reached it. */
export class PiSteers {
  readonly #say: (receipt: Steered) => void
  #pending: Pending[] = []

  constructor(say: (receipt: Steered) => void) {
    this.#say = say
  }

  get isEmpty(): boolean {
    return this.#pending.length === 0
  }

  /** Whether pi has said of each what it did with it. */
  get areTaken(): boolean {
    return this.#pending.every((steer) => steer.taken)
  }

  add(id: string, text: string): void {
    this.#pending.push({ id, text, taken: false })
  }

  take(id: string): void {
    for (const steer of this.#pending) if (steer.id === id) steer.taken = true
  }

  /** A message of a user came into the run. */
  show(text: string): void {
    const steer = this.#pending.find((each) => each.text === text)
    if (steer) this.resolve(steer.id, 'delivered')
  }

  /** What `clear_queue` took out of the queue was not delivered. */
  withdraw(texts: readonly unknown[], reason: string): void {
    for (const text of texts) {
      const steer = this.#pending.findLast((each) => each.text === text)
      if (steer) this.resolve(steer.id, 'rejected', reason)
    }
  }

  resolve(id: string, outcome: Steered['outcome'], reason?: string): void {
    if (!this.#pending.some((steer) => steer.id === id)) return
    this.#pending = this.#pending.filter((steer) => steer.id !== id)
    this.#say({ id, outcome, ...(reason !== undefined && { reason }) })
  }

  resolveAll(outcome: Steered['outcome'], reason?: string): void {
    for (const { id } of [...this.#pending]) this.resolve(id, outcome, reason)
  }
}
