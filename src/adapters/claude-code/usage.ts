import { asNumber, asObject, asString, type JsonObject } from '../../protocol/narrow.ts'
import type { Usage } from '../../protocol/outcome.ts'

/** As the Messages API counts: prompt tokens that were cached or written to the cache are not in `input`. */
interface Tokens {
  input: number
  cacheRead: number
  cacheWrite: number
  output: number
  /** Part of `output`. undefined: the CLI does not say. */
  reasoning: number | undefined
}

const none: Tokens = { input: 0, cacheRead: 0, cacheWrite: 0, output: 0, reasoning: undefined }

/**
 * Counts the main loop's tokens. A `result` record counts its run; until it comes, each message counts once, however many
 * records carry its id.
 */
export class UsageCount {
  /** What the results so far counted. */
  #counted = none
  /** Messages since the last result, without the current one. */
  #past = none
  #current = none
  #currentId: string | undefined
  #lastResult: string | undefined

  /** @returns the turn's usage so far; undefined where this message says nothing of it */
  message(message: JsonObject | undefined): Usage | undefined {
    const id = asString(message?.id)
    const said = asObject(message?.usage)
    if (!said) return undefined
    if (id === undefined || id !== this.#currentId) {
      this.#past = sum(this.#past, this.#current)
      this.#current = none
      this.#currentId = id
    }
    return this.update(said)
  }

  /** The current message's own count has grown (`message_delta`). */
  update(said: JsonObject | undefined): Usage | undefined {
    if (!said) return undefined
    this.#current = read(said, this.#current)
    return toUsage(sum(sum(this.#counted, this.#past), this.#current))
  }

  /** @param name what tells this result from another: one that is told twice counts once */
  result(said: JsonObject | undefined, name?: string): Usage | undefined {
    const counted = said ? read(said, none) : none
    const seen = sum(this.#past, this.#current)
    if (name !== undefined && name === this.#lastResult && seen === none) return undefined
    this.#lastResult = name
    // 1.0 to 2.1.136 count nothing where they fell back to a request without streaming.
    const own = counted.input + counted.output === 0 ? seen : counted
    this.#counted = sum(this.#counted, own)
    this.#past = none
    this.#current = none
    this.#currentId = undefined
    return said || own !== counted ? toUsage(this.#counted) : undefined
  }
}

function read(said: JsonObject, before: Tokens): Tokens {
  const details = asObject(said.output_tokens_details)
  return {
    input: asNumber(said.input_tokens) ?? before.input,
    cacheRead: asNumber(said.cache_read_input_tokens) ?? before.cacheRead,
    cacheWrite: asNumber(said.cache_creation_input_tokens) ?? before.cacheWrite,
    output: asNumber(said.output_tokens) ?? before.output,
    reasoning: asNumber(details?.thinking_tokens) ?? before.reasoning,
  }
}

function sum(a: Tokens, b: Tokens): Tokens {
  if (b === none) return a
  return {
    input: a.input + b.input,
    cacheRead: a.cacheRead + b.cacheRead,
    cacheWrite: a.cacheWrite + b.cacheWrite,
    output: a.output + b.output,
    reasoning: a.reasoning === undefined ? b.reasoning : a.reasoning + (b.reasoning ?? 0),
  }
}

function toUsage(tokens: Tokens): Usage {
  return {
    basis: 'turn',
    inputTokens: tokens.input + tokens.cacheRead + tokens.cacheWrite,
    cachedInputTokens: tokens.cacheRead,
    cacheWriteTokens: tokens.cacheWrite,
    outputTokens: tokens.output,
    ...(tokens.reasoning !== undefined && { reasoningTokens: tokens.reasoning }),
  }
}
