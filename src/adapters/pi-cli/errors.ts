import type { ErrorCode } from '../../errors.ts'
import { codeForText } from '../../protocol/classify.ts'
import type { Exit, Failure } from '../../protocol/ending.ts'
import { lastWords } from '../../protocol/last-words.ts'
import { asObject, asString, type JsonObject, lookUp } from '../../protocol/narrow.ts'
import { guardWords } from './tool-guard.ts'

/** Words of the providers' error bodies (`type` or `code`). What is not here is told by status and text. */
const codesByWord: Readonly<Record<string, ErrorCode>> = {
  authentication_error: 'auth',
  invalid_api_key: 'auth',
  permission_error: 'auth',
  billing_error: 'usage_limit',
  insufficient_quota: 'usage_limit',
  usage_limit_reached: 'usage_limit',
  context_length_exceeded: 'context_window',
  model_not_found: 'model_not_found',
  rate_limit_error: 'rate_limit',
  rate_limit_exceeded: 'rate_limit',
  overloaded_error: 'overloaded',
  content_filter: 'refused',
}

/** What stands for any fault: a gateway says so of a 403, too. Asked after the status and the text. */
const vagueWords: Readonly<Record<string, ErrorCode>> = {
  server_error: 'overloaded',
  api_error: 'overloaded',
}

const refusalWords: ReadonlySet<string> = new Set(['refusal', 'sensitive', 'content_filter'])

/** pi's own words for a model that would not: Anthropic's refusal and safety stops (since 0.79.2), OpenAI's content filter. */
const refusal = /refused to complete|stopped with: sensitive|finish_reason: content_filter/i

function isRefusal(errorMessage = '', { rawStopReason = '', api }: ErrorContext): boolean {
  if (refusalWords.has(rawStopReason) || refusal.test(errorMessage)) return true
  // Before 0.79.2 these words stand for Anthropic's refusal and safety stops, and for nothing else of that API (0.63.2, 0.73.1).
  return api === 'anthropic-messages' && errorMessage === 'An unknown error occurred'
}

const cutShort = /stream ended (?:before|without)|ended without|other side closed|premature close/i

/** What the message says beside its `errorMessage`. */
export interface ErrorContext {
  /** The provider's own word, which 1.x tells. */
  rawStopReason?: string | undefined
  /** 'anthropic-messages', 'openai-responses', ... */
  api?: string | undefined
}

/**
 * What an `errorMessage` of pi stands for: '401 {"error":{...}}', '400: {...}', 'OpenAI API error (401): ...', 'terminated'.
 *
 * @param errorMessage never answer text
 */
export function failureOfMessage(errorMessage: string | undefined, context: ErrorContext = {}): Failure {
  if (isRefusal(errorMessage, context)) {
    return {
      code: 'refused',
      message: oneLine(errorMessage ?? `The model stopped with: ${context.rawStopReason}`),
    }
  }
  if (errorMessage === undefined || errorMessage.trim() === '') {
    return { code: 'unknown', message: 'The model ended with an error that pi does not explain.' }
  }
  const body = bodyOf(errorMessage)
  const code =
    codeForWords(codesByWord, body) ??
    codeForText(errorMessage) ??
    codeForWords(vagueWords, body) ??
    (cutShort.test(errorMessage) ? 'network' : undefined) ??
    'unknown'
  const said = asString(body?.message)
  return { code, message: oneLine(said === undefined ? errorMessage : `${headOf(errorMessage)}${said}`) }
}

/** The JSON inside of the text: the provider's error object itself, or an envelope around it. */
function bodyOf(text: string): JsonObject | undefined {
  const start = text.indexOf('{')
  if (start === -1) return undefined
  try {
    const body = asObject(JSON.parse(text.slice(start, text.lastIndexOf('}') + 1)))
    return asObject(body?.error) ?? body
  } catch {
    return undefined
  }
}

function codeForWords(
  words: Readonly<Record<string, ErrorCode>>,
  body: JsonObject | undefined,
): ErrorCode | undefined {
  for (const word of [asString(body?.code), asString(body?.type)]) {
    const code = lookUp(words, word)
    if (code) return code
  }
  return undefined
}

function headOf(text: string): string {
  return text.slice(0, text.indexOf('{'))
}

