import type { ErrorCode } from '../../errors.ts'
import { codeForText } from '../../protocol/classify.ts'
import type { Exit, Failure, Verdict } from '../../protocol/ending.ts'
import type { RpcError } from '../../protocol/json-rpc.ts'
import { lastWords } from '../../protocol/last-words.ts'
import { asObject, asString, asWord, lookUp } from '../../protocol/narrow.ts'
import type { StopReason } from '../../protocol/outcome.ts'

/** ACP's own code for "authenticate first". */
const authRequired = -32000
const requestCancelled = -32800

/** `errorKind` in an error's data, as claude-agent-acp 0.49.0 says it. */
const kinds: Readonly<Record<string, ErrorCode>> = {
  authentication_failed: 'auth',
  oauth_org_not_allowed: 'auth',
  billing_error: 'usage_limit',
  rate_limit: 'rate_limit',
  overloaded: 'overloaded',
  invalid_request: 'invalid_request',
  model_not_found: 'model_not_found',
  server_error: 'overloaded',
  max_output_tokens: 'max_output',
}

/** Why the agent refused a request, in its words. */
export function failureOfError({ code, message, data }: RpcError): Failure {
  const told = asObject(data)
  const words = message.replace(/^(?:Internal error|Error): (?=\S)/, '')
  const details = asString(data) ?? asString(told?.details) ?? asString(told?.message)
  const text = details === undefined || words.includes(details) ? words : `${words}: ${details}`
  const byKind = lookUp(kinds, asString(told?.errorKind))
  const byNumber = code === authRequired ? 'auth' : undefined
  return { code: byKind ?? byNumber ?? codeForText(text) ?? 'unknown', message: text.slice(0, 2000) }
}

export function wantsSignIn({ code }: RpcError): boolean {
  return code === authRequired
}

/** How a turn ended that the agent answered with an error. */
export function verdictOfError(error: RpcError): Verdict {
  const detail = `session/prompt error ${error.code ?? 'without a code'}`
  if (error.code === requestCancelled) return { detail, interrupted: true }
  return { detail, failure: failureOfError(error) }
}

const stops: Readonly<Record<StopReason, Failure | undefined>> = {
  end_turn: undefined,
  cancelled: undefined,
  max_tokens: { code: 'max_output', message: 'The token limit cut the answer.' },
  max_turn_requests: {
    code: 'unknown',
    message: "The agent's limit of model requests in a turn was reached.",
  },
  refusal: { code: 'refused', message: 'The agent refused to go on.' },
}

/** What a `stopReason` says of the turn. */
export function verdictOfStop(word: unknown): Verdict {
  const detail = `session/prompt ${asString(word) ?? 'without a stopReason'}`
  if (!isStopReason(word)) {
    const message = `The agent ended the turn for a reason that ACP does not have: ${asWord(word).slice(0, 100)}`
    return { detail, failure: { code: 'protocol', message } }
  }
  if (word === 'cancelled') return { detail, interrupted: true }
  const failure = stops[word]
  return { detail, stopReason: word, ...(failure && { failure }) }
}

function isStopReason(word: unknown): word is StopReason {
  return typeof word === 'string' && Object.hasOwn(stops, word)
}

/** What stderr tells where the agent ended without a word of its own. */
export function failureOfStderr(stderr: string): Failure | undefined {
  const message = lastWords(stderr)
  const code = codeForText(stderr.slice(-4000))
  return message === undefined || code === undefined ? undefined : { code, message }
}

/** The agent ended before it had opened a conversation. */
export function failureOfStart({ exitCode, signal, stderr }: Exit): Failure {
  const told = failureOfStderr(stderr)
  if (told) return told
  const line = lastWords(stderr)
  const how = signal ?? `exit ${exitCode}`
  return {
    code: 'crashed',
    message: `The agent ended (${how}) before it had opened a conversation${line === undefined ? '.' : `: ${line}`}`,
  }
}
