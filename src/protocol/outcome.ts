import type { ErrorCode, Issue } from '../errors.ts'

/** Why the model stopped, in ACP's words. */
export type StopReason = 'end_turn' | 'max_tokens' | 'max_turn_requests' | 'refusal' | 'cancelled'

/** Token counts. Absent means the CLI did not say; never a guess. */
export interface Usage {
  /** `turn`: this turn alone. `conversation`: the CLI counts from the conversation's start and the start is not known. */
  basis: 'turn' | 'conversation'
  /** All prompt tokens, cached ones included. */
  inputTokens?: number
  cachedInputTokens?: number
  cacheWriteTokens?: number
  outputTokens?: number
  reasoningTokens?: number
}

export type CompletionStatus = 'success' | 'error' | 'interrupted' | 'timeout'

export interface CompletionError {
  code: ErrorCode
  message: string
  retryable: boolean
  /** Milliseconds since the epoch. */
  retryAt?: number
  /** What to do next, one sentence. Every completion's error has one. */
  hint?: string
  /** With `output_mismatch`: what of the answer does not fit, the first 20 of it. */
  issues?: Issue[]
}

/** What decided the status. */
export interface Evidence {
  by: 'record' | 'exit' | 'signal' | 'budget' | 'spawn' | 'host'
  detail: string
}

/** What came over stdout. `records` parsed as JSON; of those, `ignored` say nothing to a consumer and `unknown` are new to this version. */
export interface Ledger {
  bytes: number
  records: number
  ignored: number
  unknown: number
  /** Lines that are no JSON. */
  invalid: number
  /** Lines past the line limit, dropped whole. */
  oversized: number
}

/** A good end. With an `outputSchema` of the turn its `structuredOutput` is there. */
export type GoodOutcome<S = unknown> = { status: 'success'; error?: never } & StructuredOutput<S>

/** Any other end says why. */
export interface BadOutcome {
  status: Exclude<CompletionStatus, 'success'>
  error: CompletionError
  structuredOutput?: never
}

type StructuredOutput<S> = undefined extends S
  ? { structuredOutput?: S }
  : {
      /** What `outputSchema` made of the answer. */
      structuredOutput: S
    }

interface EndOfTurn {
  type: 'completion'
  text: string
  stopReason?: StopReason
  sessionId?: string
  usage?: Usage
  costUsd?: number
  evidence: Evidence
}

/** What a wire knows of the end; the runner adds what only it can know. */
export type CompletionStatement<S = unknown> = EndOfTurn & (GoodOutcome<S> | BadOutcome)

/** What only the one who ran the process knows. */
export interface ProcessFacts {
  credentialExposure: 'hidden' | 'visible' | 'none'
  ledger: Ledger
  /** The last 64 KiB of stderr, decoded. */
  stderrTail: string
  exitCode: number | null
  signal: string | null
  durationMs: number
}

export type CompletionPayload<S = unknown> = CompletionStatement<S> & ProcessFacts
