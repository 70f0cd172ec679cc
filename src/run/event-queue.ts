import { AgentError } from '../errors.ts'
import type { AgentEvent } from '../protocol/events.ts'
import { eventSize } from './event-size.ts'

/** What a late iterator finds at most. */
const lateEvents = 10_000
const lateBytes = 16 * 1024 * 1024

/** With this much waiting for an iterator, reading stops; with half of it, reading goes on. */
const fullEvents = 1_000
const fullBytes = 4 * 1024 * 1024

type Result = IteratorResult<AgentEvent, undefined>

const done: Result = { done: true, value: undefined }

/** Who takes the events: nobody yet, the one iterator, or nobody any more. */
type Audience = 'awaited' | 'present' | 'gone'

/** Holds a turn's events for its one iterator. */
export class EventQueue {
  readonly #left: () => Promise<unknown>
  #drained: () => void = () => {}
  #audience: Audience = 'awaited'
  #events: AgentEvent[] = []
  /** Where in `#events` the next one stands. */
  #head = 0
  #bytes = 0
  #waiting: ((result: Result) => void)[] = []
  #closed = false
  #lifted = false

  /** @param left called when the iterator is left before the end; resolves when the turn is over */
  constructor(left: () => Promise<unknown>) {
    this.#left = left
  }

  /** What to do when there is room again. */
  onDrained(act: () => void): void {
    this.#drained = act
  }

  /** Reading should stop: the iterator is slow. */
  get full(): boolean {
    if (this.#audience !== 'present' || this.#lifted) return false
    return this.#size >= fullEvents || this.#bytes >= fullBytes
  }

  push(event: AgentEvent): void {
    if (this.#audience === 'gone') return
    const waiting = this.#waiting.shift()
    if (waiting) {
      waiting({ done: false, value: event })
      return
    }
    this.#events.push(event)
    this.#bytes += eventSize(event)
    if (this.#audience === 'awaited' && (this.#size > lateEvents || this.#bytes > lateBytes)) this.#abandon()
  }

  /** The last event is in. */
  close(): void {
    this.#closed = true
    for (const waiting of this.#waiting.splice(0)) waiting(done)
  }

  /** From now on the queue is never full. */
  lift(): void {
    if (this.#lifted) return
    this.#lifted = true
    this.#drained()
  }

  /** The one iterator. */
  iterate(): AsyncIterableIterator<AgentEvent> {
    if (this.#audience === 'present') throw refusal('are being iterated already', 'Share the one loop.')
    if (this.#audience === 'gone') {
      throw refusal(
        'are gone: nobody iterated before the bound (10,000 events or 16 MiB), or the loop was left',
        'Iterate a turn right after startTurn().',
      )
    }
    this.#audience = 'present'
    const iterator: AsyncIterableIterator<AgentEvent> = {
      next: () => this.#next(),
      return: async () => {
        this.#abandon()
        await this.#left()
        return done
      },
      [Symbol.asyncIterator]: () => iterator,
    }
    return iterator
  }

  get #size(): number {
    return this.#events.length - this.#head
  }

  async #next(): Promise<Result> {
    const event = this.#events[this.#head]
    if (event === undefined) {
      if (this.#closed || this.#audience === 'gone') return done
      return new Promise((resolve) => this.#waiting.push(resolve))
    }
    this.#head++
    this.#bytes -= eventSize(event)
    if (this.#head > 1_000 && this.#head * 2 > this.#events.length) {
      this.#events = this.#events.slice(this.#head)
      this.#head = 0
    }
    if (this.#size * 2 < fullEvents && this.#bytes * 2 < fullBytes) this.#drained()
    return { done: false, value: event }
  }

  #abandon(): void {
    this.#audience = 'gone'
    this.#events = []
    this.#head = 0
    this.#bytes = 0
    for (const waiting of this.#waiting.splice(0)) waiting(done)
    this.#drained()
  }
}

function refusal(what: string, hint: string): AgentError {
  return new AgentError('invalid_options', `The events of this turn ${what}.`, { hint })
}