const olderNode = /module 'node:[^']+' does not provide an export named|No such built-in module: node:/

/** What pi prints on stderr when it gives up before a turn. Asked only when no record tells how the turn ended. */
export function failureOfStderr(stderr: string): Failure | undefined {
  const guarded = failureOfGuard(stderr)
  if (guarded) return guarded
  const different = /^.*Session found in different project: (.+)$/m.exec(stderr)
  if (different) {
    return {
      code: 'resume_rejected',
      message: `That conversation belongs to another directory: ${oneLine(different[1] ?? '')}.`,
      hint: 'Run in that directory, or take the conversation along with fork: true.',
    }
  }
  const lost = /^.*(?:No session found matching|Stored session working directory does not exist).*$/m.exec(
    stderr,
  )
  if (lost) {
    return {
      code: 'resume_rejected',
      message: oneLine(lost[0]),
      hint: 'Give the `conversations` folder and the directory of the turn that began it, or start anew.',
    }
  }
  if (olderNode.test(stderr)) {
    return {
      code: 'unsupported_version',
      message: `This pi does not run on ${/Node\.js (v[\d.]+)/.exec(stderr)?.[0] ?? 'this Node'}.`,
      hint: 'Give a newer Node in `binary`: [path of node >= 22.19, path of pi/dist/cli.js].',
    }
  }
  const missingModel = /^.*Model ".*" not found.*$/m.exec(stderr)
  if (missingModel && /^.*Error: Model "/m.test(stderr)) {
    return { code: 'model_not_found', message: oneLine(missingModel[0]) }
  }
  const signedOut = /^.*(?:No API key found|No models available|No model selected).*$/m.exec(stderr)
  if (signedOut) {
    return {
      code: 'auth',
      message: oneLine(signedOut[0]),
      hint: "Set the provider's key (ANTHROPIC_API_KEY, OPENAI_API_KEY, ...) or sign in with `pi`, then /login.",
    }
  }
  const misused = /^.*Error: Unknown option.*$/m.exec(stderr)
  if (misused) return { code: 'invalid_options', message: oneLine(misused[0]) }
  const last = lastWords(stderr)
  const code = last === undefined ? undefined : codeForText(last)
  return code && last !== undefined ? { code, message: oneLine(last) } : undefined
}

/** Why our own extension ended pi before it asked the model. */
function failureOfGuard(stderr: string): Failure | undefined {
  const [, code, tools = ''] = guardWords.exec(stderr) ?? []
  if (code === undefined) return undefined
  if (code === 'mcp_unavailable') {
    return {
      code,
      message: `pi did not get these tools from their MCP servers, so that it was ended before it asked the model: ${oneLine(tools)}`,
      hint: 'The servers had answered right before pi was started: see that they stay up, and start within 45 s.',
    }
  }
  return {
    code: 'policy_violation',
    message: `pi would have offered the model other tools than tools.mode 'mcp_only' allows, so that it was ended: ${oneLine(tools)}`,
    hint: 'An extension brought them: do not trust the project, and load none in `arguments`.',
  }
}

/** What pi says when it does not take a prompt: its words for a missing key are those of stderr. */
export function failureOfRefusal(message: string): Failure {
  const known = failureOfStderr(message)
  if (known) return known
  const code = /already processing|in progress/.test(message) ? 'busy' : 'unknown'
  return { code, message: oneLine(message) }
}

/** pi does not take the prompt because it runs. */
export function refusesForRun(message: string): boolean {
  return message.includes('already processing')
}

/**
 * Why pi ended before it answered at all.
 *
 * @param plain what it printed on stdout in plain text
 */
export function failureOfStart({ exitCode, signal, stderr }: Exit, plain: string): Failure {
  const text = `${plain}\n${stderr}`
  const known = failureOfStderr(text)
  if (known) return known
  const said = lastWords(text)
  const how = signal ?? `exit ${exitCode}`
  return {
    code: exitCode === 0 ? 'protocol' : 'crashed',
    message: `pi ended with ${how} before it took a prompt${said === undefined ? '.' : `: ${oneLine(said)}`}`,
  }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences are what it is about
const colours = /\u001b\[[0-9;]*m/g

function oneLine(text: string): string {
  return text.replace(colours, '').replace(/\s+/g, ' ').trim().slice(0, 500)
}
