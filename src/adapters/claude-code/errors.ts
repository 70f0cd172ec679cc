import type { ErrorCode } from '../../errors.ts'
import { codeForStatus, codeForText } from '../../protocol/classify.ts'
import type { Failure } from '../../protocol/ending.ts'
import {
  asArray,
  asContent,
  asNumber,
  asObject,
  asString,
  type JsonObject,
  lookUp,
} from '../../protocol/narrow.ts'

/** What the records before a `result` tell of why it failed. */
export interface Clues {
  /** Why the main loop's last message stopped, as the API calls it. */
  stopReason: string | undefined
  /** The last API error, as a synthetic `assistant` record said it. */
  apiError: ApiError | undefined
  /** The last `rate_limit_event` said that the request was rejected. */
  limited: boolean
  /** When that limit resets: milliseconds since the epoch. */
  retryAt: number | undefined
  /** The CLI said that the user interrupted it. */
  interrupted: boolean
}

export interface ApiError {
  text: string
  /** One of the CLI's own words for API errors. */
  word: string | undefined
  status: number | undefined
  /** Its finer word (`api_error`, 2.1 on). */
  kind?: string | undefined
}

/** What a text that claude made up reports; undefined where that is no error. */
export function apiErrorIn(record: JsonObject, message: JsonObject): ApiError | undefined {
  // The output of a command of the CLI's own (2.1.277): no error, whatever it reads like.
  if (record.local_command_source !== undefined) return undefined
  const blocks = asContent(message.content) ?? []
  const text = blocks.flatMap((block) => asString(asObject(block)?.text) ?? []).join(' ')
  // "No response requested." stands where the model had nothing to say: no error.
  if (asString(record.error) === undefined && !/error|limit|too long|invalid|credit|log ?in/i.test(text))
    return undefined
  return apiErrorOf(record, text)
}

/** A synthetic `assistant` record as an API error. */
export function apiErrorOf(record: JsonObject, text: string): ApiError {
  const cut = asString(asObject(record.api_error_params)?.cut)
  return {
    text,
    word: asString(record.error),
    status: asNumber(record.api_error_status),
    // 2.1.332 calls a full context window an end of the output, too.
    kind: cut === 'context_window' ? 'message_over_context_limit' : asString(record.api_error),
  }
}

/** The CLI's own words for API errors (`error` of synthetic `assistant` records, 2.0 on). */
const errorWords: Readonly<Record<string, ErrorCode>> = {
  authentication_failed: 'auth',
  oauth_org_not_allowed: 'auth',
  account_on_hold: 'auth',
  verification_required: 'auth',
  cloud_credential_error: 'auth',
  billing_error: 'usage_limit',
  rate_limit: 'rate_limit',
  overloaded: 'overloaded',
  server_error: 'overloaded',
  model_not_found: 'model_not_found',
  max_output_tokens: 'max_output',
}

/** Finer words for them (`api_error`, 2.1 on), where a status or the coarse word would mislead. */
const errorKinds: Readonly<Record<string, ErrorCode>> = {
  api_key_auth_disabled: 'auth',
  invalid_credential_header: 'auth',
  org_disabled_credential: 'auth',
  provider_credentials: 'auth',
  stored_login_refused: 'auth',
  long_context_credits_required: 'usage_limit',
  model_requires_usage_credits: 'usage_limit',
  usage_limit_reached: 'usage_limit',
  max_output_tokens: 'max_output',
  message_over_context_limit: 'context_window',
  connection_failed: 'network',
  network_edge_blocked: 'network',
  stream_idle_timeout: 'network',
}

/** How the main loop ended (`terminal_reason`, 2.1 on), where that names an error. */
const terminalReasons: Readonly<Record<string, ErrorCode>> = {
  prompt_too_long: 'context_window',
  blocking_limit: 'context_window',
  image_error: 'invalid_request',
}

/** Ceilings that were asked for with `arguments`; the same turn would meet them again. */
const ceilings: Readonly<Record<string, Failure>> = {
  error_max_turns: { code: 'unknown', message: 'The turn reached the limit set with --max-turns.' },
  error_max_budget_usd: {
    code: 'usage_limit',
    message: 'The turn reached the limit set with --max-budget-usd.',
    retryable: false,
  },
  error_max_structured_output_retries: {
    code: 'output_mismatch',
    message: 'The model did not give an answer that fits outputSchema, however often claude asked.',
    hint: 'Resume the conversation and say what was wrong, or ask for less in `outputSchema`.',
  },
}

const hints: Partial<Record<ErrorCode, string>> = {
  auth: 'Sign in with `claude` on a terminal, or give ANTHROPIC_API_KEY or CLAUDE_CODE_OAUTH_TOKEN.',
  max_output: 'Ask for less at once; CLAUDE_CODE_MAX_OUTPUT_TOKENS raises the limit.',
  resume_rejected:
    'claude finds a conversation only from the cwd and the `conversations` that it began with.',
}

const missingConversation =
  /no conversation found|requires a valid session id|is not a uuid|session id .* not found|could not (?:find|resume) (?:the )?(?:session|conversation)/i
