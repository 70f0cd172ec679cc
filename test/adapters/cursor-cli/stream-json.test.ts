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
  reconnected,
  reconnecting,
  result,
  retry,
  started,
  textStory,
  thinking,
} from './turn.ts'

const shell = { shellToolCall: { args: { command: 'ls' } } }
const shellDone = {
  shellToolCall: { args: { command: 'ls' }, result: { success: { stdout: 'x', exitCode: 0 } } },
}
const query = {
  type: 'interaction_query',
  subtype: 'request',
  query_type: 'webSearchRequestQuery',
  query: { id: 0, webSearchRequestQuery: { args: { searchTerm: 'tide', toolCallId: 'c9' } } },
  session_id: 's1',
  timestamp_ms: 1,
}
const approved = {
  ...query,
  subtype: 'response',
  query: undefined,
  response: { id: 0, webSearchRequestResponse: { approved: {} } },
}

test('a result that is told twice says its text once', async () => {
  const once = result('AB', { usage: { inputTokens: 10, outputTokens: 2 } })
  const events = await eventsOf([init, fragment('A'), fragment('B'), lastFlush('AB'), once, once])
  expect(textStory(events)).toEqual(['delta A', 'delta B', 'completed AB'])
  expect(completionOf(events)).toMatchObject({
    status: 'success',
    usage: { inputTokens: 10, outputTokens: 2 },
  })
})

test('a result without a subtype is no success, and says what it lacks', async () => {
  const { subtype: _, result: __, ...bare } = result('')
  expect(completionOf(await eventsOf([init, bare]))).toMatchObject({
    status: 'error',
    error: { code: 'unknown', message: 'The CLI ended the turn with a result without a subtype.' },
  })
})

