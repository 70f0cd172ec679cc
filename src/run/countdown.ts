import { longestTimeout } from '../longest-timeout.ts'

/** A timer that can stand still. */
export class Countdown {
  readonly #milliseconds: number
  readonly #expire: () => void
  #remaining: number
  #timer: NodeJS.Timeout | undefined
  #armed = 0
  #armedAt = 0

  constructor(milliseconds: number, expire: () => void) {
    this.#milliseconds = milliseconds
    this.#expire = expire
    this.#remaining = milliseconds
  }

  /** From the whole time on. */
  restart(): void {
    this.#remaining = this.#milliseconds
    if (this.#timer && this.#armed === this.#remaining) {
      this.#timer.refresh()
      this.#armedAt = performance.now()
    } else {
      this.clear()
      this.resume()
    }
  }

  /** Stands still; what is left is kept. */
  pause(): void {
    if (!this.#timer) return
    this.#remaining = Math.max(0, this.#remaining - (performance.now() - this.#armedAt))
    this.clear()
  }

  resume(): void {
    if (this.#timer || this.#remaining === Number.POSITIVE_INFINITY) return
    this.#armed = Math.min(this.#remaining, longestTimeout)
    this.#armedAt = performance.now()
    this.#timer = setTimeout(() => this.#fire(), this.#armed)
  }

  clear(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  #fire(): void {
    this.#timer = undefined
    this.#remaining -= this.#armed
    if (this.#remaining > 0) this.resume()
    else this.#expire()
  }
}
