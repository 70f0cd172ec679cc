import { describe, expect, test } from 'vitest'
import { cursorStreamJson } from '../../../src/adapters/cursor-cli/stream-json.ts'
import {
  completed,
  completionOf,
  eventsOf,
  flush,
  fragment,
  init,
  lastFlush,
  noticeCodes,
  result,
  shell,
  shellDone,
  started,
  textStory,
  thinking,
} from './turn.ts'

test('a result that is told twice says its text once', async () => {
  const once = result('AB', { usage: { inputTokens: 10, outputTokens: 2 } })
  const events = await eventsOf([init, fragment('A'), fragment('B'), lastFlush('AB'), once, once])
  expect(textStory(events)).toEqual(['delta A', 'delta B', 'completed AB'])
  expect(completionOf(events)).toMatchObject({
    status: 'success',
    usage: { inputTokens: 10, outputTokens: 2 },
  })
})

test('a message that is a text alone is said, too', async () => {
  const { message: _, ...more } = lastFlush('')
  const events = await eventsOf([
    init,
    { ...more, message: { role: 'assistant', content: 'Aye.' } },
    result(''),
  ])
  expect(textStory(events)).toEqual(['block Aye.', 'completed Aye.'])
})

test('a result without a subtype is no success, and says what it lacks', async () => {
  const { subtype: _, result: __, ...bare } = result('')
  expect(completionOf(await eventsOf([init, bare]))).toMatchObject({
    status: 'error',
    error: { code: 'unknown', message: 'The CLI ended the turn with a result without a subtype.' },
  })
})

describe('the result', () => {
  test('with text that no segment said gives a message', async () => {
    const events = await eventsOf([init, result('Only here.')])
    expect(textStory(events)).toEqual(['block Only here.', 'completed Only here.'])
    expect(completionOf(events)).toMatchObject({ status: 'success', text: 'Only here.' })
  })

  test('with a tail that no segment said gives the tail', async () => {
    const events = await eventsOf([init, fragment('A'), flush('A'), started('c1', shell), result('AB')])
    expect(completionOf(events).text).toBe('B')
  })

  test('that only says the last segment is no contradiction', async () => {
    const events = await eventsOf([
      init,
      flush('First.'),
      started('c1', shell),
      completed('c1', shellDone),
      lastFlush('Last.'),
      result('Last.'),
    ])
    expect(completionOf(events).text).toBe('Last.')
    expect(noticeCodes(events)).toEqual([])
  })

  test('that contradicts what was streamed is a notice, never a second answer', async () => {
    const events = await eventsOf([init, lastFlush('A'), result('something else')])
    expect(completionOf(events).text).toBe('A')
    expect(noticeCodes(events)).toEqual(['text_mismatch'])
  })

  test('that says error is a failure whose text is no message', async () => {
    const events = await eventsOf([
      init,
      result("You've hit your usage limit", { subtype: 'error', is_error: true }),
    ])
    expect(textStory(events)).toEqual([])
    expect(completionOf(events)).toMatchObject({
      status: 'error',
      text: '',
      error: { code: 'usage_limit', message: "You've hit your usage limit", retryable: true },
      evidence: { by: 'record', detail: 'result error' },
    })
  })

  test('is_error alone makes a failure of a success', async () => {
    expect(completionOf(await eventsOf([init, result('odd', { is_error: true })])).error?.code).toBe(
      'unknown',
    )
  })

  test('good, then exit 1: success with a notice', async () => {
    const events = await eventsOf([init, lastFlush('A'), result('A')], { exitCode: 1, signal: null })
    expect(completionOf(events).status).toBe('success')
    expect(noticeCodes(events)).toEqual(['exit_after_success'])
  })
})

describe('usage', () => {
  const usage = (fields: object) => result('ok', { usage: fields })
  test.each<[string, object, object | undefined]>([
    [
      'inputTokens holds neither what was read from nor written to the cache',
      usage({ inputTokens: 100, outputTokens: 7, cacheReadTokens: 40, cacheWriteTokens: 2 }),
      { basis: 'turn', inputTokens: 142, cachedInputTokens: 40, cacheWriteTokens: 2, outputTokens: 7 },
    ],
    ['what is absent stays absent', usage({ outputTokens: 7 }), { basis: 'turn', outputTokens: 7 }],
    ['none at all on old builds', result('ok'), undefined],
  ])('%s', async (_, record, expected) => {
    expect(completionOf(await eventsOf([init, lastFlush('ok'), record])).usage).toEqual(expected)
  })
})

