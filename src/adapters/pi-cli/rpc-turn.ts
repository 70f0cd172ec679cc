import type { Failure, Verdict } from '../../protocol/ending.ts'
import { asArray, asObject, asString, type JsonObject } from '../../protocol/narrow.ts'
import { Transcript } from '../../protocol/transcript.ts'
import type { Steered } from '../../protocol/wire.ts'
import { failureOfRefusal, refusesForRun } from './errors.ts'
import { type EndOfTurn, PiTurnEnd } from './rpc-end.ts'
import type { RpcOpening } from './rpc-opening.ts'
import type { PiRequests } from './rpc-requests.ts'
import { PiRun } from './run.ts'
import { PiSteers } from './steers.ts'
import type { PiToolNames } from './tool-names.ts'

export interface TurnSurroundings extends EndOfTurn {
  names: PiToolNames
  steered(receipt: Steered): void
  /** These records are of a run that pi began by itself. */
  disown(records: readonly JsonObject[]): void
  /** pi runs by itself, so the prompt has to be given again. */
  busy(): void
}

/** One prompt and what comes of it; without a prompt, what pi does by itself. */
export class PiTurn {
  readonly transcript = new Transcript()
  readonly run: PiRun
  readonly steers: PiSteers
  /** Its session was told of. */
  isAnnounced = false
  readonly #end: PiTurnEnd
  readonly #requests: PiRequests
  readonly #opening: RpcOpening
  readonly #surroundings: TurnSurroundings
  /** Steers, until the prompt is on its way. */
  #held: { id: string; message: string }[] | undefined = []
  /** The prompt, until pi says that it took it. */
  #unanswered: string | undefined
  /** Records of a run that began before pi had answered the prompt: it may be another one's. */
  #unclear: JsonObject[] = []
  #hasBegun = false
  #hasPrompt = false

  constructor(surroundings: TurnSurroundings) {
    this.#surroundings = surroundings
    this.#requests = surroundings.requests
    this.#opening = surroundings.opening
    this.run = new PiRun(this.transcript, surroundings.names)
    this.steers = new PiSteers(surroundings.steered)
    this.#end = new PiTurnEnd(this.steers, surroundings)
  }

  /** The prompt is on its way to pi. */
  get isAsked(): boolean {
    return this.#held === undefined
  }

  /** The prompt waits for an answer of pi's, or pi is done as far as it says, and owes one. */
  get isOwed(): boolean {
    return !this.isAsked || this.isEnding
  }

  /** pi is done as far as it says, and owes an answer. */
  get isEnding(): boolean {
    return this.#end.isOwed
  }

  prompt(message: string, images: object[]): void {
    const literal = this.#literal(message)
    const record = { type: 'prompt', message: literal, ...(images.length > 0 && { images }) }
    this.#unanswered = literal
    this.#requests.ask(record, (response) => this.#answered(response))
    const held = this.#held ?? []
    this.#held = undefined
    for (const { id, message } of held) this.#sendSteer(id, message)
  }

  receive(record: JsonObject): void {
    if (this.#isUnclear(record)) this.#unclear.push(record)
    else this.#take(record)
  }

  #isUnclear(record: JsonObject): boolean {
    if (this.#unanswered === undefined) return false
    if (this.#unclear.length === 0) return record.type === 'agent_start'
    const message = record.type === 'message_start' ? asObject(record.message) : undefined
    if (message?.role === 'user' && textOf(message.content) === this.#unanswered) this.#claim()
    return this.#unanswered !== undefined
  }

  /** The run is this turn's. */
  #claim(): void {
    this.#unanswered = undefined
    const records = this.#unclear
    this.#unclear = []
    for (const record of records) this.#take(record)
  }

  #disown(): void {
    this.#unanswered = undefined
    const records = this.#unclear
    this.#unclear = []
    this.#surroundings.disown(records)
  }

  #take(record: JsonObject): void {
    if (record.type === 'agent_start') this.#begin()
    else if (record.type === 'message_start') this.#showMessage(asObject(record.message))
    const progress = this.run.receive(record)
    if (progress) this.#end.advance(progress)
  }

