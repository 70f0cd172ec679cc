import { type ErrorCode, wordsOf } from '../errors.ts'
import { completionError } from './ending.ts'
import { hintOrDefault } from './hints.ts'
import type {
  CompletionError,
  CompletionPayload,
  CompletionStatement,
  Evidence,
  ProcessFacts,
} from './outcome.ts'

/** Why the turn was ended before the CLI's last word: recorded before the first signal is sent. */
export interface Stop {
  status: 'interrupted' | 'timeout' | 'error'
  code: ErrorCode
  message: string
  /** Default: the code's own. */
  retryable?: boolean
  hint?: string
  evidence: Evidence
}

/**
 * The completion that a consumer sees: the wire's statement, the process's facts, and the stop, which wins where it came
 * first.
 */
export function composeCompletion(
  statement: CompletionStatement | undefined,
  facts: ProcessFacts,
  stop?: Stop,
): CompletionPayload {
  const base: CompletionStatement = statement ?? {
    type: 'completion',
    status: 'error',
    text: '',
    evidence: { by: 'exit', detail: `exit ${facts.exitCode ?? facts.signal}` },
    error: completionError({ code: 'protocol', message: 'The adapter did not say how the turn ended.' }),
  }
  if (!stop) {
    if (base.status === 'success') return { ...base, ...facts }
    const { structuredOutput: _, ...failed } = base
    return { ...failed, ...facts, error: withHint(failed.error) }
  }
  const { stopReason: _stopReason, error: _error, structuredOutput: _output, ...kept } = base
  return {
    ...kept,
    ...facts,
    status: stop.status,
    ...(stop.status === 'interrupted' && { stopReason: 'cancelled' as const }),
    error: withHint(completionError(stop)),
    evidence: stop.evidence,
  }
}

function withHint(error: CompletionError): CompletionError {
  return { ...error, hint: hintOrDefault(error.code, error.hint) }
}

/** The stop of a turn whose wire threw. */
export function wireFault(error: unknown): Stop {
  return {
    status: 'error',
    code: 'protocol',
    message: `The adapter failed at what the CLI said: ${wordsOf(error)}`,
    hint: 'This is a fault of the adapter: report it with the recorded output.',
    evidence: { by: 'host', detail: 'the wire threw' },
  }
}
