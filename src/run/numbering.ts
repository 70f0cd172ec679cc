import type { AgentEvent, CompletionPayload, CompletionStatement, WireEvent } from '../protocol/events.ts'

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
  number(event: Unnumbered, record?: object): AgentEvent {
    const numbered: AgentEvent = { ...event, seq: this.#next++, at: this.#now(), adapter: this.#adapter }
    if (this.#includeRaw && record !== undefined) numbered.raw = record
    return numbered
  }
}
