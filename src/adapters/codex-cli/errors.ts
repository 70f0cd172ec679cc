import type { ErrorCode } from '../../errors.ts'
import { codeForStatus, codeForText } from '../../protocol/classify.ts'
import type { Failure } from '../../protocol/ending.ts'
import { lastWords } from '../../protocol/last-words.ts'
import { asNumber, asObject, asString, type JsonObject, lookUp } from '../../protocol/narrow.ts'

/** Error codes of the Responses API, as the server's error body names them. */
const bodyCodes: Readonly<Record<string, ErrorCode>> = {
  invalid_api_key: 'auth',
  model_not_found: 'model_not_found',
  insufficient_quota: 'usage_limit',
  usage_limit_reached: 'usage_limit',
  usage_not_included: 'usage_limit',
  rate_limit_exceeded: 'rate_limit',
  context_length_exceeded: 'context_window',
  server_is_overloaded: 'overloaded',
  slow_down: 'overloaded',
  content_filter: 'refused',
  cyber_policy: 'refused',
  invalid_prompt: 'invalid_request',
}

/** What stands for many faults: a gateway says so of a 403, too. Asked after the status. */
const vagueBodyCodes: Readonly<Record<string, ErrorCode>> = {
  server_error: 'overloaded',
  invalid_request_error: 'invalid_request',
}

/** Codex's own sentences, which name neither a status nor a code. Seen of 0.55.0 to 0.171.0. */
const sentences: readonly (readonly [RegExp, ErrorCode])[] = [
  [
    /no rollout found for thread id|thread not found|no saved session found|invalid thread id/i,
    'resume_rejected',
  ],
  [/failed to load configuration/i, 'invalid_options'],
  [
    /MCP client for .* failed to start|required MCP servers failed|MCP startup (?:failed|incomplete)/i,
    'mcp_unavailable',
  ],
  [/reason: max_output_tokens/, 'max_output'],
  [/reason: content_filter|flagged (?:for possible|as potentially)/i, 'refused'],
  // 0.55 puts "stream disconnected before completion" before it.
  [/\bInvalid prompt\b/, 'invalid_request'],
  [/Input exceeds the maximum length/, 'invalid_request'],
  [/Missing environment variable|access token|refresh token|sign in again/i, 'auth'],
  [/experiencing high (?:demand|load)/i, 'overloaded'],
  [/idle timeout|timeout waiting for|waiting for network/i, 'network'],
]

const hints: Partial<Record<ErrorCode, string>> = {
  auth: 'Run `codex login`, or set CODEX_API_KEY; OPENAI_API_KEY alone does not sign codex in.',
  resume_rejected: 'Start a new conversation, or resume with the `conversations` folder that it was kept in.',
  mcp_unavailable: 'Check that the MCP server starts, and what it says when it does.',
}

/** What an error message of a record stands for: its structured part first, then the sentence around it. */
export function failureOf(message: string): Failure {
  const body = embeddedObject(message)
  const error = asObject(body?.error) ?? body
  const code = (error && codeOfBody(error, body, message)) ?? codeOfSentence(message) ?? 'unknown'
  return withCode({ code, message: oneLine(asString(error?.message) || message) }, code)
}

/** app-server's own words for what went wrong. Where the word covers several kinds, the message is asked first. */
const turnErrorCodes: Readonly<Record<string, ErrorCode>> = {
  contextWindowExceeded: 'context_window',
  sessionBudgetExceeded: 'usage_limit',
  usageLimitExceeded: 'usage_limit',
  usageLimitReached: 'usage_limit',
  rateLimitExceeded: 'rate_limit',
  serverOverloaded: 'overloaded',
  modelNotFound: 'model_not_found',
  cyberPolicy: 'refused',
  bioPolicy: 'refused',
  misalignmentPolicyViolation: 'refused',
  unauthorized: 'auth',
}
const vagueTurnErrorCodes: Readonly<Record<string, ErrorCode>> = {
  badRequest: 'invalid_request',
  internalServerError: 'overloaded',
  httpConnectionFailed: 'network',
  responseStreamConnectionFailed: 'network',
  responseStreamDisconnected: 'network',
  responseTooManyFailedAttempts: 'network',
}

