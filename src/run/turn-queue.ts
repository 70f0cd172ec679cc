import { Deferred } from './deferred.ts'
import type { StopRequest } from './stop-request.ts'

/** Lets the turns of a session run one at a time, in order. */
export class TurnQueue {
  readonly #waiting: Deferred<boolean>[] = []
  #isBusy = false

  /** Waits until all that came before are over; false: stopped before that. Whoever gets true calls `next` when it is over. */
  async last(stop: StopRequest): Promise<boolean> {
    if (!this.#isBusy) {
      this.#isBusy = true
      return true
    }
    const place = new Deferred<boolean>()
    this.#waiting.push(place)
    stop.attach(
      () => 'running',
      () => this.#giveUp(place),
    )
    return place.promise
  }

  /** The same, ahead of all that wait. */
  async first(): Promise<boolean> {
    const place = new Deferred<boolean>()
    this.#waiting.unshift(place)
    if (!this.#isBusy) this.next()
    return place.promise
  }

  /** The running one is over. */
  next(): void {
    const place = this.#waiting.shift()
    this.#isBusy = place !== undefined
    place?.resolve(true)
  }

  #giveUp(place: Deferred<boolean>): void {
    const index = this.#waiting.indexOf(place)
    if (index < 0) return
    this.#waiting.splice(index, 1)
    place.resolve(false)
  }
}
