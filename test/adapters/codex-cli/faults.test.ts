import { describe, expect, it } from 'vitest'
import { codexCli } from '../../../src/adapters/codex-cli.ts'
import type { LaunchOptions } from '../../../src/adapters/launch-options.ts'
import { plainLaunch } from '../launching.ts'
import {
  completed,
  errs,
  failed,
  play,
  says,
  started,
  thread,
  threadId,
  turnCompleted,
  turnStarted,
} from './records.ts'

/** What people reported of `codex exec` and its wrappers, each with an input of its own. */

function launch(options: Partial<LaunchOptions> = {}) {
  const home = options.home === 'user' ? undefined : '/h'
  return codexCli.structured.launch(
    { ...plainLaunch, ...options },
    { version: '0.171.0', home, directory: home ?? '/t', platform: 'linux', isRoot: false },
  )
}

function notices(said: readonly string[]): string[] {
  return said.filter((line) => line.startsWith('notice')).map((line) => line.split(':')[0] ?? '')
}

describe('framing', () => {
  it('A05: raw U+2028 and U+2029 in an output are characters, not ends of lines', () => {
    const text = 'left\u2028mid\u2029right'
    const item = { id: 's', type: 'command_execution', command: 'cat', aggregated_output: text, exit_code: 0 }
    const line = JSON.stringify(completed(item))
      .replaceAll('\\u2028', '\u2028')
      .replaceAll('\\u2029', '\u2029')
    expect(line).toContain('\u2028')
    const { said, completion } = play([thread, line, says('Read.'), turnCompleted])
    expect(said).toContain(`tool s shell execute end completed exit 0 ${JSON.stringify(text)}`)
    expect(completion).toMatchObject({ status: 'success', ledger: { invalid: 0, records: 4 } })
  })

  it('A22: CRLF and empty lines say nothing', () => {
    const lines = [thread, turnStarted, says('Hi.'), turnCompleted].map(
      (record) => `${JSON.stringify(record)}\r\n\r`,
    )
    const { completion, said } = play(lines)
    expect(completion).toMatchObject({ status: 'success', text: 'Hi.', ledger: { invalid: 0 } })
    expect(notices(said)).toEqual([])
  })

  it('A23: an update notice between the records is counted, and the records are used', () => {
    const { completion, said } = play([
      'A new version of codex is there.',
      thread,
      says('Hi.'),
      turnCompleted,
      'Bye!',
    ])
    expect(completion).toMatchObject({ status: 'success', text: 'Hi.', ledger: { invalid: 2 } })
    expect(notices(said)).toEqual(['notice warning line_invalid', 'notice warning line_invalid'])
  })
})

describe('the end', () => {
  it('B14: a codex that stays after turn.completed has said its last word', () => {
    const turn = play([thread, turnStarted, says('Done.'), turnCompleted], {
      exit: { exitCode: null, signal: 'SIGINT' },
    })
    expect(turn.ended).toBe(true)
    expect(turn.completion).toMatchObject({ status: 'success', text: 'Done.' })
  })

  it('B17: turn.failed after a part of the answer is an error that keeps the part, also with exit 0', () => {
    const { completion, said } = play([
      thread,
      turnStarted,
      says('Some.'),
      failed('Selected model is at capacity'),
    ])
    expect(completion).toMatchObject({
      status: 'error',
      text: 'Some.',
      error: { code: 'overloaded', message: 'Selected model is at capacity', retryable: true },
    })
    expect(said).toContain('message message-1 completed Some.')
  })

  it('B18: turn.completed is enough: nothing like session.completed ever comes', () => {
    expect(play([thread, turnStarted, says('OK.'), turnCompleted]).completion).toMatchObject({
      status: 'success',
      text: 'OK.',
    })
  })

  it('C12: a failure before the first record is an error with what stderr says', () => {
    const stderr =
      '\u001b[1mNot inside a trusted directory\u001b[0m and --skip-git-repo-check was not specified.\n'
    expect(play([], { exit: { exitCode: 1, stderr } }).completion).toMatchObject({
      status: 'error',
      exitCode: 1,
      error: {
        code: 'invalid_options',
        message: 'Not inside a trusted directory and --skip-git-repo-check was not specified.',
      },
    })
    expect(launch().arguments).toContain('--skip-git-repo-check')
  })
})