/** What an `error` of app-server stands for. */
export function failureOfTurn(error: JsonObject | undefined): Failure {
  const message = asString(error?.message) || 'codex said that the turn failed, not why.'
  const failure = failureOf(message)
  const info = error?.codexErrorInfo
  const [said, detail] = typeof info === 'string' ? [info] : (Object.entries(asObject(info) ?? {})[0] ?? [])
  // Reported with underscores, too (cli-sub-agent#475).
  const word = said?.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
  const exact = lookUp(turnErrorCodes, word)
  if (exact) return withCode(failure, exact)
  if (failure.code !== 'unknown') return failure
  const status = asNumber(asObject(detail)?.httpStatusCode)
  const vague =
    (status === undefined ? undefined : codeForStatus(status)) ?? lookUp(vagueTurnErrorCodes, word)
  return vague ? withCode(failure, vague) : failure
}

function withCode({ message }: Failure, code: ErrorCode): Failure {
  const hint = hints[code]
  return { code, message, ...(hint !== undefined && { hint }) }
}

/** What an error message of a record says to a reader. */
export function messageIn(message: string): string {
  const body = embeddedObject(message)
  return oneLine(asString((asObject(body?.error) ?? body)?.message) || message)
}

/** What codex says on stderr when it gives up before the first record. Its log lines prove nothing: retries stand there too. */
export function failureOnStderr(stderr: string): Failure | undefined {
  const lines = stderr
    .replace(ansi, '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !isRoutine.test(line))
  // Without this its last line would be what is told of every crash.
  if (lines.length === 0 && stderr.trim() !== '')
    return { code: 'crashed', message: 'codex ended without a word.' }
  const said = lines.filter((line) => !isLog.test(line))
  const first = said.find((line) => /^error\b/i.test(line)) ?? lastWords(said.join('\n'))
  if (first === undefined) return undefined
  if (misused.test(first)) {
    return { code: 'invalid_options', message: said.slice(said.indexOf(first)).join(' ').slice(0, 500) }
  }
  // "Error: turn/start: turn/start failed: <why> (code -32602), data: {...}": what the app-server inside of exec answered.
  const why = first.replace(/^Error: /, '').replace(/ \(code -?\d+\).*$/, '')
  return { ...failureOf(why), code: codeOfSentence(why) ?? 'crashed' }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences are what it is about
const ansi = /\u001b\[[0-9;?]*[ -/]*[@-~]/g
const isLog = /^\d{4}-\d\d-\d\dT\S+\s+(?:TRACE|DEBUG|INFO|WARN|ERROR)\b/
const isRoutine = /^WARNING: proceeding|^Reading (?:prompt|additional input) from stdin/
const misused =
  /^error: (?:unexpected argument|invalid value|the argument|unrecognized subcommand)|loading config\.toml|unknown variant|Not inside a trusted directory|No prompt provided|finding codex home|Unknown feature flag/

function codeOfBody(error: JsonObject, body: JsonObject | undefined, message: string): ErrorCode | undefined {
  const words = [asString(error.code), asString(error.type)]
  const inWords = (codes: Readonly<Record<string, ErrorCode>>) =>
    words.map((word) => lookUp(codes, word)).find((code) => code !== undefined)
  const exact = inWords(bodyCodes)
  if (exact) return exact
  const status = asNumber(body?.status) ?? asNumber(error.status) ?? statusBefore(message)
  const byStatus = status === undefined ? undefined : codeForText(`${status} ${asString(error.message)}`)
  return byStatus ?? inWords(vagueBodyCodes)
}

/** "unexpected status 403 Forbidden: {...}" */
function statusBefore(message: string): number | undefined {
  const status = /\bstatus (\d{3})\b/.exec(message.slice(0, message.indexOf('{')))
  return status ? Number(status[1]) : undefined
}

function codeOfSentence(message: string): ErrorCode | undefined {
  for (const [sentence, code] of sentences) if (sentence.test(message)) return code
  // An address may hold digits that look like a status.
  return codeForText(message.replace(/\bhttps?:\/\/\S+/g, ''))
}

/** The message itself, or what follows "unexpected status 400 Bad Request: ". */
function embeddedObject(message: string): JsonObject | undefined {
  const start = message.indexOf('{')
  if (start === -1) return undefined
  try {
    return asObject(JSON.parse(message.slice(start, message.lastIndexOf('}') + 1)))
  } catch {
    return undefined
  }
}

function oneLine(text: string): string {
  return (text.includes('\n') ? text.replace(/\s*\n\s*/g, ' ') : text).trim()
}
