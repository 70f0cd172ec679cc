import { asNumber, asObject, type JsonObject } from '../../protocol/narrow.ts'
import type { Usage } from '../../protocol/outcome.ts'

/**
 * Sums the requests of one turn: each assistant message carries the tokens of its own request. pi's `input` counts what no
 * cache held; `reasoning` is a part of `output`.
 */
export class TurnUsage {
  #input = 0
  #cacheRead = 0
  #cacheWrite = 0
  #output = 0
  #reasoning: number | undefined
  #costUsd = 0
  #known = false

  /** Whether that said anything: pi writes zeros where the provider said nothing. */
  add(usage: JsonObject | undefined): boolean {
    if (!usage) return false
    const input = asNumber(usage.input) ?? 0
    const output = asNumber(usage.output) ?? 0
    const cacheRead = asNumber(usage.cacheRead) ?? 0
    const cacheWrite = asNumber(usage.cacheWrite) ?? 0
    if (input + output + cacheRead + cacheWrite === 0) return false
    this.#known = true
    this.#input += input
    this.#cacheRead += cacheRead
    this.#cacheWrite += cacheWrite
    this.#output += output
    const reasoning = asNumber(usage.reasoning)
    if (reasoning !== undefined) this.#reasoning = (this.#reasoning ?? 0) + reasoning
    this.#costUsd += asNumber(asObject(usage.cost)?.total) ?? 0
    return true
  }

  get usage(): Usage | undefined {
    if (!this.#known) return undefined
    return {
      basis: 'turn',
      inputTokens: this.#input + this.#cacheRead + this.#cacheWrite,
      cachedInputTokens: this.#cacheRead,
      cacheWriteTokens: this.#cacheWrite,
      outputTokens: this.#output,
      ...(this.#reasoning !== undefined && { reasoningTokens: this.#reasoning }),
    }
  }

  /** undefined where no request has a price: pi says 0 for models whose price it does not know. */
  get costUsd(): number | undefined {
    return this.#costUsd > 0 ? this.#costUsd : undefined
  }
}
