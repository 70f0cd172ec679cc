import { type ErrorCode, type Issue, isRetryableCode } from '../errors.ts'
import { lastWords } from './last-words.ts'
import type { BadOutcome, CompletionError, Evidence, StopReason } from './outcome.ts'

/** How the process ended. */
export interface Exit {
  exitCode: number | null
  signal: string | null
  /** The decoded tail of stderr. */
  stderr: string
  /** The caller or a budget had ended the turn before the CLI did: whatever is open was interrupted. */
  stopped?: boolean
  /** It had said its last word but did not go, so it was ended. */
  lingered?: boolean
}

export interface Failure {
  code: ErrorCode
  /** One line, in the CLI's words where it has any. */
  message: string
  retryable?: boolean | undefined
  /** Milliseconds since the epoch. */
  retryAt?: number | undefined
  hint?: string | undefined
  /** With `output_mismatch`. */
  issues?: readonly Issue[] | undefined
}

/** What the CLI's own terminal record says. */
export interface Verdict {
  /** The record, in a few words: 'result success'. */
  detail: string
  stopReason?: StopReason | undefined
  /** Absent: a good end. */
  failure?: Failure | undefined
  /** The CLI itself says that the turn was stopped from outside. */
  interrupted?: boolean | undefined
}

export type Ending = {
  evidence: Evidence
  stopReason?: StopReason
} & ({ status: 'success' } | Pick<BadOutcome, 'status' | 'error'>)

export function completionError(failure: Failure): CompletionError {
  const { code, message, retryAt } = failure
  return {
    code,
    message: message.trim() === '' ? 'The CLI gave no reason.' : message,
    retryable: failure.retryable ?? isRetryableCode(code),
    ...(retryAt !== undefined && Number.isFinite(retryAt) && retryAt >= 0 && { retryAt }),
    ...(failure.hint !== undefined && { hint: failure.hint }),
    ...(failure.issues && { issues: [...failure.issues] }),
  }
}

/**
 * The truth about an ending. Only the CLI's own terminal record can make a success: exit 0 alone never does, and a bad exit
 * after a good record does not undo it.
 *
 * @param suspected what went wrong as far as records without a terminal one tell (an error record, a failed message)
 * @param fromStderr what the tail of stderr tells, asked last
 */
export function decideEnding(
  verdict: Verdict | undefined,
  exit: Exit,
  suspected: Failure | undefined,
  fromStderr?: (stderr: string) => Failure | undefined,
): Ending {
  if (verdict) return fromVerdict(verdict)
  if (exit.signal !== null) {
    const before = suspected ? ` Before that: ${suspected.message}` : ''
    const message = `The CLI was ended by ${exit.signal} before it said how the turn went.${before}`
    return {
      status: 'error',
      evidence: { by: 'signal', detail: exit.signal },
      error: completionError({ code: 'crashed', message }),
    }
  }
  const evidence: Evidence = { by: 'exit', detail: `exit ${exit.exitCode} without a terminal record` }
  const failure =
    suspected ?? (exit.exitCode === 0 ? undefined : fromStderr?.(exit.stderr)) ?? withoutAnyWord(exit)
  return { status: 'error', evidence, error: completionError(failure) }
}

function fromVerdict(verdict: Verdict): Ending {
  const evidence: Evidence = { by: 'record', detail: verdict.detail }
  const stopReason = verdict.stopReason === undefined ? {} : { stopReason: verdict.stopReason }
  if (verdict.interrupted) {
    const failure = verdict.failure ?? {
      code: 'aborted',
      message: 'The turn was stopped from outside the CLI.',
    }
    return { status: 'interrupted', evidence, stopReason: 'cancelled', error: completionError(failure) }
  }
  if (verdict.failure)
    return { status: 'error', evidence, ...stopReason, error: completionError(verdict.failure) }
  return { status: 'success', evidence, stopReason: verdict.stopReason ?? 'end_turn' }
}

function withoutAnyWord(exit: Exit): Failure {
  if (exit.exitCode === 0) {
    return {
      code: 'protocol',
      message: 'The CLI exited with 0 but never said that the turn ended: its output is incomplete.',
      retryable: true,
    }
  }
  const line = lastWords(exit.stderr)
  return {
    code: 'crashed',
    message: line ?? `The CLI exited with ${exit.exitCode} without a word.`,
  }
}
