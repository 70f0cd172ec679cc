import type { CompletionPayload, CompletionStatement, EventEnvelope, WireEvent } from '../protocol/events.ts'

/** What can be numbered: what a wire says, and the completion with the process's facts in it. */
export type Unnumbered = Exclude<WireEvent, CompletionStatement> | CompletionPayload

/** Gives the events of one turn their envelope: `seq` without gaps, `at`, `adapter`, and `raw` where it is wanted. */
export class Numbering {
  readonly #adapter: string
  readonly #includeRaw: boolean
  readonly #now: () => number
  #next = 0

  constructor(adapter: string, options: { includeRaw?: boolean; now?: () => number } = {}) {
    this.#adapter = adapter
    this.#includeRaw = options.includeRaw ?? false
    this.#now = options.now ?? Date.now
  }

  /** @param record the record that caused the event, if one did */
  number<Event extends Unnumbered>(event: Event, record?: object): Event & EventEnvelope {
    const numbered: Event & EventEnvelope = {
      ...event,
      seq: this.#next++,
      at: this.#now(),
      adapter: this.#adapter,
    }
    if (this.#includeRaw && record !== undefined) numbered.raw = record
    return numbered
  }
}
