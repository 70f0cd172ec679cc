import type { Verdict } from '../protocol/ending.ts'
import type { StopReason } from '../protocol/events.ts'
import { asArray, asBoolean, asString, type JsonObject, lookUp } from '../protocol/narrow.ts'
import { type Clues, failureOf, isDiagnostic } from './claude-code.errors.ts'

const stopReasons: Readonly<Record<string, StopReason>> = {
  end_turn: 'end_turn',
  stop_sequence: 'end_turn',
  max_tokens: 'max_tokens',
  refusal: 'refusal',
}

/** What a `result` record says of how its run went. `is_error` decides, never `subtype` alone. */
export function verdictOf(record: JsonObject, clues: Clues): Verdict {
  const subtype = asString(record.subtype) ?? 'without a subtype'
  const stopReason = lookUp(stopReasons, asString(record.stop_reason) ?? clues.stopReason)
  if (isGood(record, clues)) return { detail: `result ${subtype}`, stopReason }
  const detail = `result ${subtype}, is_error ${asBoolean(record.is_error) ?? false}`
  if (isInterruption(record, clues)) {
    const message = 'The turn was stopped from outside the CLI.'
    return { detail, interrupted: true, failure: { code: 'aborted', message } }
  }
  const failure = failureOf(record, clues)
  if (subtype === 'error_max_turns') return { detail, failure, stopReason: 'max_turn_requests' }
  if (failure.code === 'max_output') return { detail, failure, stopReason: 'max_tokens' }
  if (failure.code === 'refused') return { detail, failure, stopReason: 'refusal' }
  return { detail, failure }
}

function isGood(record: JsonObject, clues: Clues): boolean {
  if (asBoolean(record.is_error) === true) return false
  const stopReason = asString(record.stop_reason) ?? clues.stopReason
  if (stopReason === 'max_tokens' || stopReason === 'refusal') return false
  const subtype = asString(record.subtype)
  if (subtype === undefined || !subtype.startsWith('error')) return true
  // 1.0.124 and 2.0.72 call an empty answer an error_during_execution, but no error.
  return subtype === 'error_during_execution' && clues.stopReason === 'end_turn' && !clues.interrupted
}

function isInterruption(record: JsonObject, clues: Clues): boolean {
  if (asString(record.terminal_reason)?.startsWith('aborted') === true) return true
  const onlyDiagnostics = asArray(record.errors).every((reason) => isDiagnostic(asString(reason) ?? ''))
  return record.subtype === 'error_during_execution' && clues.interrupted && onlyDiagnostics
}
