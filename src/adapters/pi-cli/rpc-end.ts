import { asArray, asNumber, asObject, asString, type JsonObject } from '../../protocol/narrow.ts'
import type { RpcOpening } from './rpc-opening.ts'
import type { PiRequests } from './rpc-requests.ts'
import type { Progress } from './run.ts'
import type { PiSteers } from './steers.ts'

const tooLate = 'The turn was over before pi took it in.'
const kept = 'The turn was over before pi took it in; pi holds it until the next prompt.'

export interface EndOfTurn {
  requests: PiRequests
  opening: RpcOpening
  sessionFile: string | undefined
  /** The turn is over, and nothing of it is left in pi. */
  over(): void
  /** pi is not in its conversation any more. */
  lost(): void
}

/**
 * Finds out when a turn is over. `agent_settled` says it; before 0.80.4 an `agent_end` with nothing after it, which an idle
 * `get_state` shows: what pi does by itself after an `agent_end`, it announces in the same breath. Steers that the run did not
 * take in are then taken out of pi's queue, or its next run would begin with them.
 */
export class PiTurnEnd {
  readonly #steers: PiSteers
  readonly #turn: EndOfTurn
  /** Counts what pi's run did, so that an answer to an old question is known. */
  #moves = 0
  #isOver = false
  #rests = false
  /** Questions that pi has not answered. */
  #open = 0

  constructor(steers: PiSteers, turn: EndOfTurn) {
    this.#steers = steers
    this.#turn = turn
  }

  /** pi's run is over: only what is left of it is cleared away. */
  get isOver(): boolean {
    return this.#isOver
  }

  get isOwed(): boolean {
    return this.#isOver || (this.#rests && this.#open > 0)
  }

  advance(progress: Progress): void {
    this.#moves++
    this.#isOver = progress === 'settled'
    this.#rests = progress === 'resting' && this.#turn.opening.settles !== true
    if (progress === 'settled') this.clear()
    else if (this.#rests) this.#ask({ type: 'get_state' }, (state) => this.#see(state))
  }

  /** In a replay nothing is asked, but what was asked then is answered. */
  overhear({ command, data }: JsonObject): void {
    if (!this.#rests) return
    if (command === 'prompt') this.#see({})
    else if (command === 'get_state') this.#see(asObject(data) ?? {})
  }

  #see(state: JsonObject): void {
    if (this.#isOver || state.isStreaming === true || state.isCompacting === true) return
    this.#isOver = true
    this.clear()
  }

  /** Called again whenever pi has said what it did with a steer. */
  clear(): void {
    if (!this.#isOver) return
    if (this.#steers.isEmpty) this.#turn.over()
    else if (!this.#steers.areTaken) return
    else if (this.#turn.opening.clearsQueue) {
      this.#ask({ type: 'clear_queue' }, (cleared) => {
        this.#steers.withdraw(asArray(cleared.steering), tooLate)
        this.#finish('delivered')
      })
    } else {
      this.#ask({ type: 'get_state' }, (state) => {
        if (asNumber(state.pendingMessageCount) === 0) this.#finish('delivered')
        else this.#reopen()
      })
    }
  }

  /** A conversation that is left and opened anew has an empty queue (0.63.2, 0.73.1). */
  #reopen(): void {
    const sessionPath = this.#turn.sessionFile
    if (sessionPath === undefined) {
      this.#finish('rejected', kept)
      return
    }
    this.#ask({ type: 'new_session' }, ({ cancelled }) => {
      if (cancelled === true) this.#finish('rejected', kept)
      else this.#ask({ type: 'switch_session', sessionPath }, () => this.#check(sessionPath))
    })
  }

  #check(sessionPath: string): void {
    this.#ask({ type: 'get_state' }, ({ sessionFile }) => {
      if (asString(sessionFile) !== sessionPath) this.#turn.lost()
      this.#finish('rejected', tooLate)
    })
  }

  #finish(outcome: 'delivered' | 'rejected', reason?: string): void {
    this.#steers.resolveAll(outcome, reason)
    this.#turn.over()
  }

  /** Only asks for as long as pi does nothing else. */
  #ask(command: { type: string } & JsonObject, then: (data: JsonObject) => void): void {
    const moves = this.#moves
    this.#open++
    this.#turn.requests.ask(command, (response) => {
      this.#open--
      if (moves === this.#moves) then(asObject(response.data) ?? {})
    })
  }
}
