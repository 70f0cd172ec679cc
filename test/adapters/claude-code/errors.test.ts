import { describe, expect, test } from 'vitest'
import {
  apiErrorOf,
  type Clues,
  failureInStderr,
  failureOf,
} from '../../../src/adapters/claude-code/errors.ts'

const nothing: Clues = {
  stopReason: undefined,
  apiError: undefined,
  limited: false,
  retryAt: undefined,
  interrupted: false,
}
const word = (words: string, name: string) => ({
  ...nothing,
  apiError: { text: words, word: name, status: undefined },
})

describe('the code of a failed result', () => {
  test.each([
    ['a status', { api_error_status: 401, result: 'x' }, nothing, 'auth'],
    ['a status before the text', { api_error_status: 500, result: 'rate limit' }, nothing, 'overloaded'],
    ['429 without a limit', { api_error_status: 429, result: 'slow down' }, nothing, 'rate_limit'],
    [
      '429 with a rejected limit',
      { api_error_status: 429, result: 'x' },
      { ...nothing, limited: true },
      'usage_limit',
    ],
    [
      '401 with a rejected limit',
      { api_error_status: 401, result: 'x' },
      { ...nothing, limited: true },
      'auth',
    ],
    ['404', { api_error_status: 404, result: 'x' }, nothing, 'model_not_found'],
    ['400 and a text', { api_error_status: 400, result: 'Prompt is too long' }, nothing, 'context_window'],
    [
      '400 and the balance',
      { api_error_status: 400, result: 'Credit balance is too low' },
      nothing,
      'usage_limit',
    ],
    ['400 alone', { api_error_status: 400, result: 'x' }, nothing, 'invalid_request'],
    [
      'its end',
      { terminal_reason: 'prompt_too_long', api_error_status: 400, result: 'x' },
      nothing,
      'context_window',
    ],
    [
      'a refusal, which is an invalid_request too',
      { stop_reason: 'refusal', result: 'x' },
      word('x', 'invalid_request'),
      'refused',
    ],
    [
      'a refusal that only the stream told',
      { result: 'x' },
      { ...nothing, stopReason: 'refusal' },
      'refused',
    ],
    ['a refusal in words (1.0)', { result: 'appears to violate our Usage Policy' }, nothing, 'refused'],
    ['the token limit', { api_error: 'max_output_tokens', result: 'x' }, nothing, 'max_output'],
    ["the CLI's own word", { result: 'x' }, word('x', 'authentication_failed'), 'auth'],
    ['its word for money', { result: 'x' }, word('x', 'billing_error'), 'usage_limit'],
    ['a status in the text (1.0)', { result: 'API Error: 429 {"type":"error"}' }, nothing, 'rate_limit'],
    [
      'a connection (2.1.136)',
      { result: 'API Error: The socket connection was closed unexpectedly.' },
      nothing,
      'network',
    ],
    [
      'a refused connection (2.1.332)',
      { result: 'API Error: Connection refused' },
      word('x', 'server_error'),
      'network',
    ],
    [
      'a connection that was dropped (2.1.332)',
      {
        terminal_reason: 'api_error',
        api_error: 'connection_failed',
        result: 'API Error: Connection dropped',
      },
      word('x', 'server_error'),
      'network',
    ],
    [
      'a full context window, of which the result says less than the record before it (2.1.332)',
      { terminal_reason: 'api_error', api_error: 'max_output_tokens', result: 'x' },
      {
        ...nothing,
        apiError: apiErrorOf(
          {
            error: 'max_output_tokens',
            api_error: 'max_output_tokens',
            api_error_params: { cut: 'context_window' },
          },
          'x',
        ),
      },
      'context_window',
    ],
    [
      'a full context window, of which only the words tell (2.1.136)',
      { result: 'API Error: The model has reached its context window limit.' },
      word('x', 'max_output_tokens'),
      'context_window',
    ],
    [
      'a full context window that only the stream told',
      { result: 'x' },
      { ...nothing, stopReason: 'model_context_window_exceeded' },
      'context_window',
    ],
    [
      'a spent allowance, whatever its status (2.1.332)',
      { api_error_status: 429, api_error: 'model_requires_usage_credits', result: 'x' },
      nothing,
      'usage_limit',
    ],
    ['an image in words (2.1.5)', { result: 'Image was too large. Resize it.' }, nothing, 'invalid_request'],
    ['nothing that is known', { result: 'The mast broke.' }, nothing, 'unknown'],
  ])('%s', (_, result, clues, code) => {
    expect(failureOf(result, clues).code).toBe(code)
  })
})

describe('a connection that claude calls a server_error (2.1.233, 2.1.332)', () => {
  test.each([
    'API Error: Connection dropped (ECONNRESET)',
    'API Error: Connection refused — a firewall or proxy may be blocking it (ECONNREFUSED)',
    "API Error: Can't reach the API server — check your internet or DNS (ENOTFOUND)",
    'API Error: No internet route — check your connection or VPN (ENETUNREACH)',
    "API Error: Couldn't connect through your proxy (ERR_PROXY)",
    'API Error: Unable to connect to API (ConnectionRefused)',
    'API Error: Something of tomorrow (ETIMEDOUT)',
  ])('%s', (words) => {
    expect(failureOf({ result: words }, word(words, 'server_error')).code).toBe('network')
  })
})

describe('what stderr tells', () => {
  test.each([
    ['No conversation found with session ID: 2', 'resume_rejected'],
    ["error: unknown option '--effort'", 'invalid_options'],
    ['--dangerously-skip-permissions cannot be used with root/sudo privileges', 'invalid_options'],
    ["error: option '--permission-mode <mode>' argument 'x' is invalid.", 'invalid_options'],
    ['Error: When using --print, --output-format=stream-json requires --verbose', 'invalid_options'],
    ['Invalid API key', 'auth'],
  ])('%s', (stderr, code) => {
    expect(failureInStderr(`noise\n${stderr}\n\n`)).toMatchObject({ code, message: stderr })
  })

  test.each(['', 'The mast broke.'])('nothing of %j', (stderr) => {
    expect(failureInStderr(stderr)).toBeUndefined()
  })
})
