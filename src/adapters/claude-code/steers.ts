import type { Steered } from '../../protocol/wire.ts'
import type { ClaudeControl } from './control.ts'

interface Steer {
  readonly id: string
  readonly text: string
  /** How claude calls it: known once it was sent. */
  uuid: string | undefined
  /** 'kept': claude would not give it back. */
  state: 'sent' | 'withdrawing' | 'kept'
}

export interface SteerRules {
  /** The process is for this turn alone: nothing may be left over for a turn of its own. */
  oneTurn: boolean
  /** This claude answers `cancel_async_message`. */
  cancels: boolean
  toRecord(text: string, uuid: string): object
}

/**
 * Messages for the turn that runs. claude takes them in at the next tool boundary, which the record that it says them back with
 * shows; what is left at the end begins a turn of its own, several in one.
 *
 * For a process of one turn that would be an orphan: there a message is sent only once a tool runs, so that the boundary is sure
 * to come, and withdrawn at the end of the last answer (seen of 2.1.332 as late as the end of the message; with the result it
 * is too late). Where claude cannot withdraw one, only one at a time is with it.
 */
export class ClaudeSteers {
  readonly #control: ClaudeControl
  readonly #rules: SteerRules
  #base: string | undefined
  #count = 0
  #mayPass = false
  #held: Steer[] = []
  #sent: Steer[] = []
  #receipts: Steered[] = []

  constructor(control: ClaudeControl, rules: SteerRules) {
    this.#control = control
    this.#rules = rules
  }

  /** claude has begun the turn. Its ids of messages must be new to the conversation, so they are made of one of its own. */
  begin(uuid: string | undefined): void {
    this.#base ??= uuid
    if (!this.#rules.oneTurn) this.#mayPass = true
    this.#flush()
  }

  add(id: string, text: string): void {
    this.#held.push({ id, text, uuid: undefined, state: 'sent' })
    this.#flush()
  }

  /** @param isRunning a tool runs, so that a boundary will come */
  atTool(isRunning: boolean): void {
    if (!this.#rules.oneTurn || isRunning === this.#mayPass) return
    this.#mayPass = isRunning
    this.#flush()
  }

  /**
   * claude said a message back: it is part of the turn now.
   *
   * @returns whether it is one of these
   */
  echoed(uuid: string | undefined): boolean {
    const steer = this.#take((each) => each.uuid === uuid)
    if (!steer) return false
    this.#receipts.push({ id: steer.id, outcome: 'delivered' })
    this.#flush()
    return true
  }

  /** Takes back what claude has not taken in yet. */
  withdraw(): void {
    if (!this.#rules.cancels) return
    for (const steer of this.#sent) {
      if (steer.state !== 'sent') continue
      steer.state = 'withdrawing'
      const request = { subtype: 'cancel_async_message', message_uuid: steer.uuid }
      this.#control.ask(request, ({ response }) => this.#withdrawn(steer, response?.cancelled === true))
    }
  }

  /** What claude never got is no part of anything any more. */
  rejectHeld(reason: string): void {
    for (const { id } of this.#held.splice(0)) this.#receipts.push({ id, outcome: 'rejected', reason })
  }

  /** The fate of all that is left. */
  resolveAll(outcome: 'queued' | 'rejected', reason: string): void {
    this.rejectHeld(reason)
    for (const { id } of this.#sent.splice(0)) {
      this.#receipts.push(outcome === 'queued' ? { id, outcome } : { id, outcome, reason })
    }
  }

  /** Some are with claude, without a sign that it took them in. */
  get arePending(): boolean {
    return this.#sent.length > 0
  }

  /** claude has not answered yet whether it still could give them back. */
  get areWithdrawing(): boolean {
    return this.#sent.some((steer) => steer.state === 'withdrawing')
  }

  takeReceipts(): Steered[] {
    return this.#receipts.splice(0)
  }

  #flush(): void {
    if (!this.#mayPass || this.#base === undefined) return
    while (this.#held.length > 0 && (this.#rules.cancels || this.#sent.length === 0)) {
      const steer = this.#held.shift()
      if (!steer) return
      steer.uuid = `${this.#base.slice(0, 24)}${(++this.#count).toString(16).padStart(12, '0')}`
      this.#sent.push(steer)
      this.#control.send(this.#rules.toRecord(steer.text, steer.uuid))
    }
  }

  #withdrawn(steer: Steer, isCancelled: boolean): void {
    steer.state = 'kept'
    if (!isCancelled || !this.#take((each) => each === steer)) return
    const reason = 'The turn ended before claude could take it in.'
    this.#receipts.push({ id: steer.id, outcome: 'rejected', reason })
  }

  #take(is: (steer: Steer) => boolean): Steer | undefined {
    const index = this.#sent.findIndex(is)
    return index === -1 ? undefined : this.#sent.splice(index, 1)[0]
  }
}
