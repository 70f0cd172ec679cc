import type { Budgets } from '../options/option-parts.ts'
import type { Stop } from '../protocol/completion.ts'
import type { ToolPayload } from '../protocol/events.ts'
import { Countdown } from './countdown.ts'

/** Watches the budgets of a turn that runs, and says which one ran out. */
export class BudgetWatch {
  readonly #expire: (stop: Stop) => void
  readonly #toolMs: number | undefined
  readonly #total: Countdown | undefined
  readonly #firstEvent: Countdown | undefined
  readonly #idle: Countdown | undefined
  /** The calls in flight. */
  readonly #tools = new Map<string, Countdown | undefined>()
  /** Why silence and tools do not count just now. */
  readonly #holds = new Set<'reading' | 'last word' | 'interaction'>()
  #closed = false

  constructor(budgets: Budgets, expire: (stop: Stop) => void) {
    this.#expire = expire
    this.#toolMs = budgets.toolMs
    this.#total = this.#countdown('totalMs', budgets.totalMs, 'the turn was not over after')
    this.#firstEvent = this.#countdown('firstEventMs', budgets.firstEventMs, 'no record had come after')
    this.#idle = this.#countdown('idleMs', budgets.idleMs, 'nothing came from the CLI for')
  }

  /** The child runs. */
  start(): void {
    this.#total?.resume()
    this.#firstEvent?.resume()
    this.#idle?.resume()
  }

  /** Bytes on stdout or stderr. */
  heard(): void {
    if (this.#isSilenceCounted()) this.#idle?.restart()
  }

  recorded(): void {
    this.#firstEvent?.clear()
  }

  /** A tool in flight is not silence: from its start to its end `toolMs` counts instead of `idleMs`. */
  tool(event: ToolPayload): void {
    if (this.#closed) return
    if (event.phase === 'end') {
      this.#tools.get(event.toolId)?.clear()
      this.#tools.delete(event.toolId)
      this.heard()
    } else if (!this.#tools.has(event.toolId)) {
      const countdown = this.#countdown('toolMs', this.#toolMs, `the tool ${event.name} had not ended after`)
      this.#tools.set(event.toolId, countdown)
      this.#idle?.clear()
      if (this.#holds.size === 0) countdown?.resume()
    }
  }

  /**
   * Silence and tools stand still: while reading does, since the CLI may be waiting for us, and after the CLI's last word,
   * when `lingerMs` counts.
   */
  hold(reason: 'reading' | 'last word' | 'interaction'): void {
    if (this.#closed) return
    this.#holds.add(reason)
    this.#idle?.pause()
    for (const countdown of this.#tools.values()) countdown?.pause()
  }

  release(reason: 'reading' | 'last word' | 'interaction'): void {
    if (!this.#holds.delete(reason) || this.#closed || this.#holds.size > 0) return
    if (this.#tools.size === 0) this.#idle?.resume()
    for (const countdown of this.#tools.values()) countdown?.resume()
  }

  /** The turn is being ended: nothing counts any more. */
  close(): void {
    this.#closed = true
    for (const each of [this.#total, this.#firstEvent, this.#idle, ...this.#tools.values()]) each?.clear()
  }

  #isSilenceCounted(): boolean {
    return !this.#closed && this.#holds.size === 0 && this.#tools.size === 0
  }

  #countdown(name: keyof Budgets, milliseconds: number | undefined, story: string): Countdown | undefined {
    if (milliseconds === undefined) return undefined
    return new Countdown(milliseconds, () => {
      if (this.#closed) return
      this.#expire({
        status: 'timeout',
        code: 'timeout',
        message: `The turn was ended because ${story} ${milliseconds} ms (budgets.${name}).`,
        hint: `Raise budgets.${name} if this CLI needs longer.`,
        evidence: { by: 'budget', detail: `${name} ${milliseconds}` },
      })
    })
  }
}
