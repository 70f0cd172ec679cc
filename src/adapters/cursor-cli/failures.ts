import type { ErrorCode } from '../../errors.ts'
import { codeForText } from '../../protocol/classify.ts'
import type { Failure } from '../../protocol/ending.ts'
import { lastWords } from '../../protocol/last-words.ts'
import { lookUp } from '../../protocol/narrow.ts'

/** What only this CLI says. The first that is found anywhere in its last words decides. */
const phrases: readonly (readonly [RegExp, ErrorCode, string?])[] = [
  [
    /workspace trust required|if you trust this directory/i,
    'invalid_options',
    'Use a CLI that has --trust, trust the directory by hand once, or set approvals: "approve-all".',
  ],
  [
    /failed to claim persistent session|chat ID must be a UUID/i,
    'resume_rejected',
    'Resume with the sessionId of an earlier `session` event, in the same cwd.',
  ],
  [/^error: unknown option '-/i, 'unsupported_version', 'Update the CLI: cursor-agent update.'],
  [/sandbox mode is enabled but not available/i, 'unsupported', 'Leave `sandbox` out on this machine.'],
]

/** Codes of the Connect protocol, printed in brackets: "RetriableError: [resource_exhausted] Error". */
const connectCodes: Readonly<Record<string, ErrorCode>> = {
  // A matter of seconds (capacity), not of a spent quota.
  resource_exhausted: 'rate_limit',
  unavailable: 'overloaded',
  internal: 'overloaded',
  deadline_exceeded: 'network',
  canceled: 'network',
  aborted: 'network',
  unauthenticated: 'auth',
  permission_denied: 'auth',
  invalid_argument: 'invalid_request',
  failed_precondition: 'invalid_request',
  unimplemented: 'invalid_request',
}

const hints: Partial<Record<ErrorCode, string>> = {
  auth: 'Sign in with `cursor-agent login`, or pass CURSOR_API_KEY.',
  model_not_found: '`cursor-agent models` lists the names; "auto" always works.',
  usage_limit: 'Wait until the limit resets, or use the model "auto".',
}

/** What an error text means; undefined when nothing in it is known. Never asked about an answer. */
export function recognizeFailure(text: string): Failure | undefined {
  const lines = tellingLines(text)
  for (const [phrase, code, hint] of phrases) {
    const line = lines.find((each) => phrase.test(each))
    if (line !== undefined) return { code, message: line.slice(0, 500), hint }
  }
  for (const line of lines.toReversed()) {
    const code = codeOf(line)
    if (code !== undefined) return { code, message: line.slice(0, 500), hint: hints[code] }
  }
  return undefined
}

/** A failure from any last words, known or not; undefined when there are none. */
export function failureFrom(text: string): Failure | undefined {
  const known = recognizeFailure(text)
  if (known) return known
  const message = lastWords(tellingLines(text).join('\n'))
  return message === undefined ? undefined : { code: 'crashed', message }
}

function codeOf(line: string): ErrorCode | undefined {
  const byText = codeForText(line)
  if (byText === 'usage_limit' || byText === 'context_window' || byText === 'model_not_found') return byText
  const connect = /\[([a-z_]+)\]/.exec(line)?.[1]
  const byConnect = lookUp(connectCodes, connect)
  if (byConnect) return byConnect
  if (byText) return byText
  if (/^ActionRequiredError\b/.test(line)) return 'invalid_request'
  return undefined
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the CLI colours its warnings
const escapes = /\u001b\[[0-9;]*m/g

/** Without colours, blank lines, stack frames, and the events that 2026.01.28 prints on stderr once more. */
function tellingLines(text: string): string[] {
  return text
    .replace(escapes, '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('{') && !line.startsWith('at '))
}
