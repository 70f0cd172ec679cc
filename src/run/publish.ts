import { composeCompletion, type ProcessFacts, type Stop } from '../protocol/completion.ts'
import type { AgentEvent, CompletionEvent, CompletionStatement, WireEvent } from '../protocol/events.ts'
import type { JsonObject } from '../protocol/narrow.ts'
import type { Redactor } from '../protocol/redact.ts'

export interface PublisherOptions {
  /** The adapter's id. */
  adapter: string
  includeRaw: boolean
  /** Absent: nothing is hidden. */
  redactor?: Redactor | undefined
  deliver(event: AgentEvent): void
}

/** Turns what a wire says into the events that a consumer sees: redacted, numbered, dated. For live turns and replays alike. */
export class Publisher {
  readonly #options: PublisherOptions
  #seq = 0

  constructor(options: PublisherOptions) {
    this.#options = options
  }

  publish(event: Exclude<WireEvent, CompletionStatement>, record?: JsonObject): void {
    const { redactor, includeRaw } = this.#options
    const raw = includeRaw && record ? this.#withoutSecrets(record) : undefined
    for (const each of redactor ? redactor.receive(event) : [event]) {
      if (each.type !== 'completion') this.#options.deliver(this.#dress(each, raw))
    }
  }

  /** The last event. The `stderrTail` is given as it came. */
  complete(statement: CompletionStatement | undefined, facts: ProcessFacts, stop?: Stop): CompletionEvent {
    const { redactor } = this.#options
    let said = statement
    for (const each of redactor ? (statement ? redactor.receive(statement) : redactor.flush()) : []) {
      if (each.type === 'completion') said = each
      else this.#options.deliver(this.#dress(each, undefined))
    }
    const stderrTail = redactor ? redactor.text(facts.stderrTail) : facts.stderrTail
    const event = this.#dress(composeCompletion(said, { ...facts, stderrTail }, stop), undefined)
    this.#options.deliver(event)
    return event
  }

  #dress<Payload extends object>(payload: Payload, raw: unknown) {
    return {
      ...payload,
      seq: this.#seq++,
      at: Date.now(),
      adapter: this.#options.adapter,
      ...(raw !== undefined && { raw }),
    }
  }

  #withoutSecrets(record: JsonObject): unknown {
    const { redactor } = this.#options
    if (!redactor) return record
    const text = JSON.stringify(record, (_key, value: unknown) =>
      typeof value === 'string' ? redactor.text(value) : value,
    )
    return JSON.parse(text)
  }
}