describe('errors that are none', () => {
  it('C15: an offline codex that never gives up warns each time, and the turn stays open', () => {
    const turn = play([
      errs('Reconnecting... 5/5 (stream disconnected before completion: Connection refused (os error 111))'),
      completed({ id: 'e', type: 'error', message: 'Falling back from WebSockets to HTTPS transport.' }),
      errs('Reconnecting... waiting for network (Connection failed: error sending request)'),
    ])
    expect(turn.ended).toBe(false)
    expect(notices(turn.said)).toEqual([
      'notice warning retry',
      'notice warning cli_warning',
      'notice warning retry',
    ])
    expect(turn.completion.error).toMatchObject({ code: 'network', retryable: true })
  })

  it('I03: an MCP server that did not start is a warning, and the turn a success', () => {
    const { completion, said } = play([
      thread,
      errs('MCP client for `ide` failed to start: handshaking with MCP server failed: connection closed'),
      turnStarted,
      says('Hi.'),
      turnCompleted,
    ])
    expect(completion).toMatchObject({ status: 'success', text: 'Hi.' })
    expect(notices(said)).toEqual(['notice warning cli_error'])
  })

  it('Q01: reconnecting is progress', () => {
    const { completion, said } = play([
      thread,
      turnStarted,
      errs('Reconnecting... 2/5 (timeout waiting for child process to exit)'),
      errs('Reconnecting... 3/5 (stream disconnected before completion)'),
      says('OK.'),
      turnCompleted,
    ])
    expect(completion).toMatchObject({ status: 'success', text: 'OK.' })
    expect(notices(said)).toEqual(['notice warning retry', 'notice warning retry'])
  })

  it('Q02: no error record is the end by itself; it is the error when nothing else ends the turn', () => {
    const turn = play([thread, errs('words that nobody knows'), says('OK.'), turnCompleted])
    expect(turn.completion.status).toBe('success')
    const cut = play([thread, errs('words that nobody knows'), says('OK.')])
    expect(cut.ended).toBe(false)
    expect(cut.completion).toMatchObject({ status: 'error', error: { message: 'words that nobody knows' } })
  })

  it('Q03: reconnects that run out are one network error that may be tried again', () => {
    const why = 'stream disconnected before completion: stream closed before response.completed'
    const { completion } = play([thread, errs(`Reconnecting... 5/5 (${why})`), failed(why)], {
      exit: { exitCode: 1 },
    })
    expect(completion.error).toMatchObject({ code: 'network', message: why, retryable: true })
  })

  it('Q04: an error item is a notice', () => {
    const { completion, said } = play([
      thread,
      completed({ id: 'e', type: 'error', message: 'Model metadata for `m` not found.' }),
      turnStarted,
      says('OK.'),
      turnCompleted,
    ])
    expect(completion).toMatchObject({ status: 'success', text: 'OK.' })
    expect(said[1]).toBe('notice warning cli_warning: Model metadata for `m` not found.')
  })
})

