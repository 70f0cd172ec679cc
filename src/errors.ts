/** Every code an `AgentError` or a completion's `error` can carry. The list is closed: consumers may switch on it. */
export const errorCodes = [
  'not_installed',
  'not_executable',
  'unsupported_version',
  'unsupported',
  'invalid_options',
  'spawn_failed',
  'auth',
  'rate_limit',
  'usage_limit',
  'overloaded',
  'context_window',
  'max_output',
  'refused',
  'model_not_found',
  'invalid_request',
  'network',
  'resume_rejected',
  'protocol',
  'crashed',
  'timeout',
  'aborted',
  'busy',
  'environment_key_refused',
  'bridge_environment_incomplete',
  'mcp_unavailable',
  'policy_violation',
  'billing_mismatch',
  'exposure_visible',
  'output_mismatch',
  'unknown',
] as const

export type ErrorCode = (typeof errorCodes)[number]

/** Trying the same turn again, later, can succeed without the caller changing anything. */
const retryableCodes: ReadonlySet<ErrorCode> = new Set([
  'rate_limit',
  'usage_limit',
  'overloaded',
  'network',
  'crashed',
  'busy',
])

export function isRetryableCode(code: ErrorCode): boolean {
  return retryableCodes.has(code)
}

/** One of several things that are wrong with a value. */
export interface Issue {
  /** Where in it: keys and indexes joined with dots, 'steps.0.title'; '' is the value as a whole. */
  path: string
  message: string
  /** What to do about it. */
  fix?: string
}

export interface AgentErrorOptions {
  /** Overrides the code's own default. */
  retryable?: boolean | undefined
  /** When a limit resets: milliseconds since the epoch. Only where the CLI said it. */
  retryAt?: number | undefined
  /** What to do next, one sentence. */
  hint?: string | undefined
  /** Where there are several things wrong: each of them. */
  issues?: readonly Issue[] | undefined
  cause?: unknown
}

const brand: unique symbol = Symbol.for('coxswain.AgentError') as never

/** The one error class of this package: a code from the closed list, one line of message, and what to do next. */
export class AgentError extends Error {
  override readonly name = 'AgentError'
  readonly code: ErrorCode
  readonly retryable: boolean
  readonly retryAt: number | undefined
  readonly hint: string | undefined
  readonly issues: readonly Issue[] | undefined
  readonly [brand] = true

  constructor(code: ErrorCode, message: string, options: AgentErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.code = code
    this.retryable = options.retryable ?? isRetryableCode(code)
    this.retryAt = options.retryAt
    this.hint = options.hint
    this.issues = options.issues
  }

  /** With the message, which JSON would leave out of an Error, and without stack and cause: fit for a response or a log. */
  toJSON(): Pick<AgentError, 'name' | 'code' | 'message' | 'retryable' | 'retryAt' | 'hint' | 'issues'> {
    const { name, code, message, retryable, retryAt, hint, issues } = this
    return { name, code, message, retryable, retryAt, hint, issues }
  }
}

/** True for an `AgentError` of any copy of this package in the process, which `instanceof` is not. */
export function isAgentError(value: unknown): value is AgentError {
  return typeof value === 'object' && value !== null && (value as { [brand]?: unknown })[brand] === true
}

/** A name as a message repeats it: one of a megabyte would bury the line. */
export function shortened(name: string): string {
  return name.length <= 80 ? name : `${name.slice(0, 60)}… (${name.length} characters)`
}

/** What was thrown, in words: an error's message, or whatever else it was. Never throws itself. */
export function wordsOf(thrown: unknown): string {
  try {
    return String(thrown instanceof Error ? thrown.message : thrown)
  } catch {
    return 'an object without words'
  }
}
