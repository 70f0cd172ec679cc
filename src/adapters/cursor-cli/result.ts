import type { UsageStatement } from '../../protocol/counts.ts'
import type { Failure } from '../../protocol/ending.ts'
import { asNumber, asObject, asString, type JsonObject } from '../../protocol/narrow.ts'
import { recognizeFailure } from './failures.ts'

/** Handled, never recorded: failures come without a result. */
export function failureOfResult(record: JsonObject): Failure {
  const error = asString(record.error) ?? asString(asObject(record.error)?.message)
  const subtype = asString(record.subtype) ?? 'a result without a subtype'
  const message = asString(record.result)?.trim() || error || `The CLI ended the turn with ${subtype}.`
  const known = recognizeFailure(message)
  return known ?? { code: 'unknown', message: message.slice(0, 500) }
}

/**
 * The CLI counts what it read from and wrote to the cache apart from `inputTokens` (on its usage page these are separate
 * columns too). Older builds say nothing.
 */
export function usageOf(usage: JsonObject | undefined): UsageStatement | undefined {
  if (!usage) return undefined
  const fresh = asNumber(usage.inputTokens)
  const cached = asNumber(usage.cacheReadTokens)
  const written = asNumber(usage.cacheWriteTokens)
  return {
    basis: 'turn',
    inputTokens: fresh === undefined ? undefined : fresh + (cached ?? 0) + (written ?? 0),
    cachedInputTokens: cached,
    cacheWriteTokens: written,
    outputTokens: asNumber(usage.outputTokens),
  }
}