describe('items', () => {
  it.each([
    ['file_change', { changes: [{ path: '/w/b', kind: 'update' }], status: 'completed' }, 'apply_patch edit'],
    ['web_search', { query: 'q' }, 'web_search search'],
    ['command_execution', { command: 'ls', exit_code: 0, status: 'completed' }, 'shell execute'],
    ['mcp_tool_call', { server: 's', tool: 't', status: 'completed' }, 't other'],
  ])('E12: %s that comes only as item.completed has a start and an end', (type, fields, name) => {
    const phases = play([thread, completed({ id: 'i', type, ...fields }), turnCompleted]).said.filter(
      (line) => line.startsWith(`tool i ${name} `),
    )
    expect(phases[0]).toContain(`${name} start`)
    expect(phases.at(-1)).toContain(`${name} end completed`)
  })

  it('E13: the first builds said session.created, item_type and assistant_message', () => {
    const { said, completion } = play([
      { type: 'session.created', session_id: threadId },
      { type: 'item.completed', item: { id: 'i', item_type: 'assistant_message', text: 'hello' } },
      turnCompleted,
    ])
    expect(said[0]).toBe(`session ${threadId} new`)
    expect(completion).toMatchObject({ status: 'success', text: 'hello', ledger: { unknown: 0 } })
  })

  it('M06: the session is the thread, whatever other ids come by', () => {
    const { completion } = play([
      thread,
      says('x', 'exec'),
      started({ id: 'session', type: 'web_search' }),
      turnCompleted,
    ])
    expect(completion.sessionId).toBe(threadId)
  })

  it('O04: input tokens include the cached ones, which are counted apart', () => {
    const usage = {
      input_tokens: 900,
      cached_input_tokens: 700,
      output_tokens: 11,
      reasoning_output_tokens: 6,
    }
    expect(play([thread, { type: 'turn.completed', usage }]).completion.usage).toEqual({
      basis: 'turn',
      inputTokens: 900,
      cachedInputTokens: 700,
      outputTokens: 11,
      reasoningTokens: 6,
    })
  })

  it('O05: a cost that codex does not say is absent', () => {
    expect(play([thread, says('x'), turnCompleted]).completion).not.toHaveProperty('costUsd')
  })
})

describe('launches', () => {
  it('J01, L05: the prompt is on stdin, which is then closed; `-` says so', () => {
    const { arguments: argv, stdin } = launch({ prompt: [{ type: 'text', text: '--- title\n- [ ] task' }] })
    expect(argv.at(-1)).toBe('-')
    expect(argv.join(' ')).not.toContain('title')
    expect(stdin).toBe('--- title\n- [ ] task')
  })

  it('L02: the size of argv does not grow with the prompt or the system prompt', () => {
    const { arguments: argv } = launch({
      prompt: [{ type: 'text', text: 'a'.repeat(3_000_000) }],
      systemPrompt: { append: 'b'.repeat(300_000), replace: 'c'.repeat(300_000) },
    })
    expect(argv).toEqual(['exec', '--json', '--skip-git-repo-check', '-'])
  })

  it('K07: auth.json is linked whole, never composed', () => {
    expect(codexCli.home.signIn).toEqual(['auth.json'])
    expect(launch().files.map((file) => file.path)).toEqual(['config.toml'])
  })

  it("K10, K11: a private home names none of the user's servers; the user's own home is the way to have them", () => {
    expect(launch().files[0]?.content).not.toContain('mcp_servers')
    const own = launch({ home: 'user' })
    expect(own.files).toEqual([])
    expect(own.arguments.join(' ')).not.toContain('mcp_servers')
  })

  it('K19, K20: the one variable of a key that signs codex in is CODEX_API_KEY; OPENAI_API_KEY is never passed off as it', () => {
    const keys = codexCli.credentials.filter(({ billing }) => billing === 'api')
    expect(keys.map(({ name, variables }) => [name, variables])).toEqual([['api-key', ['CODEX_API_KEY']]])
    expect(codexCli.capabilities.limits).toContain(
      'Where CODEX_API_KEY and a ChatGPT sign-in are both there, codex takes the key.',
    )
    expect(Object.keys(launch({ endpoint: { url: 'http://h/v1' } }).environment)).toEqual([
      'COXSWAIN_ENDPOINT_KEY',
    ])
  })

  it('M05: resuming what was never kept is resume_rejected', () => {
    const stderr =
      'Error: thread/resume: thread/resume failed: no rollout found for thread id 2 (code -32600)\n'
    expect(
      play([], { options: { resume: threadId }, exit: { exitCode: 1, stderr } }).completion,
    ).toMatchObject({
      status: 'error',
      error: { code: 'resume_rejected', retryable: false },
    })
  })
})