  /** A response to what this wire did not ask: that of a recording. */
  overhear(response: JsonObject): void {
    this.#end.overhear(response)
  }

  steer(id: string, text: string): void {
    const message = this.#literal(text)
    this.steers.add(id, message)
    if (this.run.interrupted) this.steers.resolve(id, 'rejected', 'The turn is being stopped.')
    else if (this.#end.isOver) this.steers.resolve(id, 'rejected', 'The turn is over.')
    else if (this.#held) this.#held.push({ id, message })
    else this.#sendSteer(id, message)
  }

  #sendSteer(id: string, message: string): void {
    this.#requests.ask({ type: 'steer', message }, (response) => {
      if (response.success === true) this.steers.take(id)
      else this.steers.resolve(id, 'rejected', asString(response.error) ?? 'pi refused it.')
      this.#end.clear()
    })
  }

  interrupt(): void {
    if (this.run.interrupted || this.#end.isOver) return
    this.run.interrupted = true
    if (this.#held) {
      this.#conclude({ detail: 'interrupt before the prompt was sent', interrupted: true })
      return
    }
    // 0.85.1 goes on with what is queued after an abort.
    if (!this.steers.isEmpty && this.#opening.clearsQueue) {
      this.#requests.ask({ type: 'clear_queue' }, ({ data }) => {
        this.steers.withdraw(asArray(asObject(data)?.steering), 'The turn was stopped.')
      })
    }
    this.#requests.ask({ type: 'abort' }, () => {})
  }

  fail(detail: string, failure: Failure): void {
    this.#conclude({ detail, failure })
  }

  /** The end of a turn in which pi did not run. */
  #conclude(verdict: Verdict): void {
    if (this.#held) this.steers.resolveAll('rejected', 'The turn did not begin.')
    this.transcript.conclude(verdict)
    this.#end.advance('settled')
  }

  /** pi stops only what runs: an abort that came while it still made ready is repeated. */
  #begin(): void {
    if (this.run.interrupted && !this.#hasBegun) this.#requests.ask({ type: 'abort' }, () => {})
    this.#hasBegun = true
  }

  #showMessage(message: JsonObject | undefined): void {
    if (message?.role !== 'user') return
    if (this.#hasPrompt) this.steers.show(textOf(message.content))
    this.#hasPrompt = true
  }

  #answered(response: JsonObject): void {
    if (response.success === false) {
      const message = asString(response.error) ?? 'pi refused the prompt without a word.'
      if (this.#hasBegun) this.transcript.notice('warning', 'request_refused', message)
      else this.#refused(message)
      return
    }
    this.#claim()
    if (asObject(response.data)?.disposition !== 'handled') return
    this.#requests.ask({ type: 'get_state' }, ({ data }) => {
      if (this.#hasBegun || asObject(data)?.isStreaming === true) return
      this.#conclude({ detail: 'response prompt, handled by an extension' })
    })
  }

  #refused(message: string): void {
    const waits = refusesForRun(message) && !this.#end.isOver
    if (waits) {
      // What was said to this turn has reached the other run.
      this.steers.resolveAll('rejected', 'pi was in a run of its own.')
      this.#held = []
    }
    if (!waits) this.fail('response prompt', failureOfRefusal(message))
    this.#disown()
    if (!waits) return
    if (this.run.interrupted)
      this.#conclude({ detail: 'interrupt before pi took the prompt', interrupted: true })
    else this.#surroundings.busy()
  }

  /** What the caller's own extensions, skills or templates would take for a command goes behind a space. */
  #literal(text: string): string {
    return this.#opening.hasCommands && text.startsWith('/') ? ` ${text}` : text
  }
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  let text = ''
  for (const part of asArray(content)) text += asString(asObject(part)?.text) ?? ''
  return text
}
