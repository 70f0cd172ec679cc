import type { WireEvent } from '../../protocol/events.ts'
import { asObject, type JsonObject } from '../../protocol/narrow.ts'
import { Transcript } from '../../protocol/transcript.ts'
import type { PiRequests } from './rpc-requests.ts'
import type { PiTurn } from './rpc-turn.ts'
import { PiRun } from './run.ts'
import { PiToolNames } from './tool-names.ts'

/** What pi does of itself: runs that an extension began. They are no turn's, but a prompt waits until they are over. */
export class PiOwnRuns {
  readonly #requests: PiRequests
  readonly #open: (over: () => void) => PiTurn
  #run: PiTurn | undefined
  #held: (() => void) | undefined
  #notices: WireEvent[] = []

  /** @param open makes a run, which says when it is over */
  constructor(requests: PiRequests, open: (over: () => void) => PiTurn) {
    this.#requests = requests
    this.#open = open
  }

  get isOn(): boolean {
    return this.#run !== undefined
  }

  /** Whether pi owes an answer to what it does of itself; undefined when nothing of that is on or waited for. */
  get areOwed(): boolean | undefined {
    if (this.#run) return this.#run.isEnding
    return this.#held && false
  }

  receive(record: JsonObject): void {
    const run = this.#run ?? this.#open(() => this.#finish())
    this.#run = run
    run.receive(record)
    this.#notice(run.transcript)
  }

  /** What no run knows is said between two runs, too. */
  hearIdle(record: JsonObject): void {
    const transcript = new Transcript()
    new PiRun(transcript, new PiToolNames()).receive(record)
    this.#notice(transcript)
  }

  whenIdle(then: () => void): void {
    this.#held = undefined
    if (this.isOn) this.#held = then
    else then()
  }

  /** pi has refused a prompt for a run, which may not have shown itself yet (1.6.0: while it is prepared). */
  afterRefusal(then: () => void): void {
    this.#held = then
    this.recheck()
  }

  /** An extension failed: the run that is waited for may not come. */
  recheck(): void {
    const then = this.#held
    if (!then || this.isOn) return
    this.#requests.ask({ type: 'get_state' }, ({ data }) => {
      if (this.#held === then && asObject(data)?.isStreaming !== true) this.whenIdle(then)
    })
  }

  /** What is said of all this: that a record is unknown. */
  takeNotices(): WireEvent[] {
    return this.#notices.splice(0)
  }

  #notice(transcript: Transcript): void {
    for (const event of transcript.step().events) {
      if (event.type === 'notice' && event.code === 'unknown_record') this.#notices.push(event)
    }
  }

  #finish(): void {
    this.#run = undefined
    const held = this.#held
    this.#held = undefined
    held?.()
  }
}
