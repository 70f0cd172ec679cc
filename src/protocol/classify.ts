import type { ErrorCode } from '../errors.ts'
import { lastWords } from './last-words.ts'

/** The code that an HTTP status of the model's API stands for. */
export function codeForStatus(status: number): ErrorCode | undefined {
  if (status === 401 || status === 403) return 'auth'
  if (status === 402) return 'usage_limit'
  if (status === 404) return 'model_not_found'
  if (status === 408) return 'network'
  if (status === 413) return 'context_window'
  if (status === 429) return 'rate_limit'
  if (status === 400 || status === 422) return 'invalid_request'
  if (status >= 500 && status <= 599) return 'overloaded'
  return undefined
}

/** Phrases of error texts, most telling first. Only ever asked about an error, never about an answer. */
const phrases: readonly (readonly [RegExp, ErrorCode])[] = [
  [
    /usage limit|session limit|hit your limit|out of credits|credit balance|insufficient balance|quota|insufficient_quota|billing/i,
    'usage_limit',
  ],
  [/context[ _](?:window|length)|prompt is too long|maximum context|too many tokens/i, 'context_window'],
  [
    /model[ _]not[ _]found|model is not supported|unknown model|no such model|cannot use this model|model name is not valid|ai model not found|does not exist or you do not have access/i,
    'model_not_found',
  ],
  [
    /unauthori[sz]ed|authentication|invalid (?:x-)?api[ -]?key|api key is invalid|not logged in|log ?in required|please run .*login|no api key|oauth|permission_error|forbidden/i,
    'auth',
  ],
  [/rate[ _-]?limit|too many requests|resource_exhausted/i, 'rate_limit'],
  [
    /overloaded|at capacity|server (?:had an )?error|internal server error|service unavailable|bad gateway/i,
    'overloaded',
  ],
  [/max_output_tokens|maximum output|output token/i, 'max_output'],
  [/refus(?:al|ed to)|content[ _]policy|content_filter/i, 'refused'],
  [
    /stream disconnected|stream closed|connection (?:refused|reset|closed|error|failed)|network|socket hang up|econn|etimedout|enotfound|fetch failed|terminated|timed out|error sending request/i,
    'network',
  ],
]

/** A CLI that does not load: the names in its code are no words about the API ("does not provide an export named 'getOAuthApiKey'"). */
const brokenProgram =
  /^(?:Uncaught )?(?:SyntaxError|ReferenceError|Error(?: \[\w+\])?: Cannot find (?:module|package))\b/

/**
 * The code that an error text stands for: a status in it first, then known phrases, else undefined.
 *
 * @param text an error message or a tail of stderr; never answer text
 */
export function codeForText(text: string): ErrorCode | undefined {
  if (brokenProgram.test(lastWords(text) ?? '')) return undefined
  for (const [phrase, code] of phrases.slice(0, 3)) if (phrase.test(text)) return code
  const status = /(?:^|[^\d.])([45]\d\d)(?!\d)/.exec(text)
  const byStatus = status ? codeForStatus(Number(status[1])) : undefined
  if (byStatus) return byStatus
  for (const [phrase, code] of phrases.slice(3)) if (phrase.test(text)) return code
  return undefined
}
