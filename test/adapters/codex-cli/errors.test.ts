import { describe, expect, it } from 'vitest'
import { failureOf, failureOnStderr } from '../../../src/adapters/codex-cli/errors.ts'

describe('an error message', () => {
  const body = (error: object) => JSON.stringify({ error })

  it.each([
    // What 0.55.0, 0.113.0, 0.147.0 and 0.171.0 said when a loopback server answered so.
    ['exceeded retry limit, last status: 401 Unauthorized', 'auth'],
    [
      'unexpected status 401 Unauthorized: Incorrect API key provided., url: http://127.0.0.1:4290/v1/responses',
      'auth',
    ],
    ['unexpected status 403 Forbidden: Country not supported, url: http://127.0.0.1:1/v1/responses', 'auth'],
    [`unexpected status 400 Bad Request: ${body({ message: 'Bad thing.', code: 'bad' })}`, 'invalid_request'],
    // 0.55.0; a gateway calls every fault a server_error, and OpenAI calls a wrong key an invalid request.
    [
      `unexpected status 403 Forbidden: ${body({ message: 'Not in your country.', type: 'server_error', code: null })}`,
      'auth',
    ],
    [
      `unexpected status 401 Unauthorized: ${body({ message: 'No.', type: 'invalid_request_error', code: null })}`,
      'auth',
    ],
    [
      `unexpected status 400 Bad Request: ${body({ message: 'The maximum context length is 9.', type: 'invalid_request_error' })}`,
      'context_window',
    ],
    [body({ message: 'It broke.', type: 'server_error' }), 'overloaded'],
    ['Invalid prompt: flagged.', 'invalid_request'],
    ['stream disconnected before completion: Invalid prompt: flagged.', 'invalid_request'],
    ['Invalid prompt: your prompt was flagged as potentially violating the policy.', 'refused'],
    [body({ message: 'Bad thing.', type: 'invalid_request_error', code: 'bad' }), 'invalid_request'],
    ['The model `x` does not exist or you do not have access to it.', 'model_not_found'],
    ['exceeded retry limit, last status: 429 Too Many Requests', 'rate_limit'],
    ['rate limit exceeded: slow down', 'rate_limit'],
    ["You've hit your usage limit. Upgrade to Pro or try again at May 18th, 2033 3:33 AM.", 'usage_limit'],
    ['You’ve hit your usage limit. Upgrade to Pro or try again at May 18th, 2033 3:33 AM.', 'usage_limit'],
    ['Quota exceeded. Check your plan and billing details.', 'usage_limit'],
    ["We're currently experiencing high demand, which may cause temporary errors.", 'overloaded'],
    ['We’re currently experiencing high demand, which may cause temporary errors.', 'overloaded'],
    ['exceeded retry limit, last status: 503 Service Unavailable', 'overloaded'],
    ['Selected model is at capacity. Please try a different model.', 'overloaded'],
    [
      "Codex ran out of room in the model's context window. Start a new thread or clear earlier history before retrying.",
      'context_window',
    ],
    ['Incomplete response returned, reason: max_output_tokens', 'max_output'],
    [
      'stream disconnected before completion: Incomplete response returned, reason: max_output_tokens',
      'max_output',
    ],
    [
      'stream disconnected before completion: Incomplete response returned, reason: content_filter',
      'refused',
    ],
    ['This request has been flagged for possible cybersecurity risk.', 'refused'],
    ['stream disconnected before completion: stream closed before response.completed', 'network'],
    ['stream disconnected before completion: idle timeout waiting for SSE', 'network'],
    ['error sending request for url (http://127.0.0.1:401/v1/responses)', 'network'],
    ['Missing environment variable: `COXSWAIN_ENDPOINT_KEY`.', 'auth'],
    [
      'Your access token could not be refreshed because your refresh token was revoked. Please sign in again.',
      'auth',
    ],
    ['MCP client for `ide` failed to start: connection closed', 'mcp_unavailable'],
    ['something new', 'unknown'],
  ])('%s is %s', (message, code) => {
    expect(failureOf(message).code).toBe(code)
  })

  it.each([
    ['model_not_found', 'model_not_found'],
    ['invalid_api_key', 'auth'],
    ['insufficient_quota', 'usage_limit'],
    ['usage_limit_reached', 'usage_limit'],
    ['rate_limit_exceeded', 'rate_limit'],
    ['context_length_exceeded', 'context_window'],
    ['server_is_overloaded', 'overloaded'],
    ['content_filter', 'refused'],
    ['cyber_policy', 'refused'],
  ])('with the code %s in its body is %s, whatever its sentence says', (code, expected) => {
    const misleading = 'rate limit 401 network'
    expect(failureOf(body({ message: misleading, type: 'invalid_request_error', code })).code).toBe(expected)
  })

  it('with a status in its body is what the status stands for', () => {
    expect(failureOf(JSON.stringify({ status: 429, error: { message: 'Slow.' } })).code).toBe('rate_limit')
  })

  it('is shown as one line, in the words of its body where it has one', () => {
    expect(
      failureOf(`unexpected status 400 Bad Request: ${body({ message: 'Bad\n  thing.' })}`).message,
    ).toBe('Bad thing.')
    expect(failureOf('one\n two').message).toBe('one two')
    expect(failureOf('a { that is no JSON }').message).toBe('a { that is no JSON }')
  })

  it('says what to do about a missing sign-in', () => {
    expect(failureOf('last status: 401 Unauthorized').hint).toBe(
      'Run `codex login`, or set CODEX_API_KEY; OPENAI_API_KEY alone does not sign codex in.',
    )
  })
})

