import { describe, expect, test } from 'vitest'
import { claudeCode } from '../../../src/adapters/claude-code.ts'
import { launchContext, launchOptions } from './launching.ts'
import {
  assistant,
  call,
  completionOf,
  cut,
  eventsOf,
  failed,
  init,
  lastUsage,
  messageDelta,
  messageStart,
  messageStop,
  noticesOf,
  result,
  said,
  stream,
  system,
  text,
  toolResult,
  toolUse,
} from './turn.ts'

describe('faults from the field: asking, MCP, conversations', () => {
  test('M08: a session of another cwd is rejected with what to do; the cwd stands beside the session id', async () => {
    const stderr = 'No conversation found with session ID: 22222222-2222-4222-8222-222222222222\n'
    const resume = { resume: '22222222-2222-4222-8222-222222222222' }
    const lost = await eventsOf([], resume, { exitCode: 1, signal: null, stderr })
    expect(completionOf(lost).error).toMatchObject({
      code: 'resume_rejected',
      hint: 'claude finds a conversation only from the cwd and the `conversations` that it began with.',
    })
    const [first] = await eventsOf([{ ...init, cwd: '/work/a' }, result('Aye.')])
    expect(first).toMatchObject({ type: 'session', sessionId: init.session_id, cwd: '/work/a' })
  })

  test('N01: a rate_limit_event of every session is a note', async () => {
    const info = {
      status: 'allowed',
      resetsAt: 1_771_606_800,
      rateLimitType: 'five_hour',
      isUsingOverage: false,
    }
    const events = await eventsOf([{ type: 'rate_limit_event', rate_limit_info: info }, result('ok')])
    expect(completionOf(events).status).toBe('success')
    expect(events).toContainEqual(
      expect.objectContaining({
        code: 'rate_limit',
        level: 'info',
        details: expect.objectContaining({ resetsAt: 1_771_606_800_000 }),
      }),
    )
  })

  test('N04: records with nearly every field missing still give the answer', async () => {
    const events = await eventsOf([
      { type: 'assistant', message: { content: [text('Hello!')] } },
      { type: 'result', result: '', is_error: false },
    ])
    expect(completionOf(events)).toMatchObject({ status: 'success', text: 'Hello!' })
  })

  test('N05: a result whose first key is another is a result', async () => {
    const events = await eventsOf([
      '{"duration_api_ms":0,"stop_reason":"end_turn","session_id":"s1","is_error":false,"subtype":"success","result":"ok","type":"result"}',
    ])
    expect(completionOf(events)).toMatchObject({ status: 'success', text: 'ok', sessionId: 's1' })
  })

  test('O01: one message in several records counts once, and the result counts', async () => {
    const usage = {
      input_tokens: 4,
      cache_creation_input_tokens: 100,
      cache_read_input_tokens: 0,
      output_tokens: 1,
    }
    const part = (block: object) => {
      const record = assistant('m1', [block])
      return { ...record, message: { ...record.message, usage } }
    }
    const parts = [part({ type: 'thinking', thinking: 't' }), part(toolUse('t1', 'Glob', { pattern: '*' }))]
    expect(lastUsage(await eventsOf(parts))).toMatchObject({ inputTokens: 104, outputTokens: 1 })
    const whole = await eventsOf([...parts, result('', { usage: { ...usage, output_tokens: 60 } })])
    expect(completionOf(whole).usage).toMatchObject({
      inputTokens: 104,
      cacheWriteTokens: 100,
      outputTokens: 60,
    })
  })

  test('O02: message_delta repeats the counts of message_start', async () => {
    const counts = { input_tokens: 27, cache_read_input_tokens: 5 }
    const events = await eventsOf([
      messageStart('m1', { ...counts, output_tokens: 1 }),
      messageDelta('end_turn', { ...counts, output_tokens: 47 }),
    ])
    expect(lastUsage(events)).toMatchObject({ inputTokens: 32, cachedInputTokens: 5, outputTokens: 47 })
  })

  test('O05: a cost of 0 is 0, an absent one absent', async () => {
    expect(completionOf(await eventsOf([result('ok', { total_cost_usd: 0 })])).costUsd).toBe(0)
    expect(completionOf(await eventsOf([result('ok')]))).not.toHaveProperty('costUsd')
  })

  test('P01: a compaction is a note, and its summary neither text nor tool', async () => {
    const events = await eventsOf([
      system('compact_boundary', { compact_metadata: { trigger: 'auto', pre_tokens: 967_872 } }),
      {
        type: 'user',
        message: { role: 'user', content: 'This session is being continued…' },
        isSynthetic: true,
      },
      ...said('m1', 'Aye.'),
      result('Aye.'),
    ])
    expect(events.map((event) => event.type)).toEqual([
      'notice',
      'usage',
      'delta',
      'message',
      'session',
      'completion',
    ])
    expect(completionOf(events).text).toBe('Aye.')
  })
})

describe('faults from the field: the launch', () => {
  const launch = claudeCode.structured.launch

  test.each(['- [ ] a task', '--- front matter', 'a'.repeat(200_000)])(
    'L01, L05: a prompt goes by stdin: %#',
    (prompt) => {
      const { arguments: words, stdin } = launch(
        launchOptions({ prompt: [{ type: 'text', text: prompt }] }),
        launchContext(),
      )
      expect(stdin).toBe(prompt)
      expect(words).not.toContain(prompt)
    },
  )

  test('L11: stream-json never comes without --verbose', () => {
    expect(launch(launchOptions(), launchContext()).arguments).toContain('--verbose')
  })

  test('L14: there is no --cwd', () => {
    expect(launch(launchOptions(), launchContext()).arguments).not.toContain('--cwd')
  })

  test('K13: the home is moved by its own variable, never by HOME', () => {
    expect(claudeCode.home.variable).toBe('CLAUDE_CONFIG_DIR')
    expect(launch(launchOptions(), launchContext()).environment).not.toHaveProperty('HOME')
  })
})

test('a stream event that is new is said, and the turn goes on', async () => {
  const events = await eventsOf([
    stream({ type: 'semaphore' }),
    ...cut('m1', 'Ay'),
    messageStop,
    result('Ay'),
  ])
  expect(noticesOf(events)).toEqual(['unknown_record'])
  expect(completionOf(events)).toMatchObject({ status: 'success', text: 'Ay' })
})

test('a word that every object inherits is no entry of a table', async () => {
  const story = [init, call('t', 'constructor'), toolResult('t', 'ok')]
  const events = await eventsOf([
    ...story,
    failed('Oh.', { terminal_reason: 'constructor', subtype: 'toString' }),
  ])
  expect(events.find((event) => event.type === 'tool')).toMatchObject({ name: 'constructor', kind: 'other' })
  expect(completionOf(events)).toMatchObject({ status: 'error', error: { code: 'unknown' } })
})
