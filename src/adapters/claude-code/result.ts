import type { Failure, Verdict } from '../../protocol/ending.ts'
import {
  asArray,
  asBoolean,
  asNumber,
  asObject,
  asString,
  type JsonObject,
  lookUp,
} from '../../protocol/narrow.ts'
import type { StopReason } from '../../protocol/outcome.ts'
import { type Clues, failureOf, isDiagnostic } from './errors.ts'

const stopReasons: Readonly<Record<string, StopReason>> = {
  end_turn: 'end_turn',
  stop_sequence: 'end_turn',
  max_tokens: 'max_tokens',
  refusal: 'refusal',
}

/** What makes an answer bad that the CLI itself calls no error. Its text is the answer then, and tells nothing of the reason. */
const shortfalls: Readonly<Record<string, Failure>> = {
  max_tokens: { code: 'max_output', message: 'The answer was cut by the limit of output tokens.' },
  refusal: { code: 'refused', message: 'The model refused to answer.' },
  model_context_window_exceeded: {
    code: 'context_window',
    message: 'The answer was cut, for the context window is full.',
  },
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
  const failure = shortfallIn(record, clues) ?? failureOf(record, clues)
  if (subtype === 'error_max_turns') return { detail, failure, stopReason: 'max_turn_requests' }
  if (failure.code === 'max_output') return { detail, failure, stopReason: 'max_tokens' }
  if (failure.code === 'refused') return { detail, failure, stopReason: 'refusal' }
  return { detail, failure }
}

function shortfallIn(record: JsonObject, clues: Clues): Failure | undefined {
  if (asBoolean(record.is_error) === true || clues.apiError) return undefined
  if (asString(record.subtype)?.startsWith('error') === true) return undefined
  return lookUp(shortfalls, asString(record.stop_reason) ?? clues.stopReason)
}

function isGood(record: JsonObject, clues: Clues): boolean {
  if (asBoolean(record.is_error) === true) return false
  if (lookUp(shortfalls, asString(record.stop_reason) ?? clues.stopReason)) return false
  const subtype = asString(record.subtype)
  if (subtype === undefined || !subtype.startsWith('error')) return true
  // 1.0.124 to 2.1.5 call an empty answer an error_during_execution, but no error.
  const isEmpty = clues.stopReason === 'end_turn' || isUnseenAnswer(record, clues)
  return subtype === 'error_during_execution' && isEmpty && !clues.interrupted
}

/**
 * Without partial messages nothing but the result tells of an answer that is empty: it counts the tokens of the one message. Of a
 * message that broke off, which 2.1.5 reports in the same words, it counts none.
 */
function isUnseenAnswer(record: JsonObject, { stopReason, apiError }: Clues): boolean {
  if (stopReason !== undefined || apiError || asBoolean(record.is_error) !== false) return false
  if (asArray(record.errors).length > 0 || (asNumber(record.num_turns) ?? 2) > 1) return false
  return (asNumber(asObject(record.usage)?.output_tokens) ?? 0) > 0
}

function isInterruption(record: JsonObject, clues: Clues): boolean {
  if (asString(record.terminal_reason)?.startsWith('aborted') === true) return true
  const onlyDiagnostics = asArray(record.errors).every((reason) => isDiagnostic(asString(reason) ?? ''))
  return record.subtype === 'error_during_execution' && clues.interrupted && onlyDiagnostics
}