describe('a flush says again what was streamed, and is told apart', () => {
  const rows: [string, object[], string[]][] = [
    [
      'by model_call_id, before a tool call',
      [fragment('Check'), fragment('ing.'), flush('Checking.'), started('c1', shell)],
      ['delta Check', 'delta ing.', 'completed Checking.'],
    ],
    [
      'by a missing timestamp, at the end',
      [fragment('A'), fragment('B'), lastFlush('AB'), result('AB')],
      ['delta A', 'delta B', 'completed AB'],
    ],
    [
      'by what follows, before a query: fields as of a fragment',
      [fragment('I '), fragment('search.'), fragment('I search.'), query, approved],
      ['delta I ', 'delta search.', 'completed I search.'],
    ],
    [
      'by what follows, before a tool call, too',
      [fragment('one'), fragment('one'), started('c1', shell)],
      ['delta one', 'completed one'],
    ],
    [
      'without partial output it is all there is',
      [
        flush('First.'),
        started('c1', shell),
        completed('c1', shellDone),
        lastFlush('Last.'),
        result('First.Last.'),
      ],
      ['block First.', 'completed First.', 'block Last.', 'completed Last.'],
    ],
    [
      'without partial output before a query it looks like a fragment, and is kept',
      [fragment('I search.'), query, approved, lastFlush('Found.'), result('I search.Found.')],
      ['delta I search.', 'completed I search.', 'block Found.', 'completed Found.'],
    ],
    [
      'equal neighbours are an answer',
      [fragment('ha'), fragment('ha'), lastFlush('haha'), result('haha')],
      ['delta ha', 'delta ha', 'completed haha'],
    ],
    [
      'equal neighbours with thinking after them are an answer',
      [fragment('ha'), fragment('ha'), thinking('hm'), fragment('!'), lastFlush('haha!'), result('haha!')],
      ['delta ha', 'delta ha', 'delta !', 'completed haha!'],
    ],
    [
      'three equal ones are an answer, too',
      [fragment('ha'), fragment('ha'), fragment('ha'), lastFlush('hahaha'), result('hahaha')],
      ['delta ha', 'delta ha', 'delta ha', 'completed hahaha'],
    ],
    [
      'both kinds of flush for one segment',
      [fragment('ha'), fragment('ha'), flush('ha'), started('c1', shell)],
      ['delta ha', 'completed ha'],
    ],
    [
      'a flush that says more than was streamed adds the rest',
      [fragment('A'), lastFlush('AB'), result('AB')],
      ['delta A', 'delta B', 'completed AB'],
    ],
    [
      'a flush that contradicts replaces',
      [fragment('wrong'), lastFlush('right'), result('right')],
      ['delta wrong', 'retracted wrong', 'block right', 'completed right'],
    ],
    [
      'a last flush of a segment that is over says nothing new',
      [
        fragment('A'),
        flush('A'),
        started('c1', shell),
        completed('c1', shellDone),
        lastFlush('A'),
        result('A'),
      ],
      ['delta A', 'completed A'],
    ],
    [
      'the same words in two segments are said twice',
      [
        flush('Again.'),
        started('c1', shell),
        completed('c1', shellDone),
        flush('Again.'),
        started('c2', shell),
        completed('c2', shellDone),
        result('Again.Again.'),
      ],
      ['block Again.', 'completed Again.', 'block Again.', 'completed Again.'],
    ],
    [
      'an end of a call in mid-text does not break the text',
      [
        started('c1', shell),
        fragment('A '),
        completed('c1', shellDone),
        fragment('B'),
        lastFlush('A B'),
        result('A B'),
      ],
      ['delta A ', 'delta B', 'completed A B'],
    ],
    [
      'a tool call without any flush ends the segment',
      [fragment('A'), started('c1', shell), completed('c1', shellDone), fragment('B'), result('AB')],
      ['delta A', 'completed A', 'delta B', 'completed B'],
    ],
  ]
  test.each(rows)('%s', async (_, records, story) => {
    expect(
      textStory(await eventsOf([init, ...records])).filter((line) => !line.startsWith('interrupted')),
    ).toEqual(story)
  })

  test('several content blocks are one text', async () => {
    const record = {
      ...lastFlush(''),
      message: {
        role: 'assistant',
        content: [
          { type: 'text', text: 'A' },
          { type: 'text', text: 'B' },
        ],
      },
    }
    expect(textStory(await eventsOf([init, record, result('AB')]))).toEqual(['block AB', 'completed AB'])
  })

  test('a repeat that the stream was cut after is a fragment', async () => {
    expect(textStory(await eventsOf([init, fragment('ha'), fragment('ha')]))).toEqual([
      'delta ha',
      'delta ha',
      'interrupted haha',
    ])
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

describe('a retry', () => {
  const lost = [reconnecting, retry(true), reconnected]
  const rows: [string, object[], string[], string][] = [
    [
      'text cut by it and said again: the cut part is retracted as the new one begins',
      [
        fragment('The tide'),
        ...lost,
        fragment('The'),
        fragment(' tide'),
        fragment(' turns.'),
        lastFlush('The tide turns.'),
        result('The tide turns.'),
      ],
      [
        'delta The tide',
        'retracted The tide',
        'delta The',
        'delta  tide',
        'delta  turns.',
        'completed The tide turns.',
      ],
      'The tide turns.',
    ],
    [
      'text cut by it and said otherwise',
      [fragment('Let me'), ...lost, fragment('I will.'), lastFlush('I will.'), result('I will.')],
      ['delta Let me', 'retracted Let me', 'delta I will.', 'completed I will.'],
      'I will.',
    ],
    [
      'the result may glue the abandoned part in',
      [fragment('The'), ...lost, fragment('The tide'), lastFlush('The tide'), result('TheThe tide')],
      ['delta The', 'retracted The', 'delta The tide', 'completed The tide'],
      'The tide',
    ],
    [
      'a flush before it does not double',
      [
        fragment('The'),
        fragment(' tide'),
        fragment('The tide'),
        ...lost,
        fragment('The tide'),
        lastFlush('The tide'),
        result('The tide'),
      ],
      ['delta The', 'delta  tide', 'retracted The tide', 'delta The tide', 'completed The tide'],
      'The tide',
    ],
    [
      'a lost connection without a retry goes on in the same text',
      [fragment('The'), reconnecting, reconnected, fragment(' tide'), lastFlush(' tide'), result('The tide')],
      ['delta The', 'delta  tide', 'completed The tide'],
      'The tide',
    ],
    [
      'nothing more is said: what was said stands if the result says it, too',
      [fragment('Done.'), ...lost, result('Done.')],
      ['delta Done.', 'completed Done.'],
      'Done.',
    ],
    [
      'nothing more is said, and the result does not say it: retracted',
      [
        flush('First.'),
        started('c1', shell),
        completed('c1', shellDone),
        fragment('Do'),
        ...lost,
        result('First.'),
      ],
      ['block First.', 'completed First.', 'delta Do', 'retracted Do'],
      'First.',
    ],
    [
      'segments before it that are said again do not double',
      [
        flush('First.'),
        started('c1', shell),
        completed('c1', shellDone),
        retry(false),
        flush('First.'),
        started('c1', shell),
        completed('c1', shellDone),
        lastFlush('Last.'),
        result('First.Last.'),
      ],
      ['block First.', 'completed First.', 'block Last.', 'completed Last.'],
      'Last.',
    ],
  ]
  test.each(rows)('%s', async (_, records, story, answer) => {
    const events = await eventsOf([init, ...records])
    expect(textStory(events)).toEqual(story)
    expect(completionOf(events)).toMatchObject({ status: 'success', text: answer })
    expect(noticeCodes(events).filter((code) => code === 'text_mismatch')).toEqual([])
  })

  test('a call that began before it and never ended is retracted once the turn ends well', async () => {
    const events = await eventsOf([
      init,
      started('c1', shell),
      ...lost,
      started('c2', shell),
      completed('c2', shellDone),
      lastFlush('ok'),
      result('ok'),
    ])
    const ends = events.flatMap((event) =>
      event.type === 'tool' && event.phase === 'end' ? [`${event.toolId} ${event.status}`] : [],
    )
    expect(ends).toEqual(['c2 completed', 'c1 retracted'])
  })

  test('a call that is said again is one call', async () => {
    const events = await eventsOf([
      init,
      started('c1', shell),
      completed('c1', shellDone),
      retry(false),
      started('c1', shell),
      completed('c1', shellDone),
      lastFlush('ok'),
      result('ok'),
    ])
    expect(events.filter((event) => event.type === 'tool' && event.phase === 'start')).toHaveLength(1)
  })

  test('is told, with its attempt', async () => {
    const events = await eventsOf([init, ...lost, { ...retry(true), subtype: 'resuming' }, result('')])
    expect(
      events.flatMap((event) => (event.type === 'notice' ? [`${event.level} ${event.message}`] : [])),
    ).toEqual([
      'warning The CLI lost its connection (attempt 1).',
      'warning The CLI tries again from its last checkpoint (attempt 1).',
      'info The CLI is connected again.',
      'warning The CLI tries again from its last checkpoint (attempt 1).',
      'warning The turn ended well, but without any text.',
    ])
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
