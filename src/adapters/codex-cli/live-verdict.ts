import type { Failure, Verdict } from '../../protocol/ending.ts'
import { asNumber, asObject, asString, type JsonObject } from '../../protocol/narrow.ts'
import { failureOfTurn } from './errors.ts'

/** codex rests, and that is all that it says of the end of a turn. */
export const neverEnded: Verdict = {
  detail: 'thread/status/changed idle',
  failure: {
    code: 'protocol',
    message: 'codex came to rest but never said how the turn ended.',
    retryable: true,
  },
}

/** What `turn/completed` says of the turn. */
export function verdictOf(turn: JsonObject | undefined, rateLimits: JsonObject | undefined): Verdict {
  const status = asString(turn?.status) ?? 'unknown'
  const detail = `turn/completed ${status}`
  if (status === 'completed') return { detail }
  if (status === 'interrupted') return { detail, interrupted: true }
  const failure = withRetryAt(failureOfTurn(asObject(turn?.error)), rateLimits)
  if (failure.code === 'max_output') return { detail, failure, stopReason: 'max_tokens' }
  if (failure.code === 'refused') return { detail, failure, stopReason: 'refusal' }
  return { detail, failure }
}

/** When the windows that are used up begin anew; codex counts in seconds. */
function withRetryAt(failure: Failure, rateLimits: JsonObject | undefined): Failure {
  if (failure.code !== 'usage_limit') return failure
  const windows = [asObject(rateLimits?.primary), asObject(rateLimits?.secondary)]
  const full = windows.filter((window) => (asNumber(window?.usedPercent) ?? 0) >= 100)
  const resets = full.flatMap((window) => asNumber(window?.resetsAt) ?? [])
  return resets.length === 0 ? failure : { ...failure, retryAt: Math.max(...resets) * 1000 }
}
