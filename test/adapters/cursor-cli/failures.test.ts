import { describe, expect, test } from 'vitest'
import { completionOf, eventsOf, fragment, init, lastFlush, reconnecting, result, retry } from './turn.ts'

const exit = (stderr: string, exitCode: number | null = 1, signal: string | null = null) => ({
  exitCode,
  signal,
  stderr,
})

describe('the last words on stderr tell why there is no result', () => {
  test.each<[string, string]>([
    [
      "Error: Authentication required. Please run 'agent login' first, or set CURSOR_API_KEY environment variable.",
      'auth',
    ],
    ['\u001b[33m\u26a0 Warning: The provided API key is invalid.\u001b[39m\n', 'auth'],
    ['Cannot use this model: x. Available models: auto, y', 'model_not_found'],
    ['ActionRequiredError: ... Model name is not valid: "x"', 'model_not_found'],
    ['AI Model Not Found', 'model_not_found'],
    ["ActionRequiredError: You've hit your usage limit for this month.", 'usage_limit'],
    ['RetriableError: [resource_exhausted] Error', 'rate_limit'],
    ["RetriableError: [resource_exhausted] You've hit your usage limit", 'usage_limit'],
    ['RetriableError: [unavailable] Error', 'overloaded'],
    ['Error: T: [deadline_exceeded] the operation timed out', 'network'],
    ['Error: T: [canceled] http/2 stream closed', 'network'],
    ["RetriableError: [invalid_argument] unknown field 'x'", 'invalid_request'],
    ['ConnectError: [unauthenticated] Error', 'auth'],
    ['ActionRequiredError: Something about your plan', 'invalid_request'],
    [
      '\u26a0 Workspace Trust Required\n\nPass --trust, --yolo, or -f if you trust this directory',
      'invalid_options',
    ],
    [
      'Failed to claim persistent session for chat "x": Persistent-session chat ID must be a UUID',
      'resume_rejected',
    ],
    ["error: unknown option '--trust'", 'unsupported_version'],
    ["RetriableError: [invalid_argument] unknown option '--system-prompt'", 'invalid_request'],
    [
      'Sandbox mode is enabled but not available on this system. Sandbox requires macOS or Linux',
      'unsupported',
    ],
    [
      "Error: ENOENT: no such file or directory, rename '/h/cli-config.json.tmp' -> '/h/cli-config.json'",
      'crashed',
    ],
    ['Aborting operation...', 'crashed'],
    ['something nobody has seen', 'crashed'],
  ])('%j: %s', async (stderr, code) => {
    const completion = completionOf(await eventsOf([init], exit(stderr)))
    expect([completion.status, completion.error?.code]).toEqual(['error', code])
    expect(completion.evidence).toEqual({ by: 'exit', detail: 'exit 1 without a terminal record' })
  })

  test('in one line, without colours, and with what to do', async () => {
    const { error } = completionOf(
      await eventsOf([], exit('\u001b[33m\u26a0 Warning: The provided API key is invalid.\u001b[39m\n\n')),
    )
    expect(error).toEqual({
      code: 'auth',
      message: '\u26a0 Warning: The provided API key is invalid.',
      retryable: false,
      hint: 'Sign in with `cursor-agent login`, or pass CURSOR_API_KEY.',
    })
  })

  test('a refusal that exits with 0 is an error all the same', async () => {
    const { status, error } = completionOf(await eventsOf([], exit('\u26a0 Workspace Trust Required', 0)))
    expect([status, error?.code]).toEqual(['error', 'invalid_options'])
  })

  test('records that 2026.01.28 prints there once more are not mistaken for words', async () => {
    const mirrored = JSON.stringify(fragment('rate limit and quota exceeded'))
    const { error } = completionOf(
      await eventsOf([init], exit(`${mirrored}\nError: T: [unavailable] Error\n${mirrored}\n`)),
    )
    expect([error?.code, error?.message]).toEqual(['overloaded', 'Error: T: [unavailable] Error'])
  })

  test('they change nothing where there is a good result', async () => {
    const events = await eventsOf(
      [init, lastFlush('ok'), result('ok')],
      exit('RetriableError: [unavailable] Error', 0),
    )
    expect(completionOf(events).status).toBe('success')
  })

  test('they never explain a kill', async () => {
    const { error, evidence } = completionOf(await eventsOf([init], exit('rate limit', null, 'SIGKILL')))
    expect([error?.code, evidence]).toEqual(['crashed', { by: 'signal', detail: 'SIGKILL' }])
  })
})

describe('without a word on stderr', () => {
  test('plain text on stdout tells (old builds)', async () => {
    const { error, ledger } = completionOf(await eventsOf([init, 'S: [resource_exhausted] Error'], exit('')))
    expect([error?.code, error?.message, ledger.invalid]).toEqual([
      'rate_limit',
      'S: [resource_exhausted] Error',
      1,
    ])
  })

  test('plain text that is no known failure stays noise', async () => {
    const { status, text } = completionOf(await eventsOf([init, 'Loading...', lastFlush('ok'), result('ok')]))
    expect([status, text]).toEqual(['success', 'ok'])
  })

  test('a lost connection tells', async () => {
    const { error } = completionOf(await eventsOf([init, reconnecting, retry(false)], exit('')))
    expect([error?.code, error?.retryable]).toEqual(['network', true])
  })

  test('a connection that came back does not', async () => {
    const { error } = completionOf(await eventsOf([init, reconnecting, fragment('A')], exit('')))
    expect(error?.code).toBe('crashed')
  })

  test('exit 0 without a result is never a success, and what was said is kept', async () => {
    const completion = completionOf(await eventsOf([init, lastFlush('half')]))
    expect(completion).toMatchObject({ status: 'error', text: 'half', error: { code: 'protocol' } })
  })
})