describe('a tail of stderr', () => {
  it.each([
    [
      'Not inside a trusted directory and --skip-git-repo-check was not specified.\n',
      'invalid_options',
      'Not inside a trusted directory and --skip-git-repo-check was not specified.',
    ],
    [
      "error: unexpected argument '--nope' found\n\nUsage: codex exec [PROMPT]\n",
      'invalid_options',
      "error: unexpected argument '--nope' found Usage: codex exec [PROMPT]",
    ],
    [
      'Error loading config.toml: unknown variant `bogus`, expected one of `low`, `high`\nin `model_reasoning_effort`\n\n',
      'invalid_options',
      'Error loading config.toml: unknown variant `bogus`, expected one of `low`, `high` in `model_reasoning_effort`',
    ],
    ['No prompt provided via stdin.\n', 'invalid_options', 'No prompt provided via stdin.'],
    [
      'Error: thread/start: thread/start failed: error creating thread: Fatal error: Failed to initialize session: required MCP servers failed to initialize: bad: No such file or directory (os error 2) (code -32603)\n',
      'mcp_unavailable',
      'thread/start: thread/start failed: error creating thread: Fatal error: Failed to initialize session: required MCP servers failed to initialize: bad: No such file or directory (os error 2)',
    ],
    [
      'Error: turn/start: turn/start failed: Input exceeds the maximum length of 1048576 characters. (code -32602), data: {"input_error_code":"input_too_large"}\n',
      'invalid_request',
      'turn/start: turn/start failed: Input exceeds the maximum length of 1048576 characters.',
    ],
    ["thread 'main' panicked at src/main.rs\n", 'crashed', "thread 'main' panicked at src/main.rs"],
  ])('%j is %s', (stderr, code, message) => {
    expect(failureOnStderr(stderr)).toMatchObject({ code, message })
  })

  it('is read past log lines, warnings and colours', () => {
    const stderr = [
      '2026-11-30T09:18:19.884692Z ERROR codex_core::session: stream disconnected, rate limit',
      'WARNING: proceeding, even though we could not update PATH',
      'Reading prompt from stdin...',
      '\u001b[31mError: no rollout found for thread id x\u001b[0m',
      '',
    ].join('\n')
    expect(failureOnStderr(stderr)).toMatchObject({
      code: 'resume_rejected',
      message: 'no rollout found for thread id x',
    })
  })

  it.each([
    'Reading additional input from stdin...\n',
    'WARNING: proceeding, even though x\nReading prompt from stdin...\n',
  ])('of nothing but what codex says of every start (%j) is no reason', (stderr) => {
    expect(failureOnStderr(stderr)).toEqual({ code: 'crashed', message: 'codex ended without a word.' })
  })

  it('of nothing but logs tells nothing', () => {
    expect(
      failureOnStderr('2026-11-30T09:18:19.884692Z ERROR codex_core: stream disconnected\n'),
    ).toBeUndefined()
    expect(failureOnStderr('')).toBeUndefined()
  })
})