const refusal = /violate our usage policy|safeguards (?:flagged|stopped)/i
const connection =
  /connection (?:was )?(?:closed|lost|dropped|reset|refused|error)|(?:unable to|couldn't) connect|can't reach the api|no internet route|failedtoopensocket|\bE(?:CONN[A-Z]+|TIMEDOUT|PIPE|NOTFOUND|NETUNREACH|HOSTUNREACH)\b/i
/** 2.0.72 and 2.1.5 say of them neither a status nor a word. */
const media = /^(?:image|pdf|request) (?:was |is )?(?:too (?:large|long)|password protected|not valid)/i
const usageLimit =
  /usage limit reached|hit your .{0,40}limit|credit balance is too low|out of (?:extra )?usage/i

/** Why a `result` that is no success failed: from its fields first, from its text last. */
export function failureOf(result: JsonObject, clues: Clues): Failure {
  const text = failureText(result, clues)
  const ceiling = lookUp(ceilings, asString(result.subtype))
  if (ceiling) return ceiling
  const code = codeOf(result, clues, text)
  const retryAt = code === 'usage_limit' ? (resetIn(text) ?? clues.retryAt) : undefined
  return {
    code,
    message: oneLine(text),
    ...(retryAt !== undefined && { retryAt }),
    ...(hints[code] !== undefined && { hint: hints[code] }),
  }
}

/** What a synthetic `assistant` record says, for a turn that no `result` ends. */
export function failureOfApiError(apiError: ApiError, clues: Clues): Failure {
  return failureOf({ result: apiError.text }, { ...clues, apiError })
}

/** What claude prints on stderr when it fails before its first record. */
export function failureInStderr(stderr: string): Failure | undefined {
  const lines = stderr.split('\n').map((line) => line.trim())
  const line = lines.findLast((each) => each !== '')
  if (line === undefined) return undefined
  const code = missingConversation.test(stderr)
    ? 'resume_rejected'
    : misused.test(stderr)
      ? 'invalid_options'
      : codeForText(stderr)
  if (code === undefined) return undefined
  return { code, message: oneLine(line), ...(hints[code] !== undefined && { hint: hints[code] }) }
}

/** Of its arguments and their combination; it says it before it starts. */
const misused =
  /^error: (?:unknown option|option '|missing required|too many arguments)|cannot be used with root|^Error: When using --print|^Error: --\S+ (?:requires|can only|cannot)|^Error: Input must be provided/im

/** claude's telemetry among the reasons. */
export function isDiagnostic(reason: string): boolean {
  return reason.startsWith('[ede_diagnostic]')
}

function codeOf(result: JsonObject, clues: Clues, text: string): ErrorCode {
  if (missingConversation.test(text)) return 'resume_rejected'
  const stopReason = asString(result.stop_reason) === 'refusal' ? 'refusal' : clues.stopReason
  // A refusal is also an `invalid_request` of the synthetic record, so it is asked for first.
  if (stopReason === 'refusal') return 'refused'
  if (stopReason === 'model_context_window_exceeded') return 'context_window'
  const kind = lookUp(errorKinds, clues.apiError?.kind ?? asString(result.api_error))
  if (kind) return kind
  if (stopReason === 'max_tokens') return 'max_output'
  const terminal = lookUp(terminalReasons, asString(result.terminal_reason))
  if (terminal) return terminal
  const status = asNumber(result.api_error_status) ?? clues.apiError?.status
  const word = clues.apiError?.word
  if (isUsageLimit(status, word, clues, text)) return 'usage_limit'
  if (status === 400 || status === 422) return codeForText(text) ?? 'invalid_request'
  const byStatus = status === undefined ? undefined : codeForStatus(status)
  if (byStatus) return byStatus
  // 2.1.233 and 2.1.332 call a refused connection a server_error.
  if (connection.test(text)) return 'network'
  const byWord = lookUp(errorWords, word)
  // 2.1.136 calls a full context window so, too.
  if (byWord === 'max_output' && codeForText(text) === 'context_window') return 'context_window'
  if (byWord) return byWord
  if (refusal.test(text)) return 'refused'
  return codeForText(text) ?? (word === 'invalid_request' || media.test(text) ? 'invalid_request' : 'unknown')
}

function isUsageLimit(status: number | undefined, word: string | undefined, clues: Clues, text: string) {
  if (word === 'billing_error') return true
  if (status !== undefined && status !== 429 && status !== 400) return false
  return usageLimit.test(text) || (clues.limited && (status === 429 || word === 'rate_limit'))
}

/** The reasons without the telemetry; else the result's text; else that of the last API error; else a sentence of our own. */
function failureText(result: JsonObject, clues: Clues): string {
  const reasons = asArray(result.errors).flatMap((reason) => asString(reason) ?? [])
  const said = reasons.filter((reason) => reason.trim() !== '' && !isDiagnostic(reason)).join('; ')
  const subtype = asString(result.subtype) ?? 'error'
  return (
    said ||
    asString(result.result) ||
    clues.apiError?.text ||
    `claude ended the turn with ${subtype}, without a reason.`
  )
}

/** 'Claude AI usage limit reached|1762952400': seconds. */
function resetIn(text: string): number | undefined {
  const match = /limit reached\|(\d{10})\b/.exec(text)
  return match ? Number(match[1]) * 1000 : undefined
}

function oneLine(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length > 500 ? `${line.slice(0, 500)}…` : line
}
