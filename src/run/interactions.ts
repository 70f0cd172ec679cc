import { AgentError, wordsOf } from '../errors.ts'
import { present, presentValues } from '../options/present.ts'
import type { ApprovalCallback, Decision } from '../options/turn-options.ts'
import type { InteractionPayload } from '../protocol/events.ts'
import type { WireDecision } from '../protocol/wire.ts'
import { Countdown } from './countdown.ts'

export interface InteractionsOptions {
  callback?: ApprovalCallback | undefined
  /** After so many milliseconds the answer is no. undefined: it may take forever. */
  interactionMs?: number | undefined
  answer(interactionId: string, decision: WireDecision, by: 'host' | 'callback' | 'default'): void
  notice(code: string, message: string): void
  /** Whether one is open: waiting for a person is not silence of the CLI's. */
  waiting(isWaiting: boolean): void
}

/** The open interactions of a turn. */
export class Interactions {
  readonly #options: InteractionsOptions
  readonly #open = new Map<string, Countdown | undefined>()
  readonly #known = new Set<string>()

  constructor(options: InteractionsOptions) {
    this.#options = options
  }

  hear(event: InteractionPayload): void {
    if (event.phase === 'resolved') this.#settle(event.interactionId)
    else this.#request(event)
  }

  /** The host's answer. Throws for an id that was never asked under. */
  answer(interactionId: string, decision: Decision): void {
    const whole = wholeDecision(decision)
    if (!this.#known.has(interactionId)) {
      throw new AgentError('invalid_options', `No interaction of this turn has the id ${interactionId}.`, {
        hint: 'Give the interactionId of an `interaction` event with phase `request`.',
      })
    }
    this.#resolve(interactionId, whole, 'host')
  }

  /** The turn is over: nothing waits any more. */
  close(): void {
    for (const countdown of this.#open.values()) countdown?.clear()
    this.#open.clear()
  }

  #request(request: InteractionPayload): void {
    const { interactionId } = request
    const { callback, interactionMs } = this.#options
    this.#known.add(interactionId)
    const countdown =
      interactionMs === undefined
        ? undefined
        : new Countdown(interactionMs, () => this.#expire(request, interactionMs))
    this.#open.set(interactionId, countdown)
    if (this.#open.size === 1) this.#options.waiting(true)
    countdown?.resume()
    // Not within the step that asked: the answer is a command of its own, and an interaction that the wire answered is none.
    if (callback) queueMicrotask(() => void this.#ask(request, callback))
  }

  async #ask(request: InteractionPayload, callback: ApprovalCallback): Promise<void> {
    if (!this.#open.has(request.interactionId)) return
    try {
      this.#resolve(request.interactionId, wholeDecision(await callback(request)), 'callback')
    } catch (error) {
      this.#options.notice(
        'approval_callback_failed',
        `The approvals callback failed, so "${request.title}" was denied: ${wordsOf(error)}`,
      )
      this.#resolve(request.interactionId, { decision: 'deny' }, 'default')
    }
  }

  #expire({ interactionId, title }: InteractionPayload, milliseconds: number): void {
    this.#options.notice(
      'interaction_expired',
      `Nobody answered "${title}" within ${milliseconds} ms (budgets.interactionMs), so it was denied.`,
    )
    const message = 'Nobody answered in time.'
    this.#resolve(interactionId, { decision: 'deny', message }, 'default')
  }

  #resolve(interactionId: string, decision: WireDecision, by: 'host' | 'callback' | 'default'): void {
    if (!this.#open.has(interactionId)) return
    this.#settle(interactionId)
    this.#options.answer(interactionId, decision, by)
  }

  #settle(interactionId: string): void {
    if (!this.#open.has(interactionId)) return
    this.#open.get(interactionId)?.clear()
    this.#open.delete(interactionId)
    if (this.#open.size === 0) this.#options.waiting(false)
  }
}

/** What is undefined counts as left out. */
function withoutGaps({ decision, answers, ...more }: Exclude<Decision, string>): WireDecision {
  return { decision, ...present(more), ...(answers && { answers: presentValues(answers) }) }
}

const words: ReadonlySet<unknown> = new Set(['allow', 'deny', 'cancel'])

/** The caller may have no types. */
function wholeDecision(decision: Decision): WireDecision {
  const whole = typeof decision === 'string' ? { decision } : decision
  if (words.has(whole?.decision)) return withoutGaps(whole)
  throw new AgentError(
    'invalid_options',
    "A decision is 'allow', 'deny' or 'cancel', or has one as `decision`.",
    {
      hint: "For instance turn.answer(interactionId, 'allow').",
    },
  )
}