test('thinking has a run of its own for each stretch', async () => {
  const done = { type: 'thinking', subtype: 'completed', session_id: 's1', timestamp_ms: 2 }
  const events = await eventsOf([init, thinking('a'), thinking('b'), done, thinking('c'), done, result('')])
  expect(
    events.flatMap((event) =>
      event.type === 'thinking' ? [[event.messageId, event.text, event.contentDelta]] : [],
    ),
  ).toEqual([
    ['thinking-1', 'a', true],
    ['thinking-1', 'b', true],
    ['thinking-2', 'c', true],
  ])
})

describe('the session', () => {
  const resume = '0f0e0d0c-0b0a-4908-8706-050403020100'
  const own = { ...init, session_id: resume }

  test('is said at once, with what init says', async () => {
    const [event] = await eventsOf([init])
    expect(event).toMatchObject({ type: 'session', sessionId: 's1', model: 'Auto', cwd: '/w', origin: 'new' })
  })

  test('is said by the first record that names it where init is missing', async () => {
    const [event] = await eventsOf([fragment('A')])
    expect(event).toMatchObject({ type: 'session', sessionId: 's1' })
  })

  test('its id proves no history: new and unverified until the runner has looked', async () => {
    const events = await eventsOf([own, result('')], undefined, { resume })
    expect(events[0]).toMatchObject({ sessionId: resume, origin: 'new' })
    expect(noticeCodes(events)).toContain('resume_unverified')
  })

  test('is resumed where the runner saw the conversation', () => {
    const wire = cursorStreamJson()
    wire.start({
      transport: 'structured',
      options: { resume, conversationFound: true },
      cliVersion: '2026.09.15',
    })
    expect(wire.receive(own).events).toEqual([
      {
        type: 'session',
        sessionId: resume,
        transport: 'structured',
        model: 'Auto',
        cwd: '/w',
        cliVersion: '2026.09.15',
        origin: 'resumed',
      },
    ])
  })

  test('another id than asked for is resume_rejected, whatever the result says', async () => {
    const events = await eventsOf([init, lastFlush('Hello.'), result('Hello.')], undefined, { resume })
    expect(completionOf(events)).toMatchObject({
      status: 'error',
      text: 'Hello.',
      error: { code: 'resume_rejected', retryable: false },
    })
  })
})

describe('what this version does not know is counted, never fatal', () => {
  test.each([
    [{ type: 'aurora', session_id: 's1' }],
    [{ type: 'system', subtype: 'aurora', session_id: 's1' }],
    [{ type: 'thinking', subtype: 'aurora', session_id: 's1' }],
    [{ type: 'tool_call', subtype: 'aurora', call_id: 'c', tool_call: shell, session_id: 's1' }],
    [{ type: 'tool_call', subtype: 'started', call_id: 'c', tool_call: {}, session_id: 's1' }],
    [{ type: 'tool_call', subtype: 'started', session_id: 's1' }],
    [{ type: 'connection', subtype: 'aurora', session_id: 's1' }],
    [{ type: 'interaction_query', subtype: 'aurora', query_type: 'x', session_id: 's1' }],
    [{ type: 'assistant', message: { role: 'assistant' }, session_id: 's1' }],
    [{ session_id: 's1' }],
  ])('%j', async (record) => {
    const events = await eventsOf([init, record, lastFlush('ok'), result('ok')])
    expect(completionOf(events)).toMatchObject({ status: 'success', text: 'ok', ledger: { unknown: 1 } })
  })

  test('fields of the wrong type count as absent', async () => {
    const events = await eventsOf([
      init,
      { type: 'assistant', message: 7, session_id: 's1' },
      { type: 'assistant', message: { content: [null, 7, { text: 7 }] }, session_id: 's1' },
      { type: 'thinking', subtype: 'delta', text: 7, session_id: 's1' },
      { type: 'tool_call', subtype: 'completed', call_id: 7, tool_call: { xToolCall: 7 }, session_id: 's1' },
      result('ok', { usage: 'none', result: 'ok' }),
    ])
    expect(completionOf(events)).toMatchObject({ status: 'success', text: 'ok' })
  })
})

test('a 3 MB tool output is one output, whole', async () => {
  const stdout = 'all the same\n'.repeat(250_000)
  const done = { shellToolCall: { args: { command: 'yes' }, result: { success: { stdout, exitCode: 0 } } } }
  const events = await eventsOf([
    init,
    started('c1', shell),
    completed('c1', done),
    lastFlush('ok'),
    result('ok'),
  ])
  const end = events.find((event) => event.type === 'tool' && event.phase === 'end')
  expect(end?.type === 'tool' && end.phase === 'end' && end.output).toBe(stdout)
})
