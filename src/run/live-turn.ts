import type { Budgets } from '../options/option-parts.ts'
import type { Schema } from '../options/schema-types.ts'
import type { ApprovalCallback, Decision } from '../options/turn-options.ts'
import type { Stop } from '../protocol/completion.ts'
import type { NoticePayload, WireEvent } from '../protocol/events.ts'
import { emptyLedger, ledgerSince } from '../protocol/ledger.ts'
import type { JsonObject } from '../protocol/narrow.ts'
import type { CompletionStatement, Ledger } from '../protocol/outcome.ts'
import type { PromptPart } from '../protocol/prompt.ts'
import type { Steered } from '../protocol/wire.ts'
import { BudgetWatch } from './budgets.ts'
import { Deferred } from './deferred.ts'
import { Interactions } from './interactions.ts'
import type { LiveEnd, LiveProcess, OpenTurn } from './live-process.ts'
import type { TokenWatch, TurnEnding } from './token-watch.ts'
import { type ToolRules, type ToolWatch, watchTools } from './tool-watch.ts'
import type { SteerOutcome, Turn } from './turn-interface.ts'
import type { TurnControl, TurnParts } from './turn-parts.ts'
import { within } from './within.ts'

/** How long an interrupt may take before the process is ended: codex, claude and pi need 10 to 300 ms. */
const interruptMs = 5_000

export interface LiveTurnOptions {
  process: LiveProcess
  parts: TurnParts
  budgets: Budgets
  callback?: ApprovalCallback | undefined
  tools: ToolRules
  /** Looks for the token that the turn's shell was given. */
  tokens?: TokenWatch | undefined
  /** What the CLI does with a steer that came too late: it begins a turn. Returns that turn. Absent: none can follow. */
  follow?: (() => Turn<Schema>) | undefined
}

export interface LiveOutcome {
  statement: CompletionStatement | undefined
  stop: Stop | undefined
  /** What came during this turn. */
  ledger: Ledger
  /** The process ended with it. */
  end?: LiveEnd
}

/** One turn on a live process. */
export class LiveTurn implements OpenTurn, TurnControl {
  readonly #options: LiveTurnOptions
  readonly #budgets: BudgetWatch
  readonly #interactions: Interactions
  readonly #watch: ToolWatch | undefined
  readonly #completed = new Deferred<void>()
  readonly #steers = new Map<string, Deferred<SteerOutcome>>()
  #before: Ledger
  #statement: CompletionStatement | undefined
  /** The turn that the CLI begins with all that was queued. */
  #following: Turn<Schema> | undefined
  #count = 0
  /** The CLI is at it: it can be asked to stop. */
  #isPrompted = false

