import { asNumber, asObject, type JsonObject } from '../../protocol/narrow.ts'
import type { Transcript } from '../../protocol/transcript.ts'

/** Tokens and money of one turn. ACP tells the cost of the whole conversation so far. */
export class AcpMeter {
  /** What the conversation had cost when the turn began; undefined: nobody knows. */
  #before: number | undefined
  #now: number | undefined

  /** @param isNew a conversation that begins has cost nothing yet */
  begin(isNew: boolean): void {
    if (isNew) this.#now = 0
  }

  /** A `usage_update`. Only dollars are a `costUsd`. */
  update(update: JsonObject, transcript: Transcript | undefined): void {
    const { amount, currency } = asObject(update.cost) ?? {}
    const total = currency === 'USD' ? asNumber(amount) : undefined
    if (total === undefined) return
    this.#now = total
    // A conversation that has cost nothing at all is one whose model has no known price (opencode 1.18.33).
    if (total === 0 || this.#before === undefined || total < this.#before) return
    transcript?.cost(total - this.#before)
  }

  startTurn(): void {
    this.#before = this.#now
  }

  /**
   * The `usage` of the answer to a prompt, where that is known to be the turn's: its inputTokens leave out what the cache gave or
   * took (claude-agent-acp 0.49.0).
   */
  tokens(usage: JsonObject | undefined, transcript: Transcript): void {
    if (!usage) return
    const input = asNumber(usage.inputTokens)
    const cached = asNumber(usage.cachedReadTokens)
    const written = asNumber(usage.cachedWriteTokens)
    transcript.usage({
      basis: 'turn',
      inputTokens: input === undefined ? undefined : input + (cached ?? 0) + (written ?? 0),
      cachedInputTokens: cached,
      cacheWriteTokens: written,
      outputTokens: asNumber(usage.outputTokens),
      reasoningTokens: asNumber(usage.thoughtTokens),
    })
  }
}
