import type { Failure } from './ending.ts'
import type { WireEvent } from './events.ts'
import type { Steered, Step } from './wire.ts'

/** What the step that a live wire is making has to say beside its open turn. */
export class StepDraft {
  #events: WireEvent[] = []
  #steered: Steered[] = []
  #isReady = false
  #failure: Failure | undefined
  #isOwed = false
  #wasOwed = false

  /** Of turns that are closed, or of no turn. */
  say(events: readonly WireEvent[]): void {
    for (const event of events) this.#events.push(event)
  }

  steered(...receipts: readonly Steered[]): void {
    this.#steered.push(...receipts)
  }

  ready(): void {
    this.#isReady = true
  }

  /** Whether the open turn waits for nothing but answers of the CLI's. */
  owed(isOwed: boolean): void {
    this.#isOwed = isOwed
  }

  /** undefined takes it back. */
  fail(failure: Failure | undefined): void {
    this.#failure = failure
  }

  /** The step, and a new draft: what was said, then what the open turn says; and what is to be sent. */
  take(open: WireEvent[] | undefined, send: object[] | undefined): Step {
    const step: Step = { events: open ?? [] }
    if (this.#events.length > 0) {
      step.events = open ? this.#events.concat(open) : this.#events
      this.#events = []
    }
    if (send && send.length > 0) step.send = send
    if (this.#steered.length > 0) {
      step.steered = this.#steered
      this.#steered = []
    }
    if (this.#isReady) {
      step.ready = true
      this.#isReady = false
    }
    if (this.#isOwed !== this.#wasOwed) {
      step.owed = this.#isOwed
      this.#wasOwed = this.#isOwed
    }
    if (this.#failure) {
      step.failure = this.#failure
      this.#failure = undefined
    }
    return step
  }
}