  constructor(options: LiveTurnOptions) {
    const { process, parts, budgets, callback, tools } = options
    this.#options = options
    this.#before = { ...process.ledger }
    this.#budgets = new BudgetWatch(budgets, (reason) => parts.stop.make(reason))
    this.#watch = watchTools(tools, (reason) => parts.stop.make(reason))
    this.#interactions = new Interactions({
      callback,
      interactionMs: budgets.interactionMs,
      answer: (interactionId, decision, by) =>
        process.command({ type: 'answer', interactionId, decision, by }),
      notice: (code, message) => this.notice('warning', code, message),
      waiting: (isWaiting) =>
        isWaiting ? this.#budgets.hold('interaction') : this.#budgets.release('interaction'),
    })
  }

  /**
   * Takes it to its end, however that comes. Never rejects.
   *
   * @param prompt undefined: the CLI has begun the turn by itself
   * @param ready where the handshake is a part of the turn: resolves with why it failed, if it did
   */
  async run(prompt: PromptPart[] | undefined, ready?: Promise<Stop | undefined>): Promise<LiveOutcome> {
    const { process, parts } = this.#options
    if (parts.stop.made) return { statement: undefined, stop: parts.stop.reason(false), ledger: emptyLedger }
    if (prompt) this.#before = { ...process.ledger }
    process.enter(this)
    parts.queue.onDrained(() => process.resume())
    this.#budgets.start()
    parts.stop.attach(
      () => (this.#statement ? 'last word' : process.isRunning ? 'running' : 'exited'),
      () => void this.#carryOutStop(),
    )
    // In a session nothing may come between the turn before and this prompt.
    const failure = ready && (await ready)
    if (failure === undefined && !parts.stop.made) {
      this.#isPrompted = true
      if (prompt) process.command({ type: 'prompt', prompt })
      parts.control(this)
    }
    if (failure === undefined) await Promise.race([this.#completed.promise, process.over])
    const end = process.isRunning ? undefined : await process.over
    this.#settle()
    const isTold = this.#statement?.evidence.by === 'record'
    return {
      statement: this.#statement,
      // How the process ended later changes nothing about what the CLI said of the turn.
      stop: parts.stop.reason(this.#statement !== undefined) ?? failure ?? (isTold ? undefined : end?.stop),
      ledger: ledgerSince(this.#before, process.ledger),
      ...(end && { end }),
    }
  }

  /** The last that is said before its completion. */
  async reportTokens(ending: TurnEnding): Promise<void> {
    const { tokens, parts } = this.#options
    for (const notice of (await tokens?.report(ending)) ?? []) parts.publisher.publish(notice)
  }

  steer(text: string): Promise<SteerOutcome> {
    if (this.#statement) return Promise.resolve({ outcome: 'rejected', reason: 'The turn is over.' })
    const id = `steer-${++this.#count}`
    const steer = new Deferred<SteerOutcome>()
    this.#steers.set(id, steer)
    this.#options.process.command({ type: 'steer', id, text })
    return steer.promise
  }

  answer(interactionId: string, decision: Decision): void {
    this.#interactions.answer(interactionId, decision)
  }

  receive(event: Exclude<WireEvent, CompletionStatement>, record: JsonObject | undefined): void {
    if (event.type === 'tool') this.#budgets.tool(event)
    this.#watch?.(event)
    this.#options.tokens?.hear(event)
    // What a consumer sees may be redacted in place: the callback gets what it needs before that.
    const request = event.type === 'interaction' ? { ...event } : undefined
    this.#options.parts.publisher.publish(event, record)
    if (request) this.#interactions.hear(request)
  }

  complete(statement: CompletionStatement): void {
    this.#statement ??= statement
    this.#completed.resolve()
  }

  steered({ id, outcome, reason }: Steered): void {
    const steer = this.#steers.get(id)
    if (!steer) return
    this.#steers.delete(id)
    const { follow } = this.#options
    if (outcome !== 'queued') steer.resolve({ outcome, ...(reason !== undefined && { reason }) })
    else if (follow) {
      this.#following ??= follow()
      steer.resolve({ outcome, turn: this.#following })
    } else steer.resolve(tooLate)
  }

  notice(level: NoticePayload['level'], code: string, message: string): void {
    this.#options.parts.publisher.publish({ type: 'notice', level, code, message })
  }

  isFull(): boolean {
    return this.#options.parts.queue.full
  }

  start(): void {}

  heard(): void {
    this.#budgets.heard()
  }

  recorded(): void {
    this.#budgets.recorded()
  }

  hold(why: Parameters<BudgetWatch['hold']>[0]): void {
    this.#budgets.hold(why)
  }

  release(why: Parameters<BudgetWatch['release']>[0]): void {
    this.#budgets.release(why)
  }

  close(): void {
    this.#budgets.close()
  }

  /** The CLI is asked to stop, which leaves the conversation usable; one that does not answer is ended. */
  async #carryOutStop(): Promise<void> {
    const { process, parts } = this.#options
    this.#budgets.close()
    parts.queue.lift()
    process.resume()
    if (this.#isPrompted) {
      process.command({ type: 'interrupt' })
      if (await within(Promise.race([this.#completed.promise, process.over]), interruptMs)) return
    }
    await process.end()
  }

  #settle(): void {
    const { process } = this.#options
    this.#budgets.close()
    this.#interactions.close()
    process.leave(this)
    for (const steer of this.#steers.values()) steer.resolve(tooLate)
  }
}

const tooLate: SteerOutcome = {
  outcome: 'rejected',
  reason: 'The turn was over before the CLI took it in.',
}
