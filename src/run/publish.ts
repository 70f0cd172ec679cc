import { composeCompletion, type Stop } from '../protocol/completion.ts'
import { boundDepth, nestsTooDeep } from '../protocol/depth.ts'
import type { AgentEvent, CompletionEvent, WireEvent } from '../protocol/events.ts'
import type { JsonObject } from '../protocol/narrow.ts'
import type { CompletionStatement, ProcessFacts } from '../protocol/outcome.ts'
import type { Redactor } from '../protocol/redact.ts'
import { boundForeign } from '../protocol/redact-values.ts'
import { Numbering } from './numbering.ts'

export interface PublisherOptions {
  /** The adapter's id. */
  adapter: string
  includeRaw: boolean
  /** Absent: nothing is hidden. */
  redactor?: Redactor | undefined
  /** Default: Date.now. */
  now?: () => number
  deliver(event: AgentEvent): void
}

/** Turns what a wire says into the events that a consumer sees: redacted, numbered, dated. For live turns and replays alike. */
export class Publisher {
  readonly #options: PublisherOptions
  readonly #numbering: Numbering

  constructor(options: PublisherOptions) {
    this.#options = options
    this.#numbering = new Numbering(options.adapter, options)
  }

  publish(event: Exclude<WireEvent, CompletionStatement>, record?: JsonObject): void {
    const { redactor, includeRaw, deliver } = this.#options
    const bounded = nestsTooDeep(foreignIn(event)) ? boundForeign(event) : event
    if (!redactor) {
      const raw = includeRaw && record ? boundDepth(record) : undefined
      deliver(this.#numbering.number(bounded, raw))
      return
    }
    const said = redactor.receive(bounded)
    const raw = includeRaw && record ? boundDepth(redactor.record(record, event, said)) : undefined
    for (const each of said) {
      if (each.type !== 'completion') deliver(this.#numbering.number(each, raw))
    }
  }

  /** The last event. The `stderrTail` is given as it came. */
  complete(statement: CompletionStatement | undefined, facts: ProcessFacts, stop?: Stop): CompletionEvent {
    const { redactor, deliver } = this.#options
    const bounded = statement && boundForeign(statement)
    let said = bounded
    if (redactor) {
      for (const each of bounded ? redactor.receive(bounded) : redactor.flush()) {
        if (each.type === 'completion') said = each
        else deliver(this.#numbering.number(each))
      }
    }
    const stderrTail = redactor ? redactor.tail(facts.stderrTail) : facts.stderrTail
    const reason = stop && redactor ? redactor.fields(stop) : stop
    const event = this.#numbering.number(composeCompletion(said, { ...facts, stderrTail }, reason))
    deliver(event)
    return event
  }
}

/** The value of unknown shape that an event holds, if it holds one. */
function foreignIn(event: Exclude<WireEvent, CompletionStatement>): unknown {
  switch (event.type) {
    case 'tool':
      return event.phase === 'input' ? event.input : undefined
    case 'interaction':
      return event.schema
    case 'notice':
      return event.details
    case 'session':
    case 'delta':
    case 'thinking':
    case 'message':
    case 'plan':
    case 'usage':
      return undefined
  }
}
