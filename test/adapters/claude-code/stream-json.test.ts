import { describe, expect, test } from 'vitest'
import { claudeCode } from '../../../src/adapters/claude-code.ts'
import {
  assistant,
  blockStart,
  blockStop,
  completionOf,
  cut,
  delta,
  eventsOf,
  init,
  jsonDelta,
  messageDelta,
  messageStart,
  messageStop,
  noticesOf,
  prompted,
  result,
  retry,
  said,
  synthetic,
  system,
  text,
  textDelta,
  textStory,
  thinkingStory,
  toolResult,
  toolStory,
  toolUse,
} from './turn.ts'

const bash = toolUse('t1', 'Bash', { command: 'ls' })

describe('text', () => {
  test('deltas are fragments that the record confirms, nothing is said twice', async () => {
    const events = await eventsOf([
      init,
      messageStart('m1'),
      blockStart(0, text('')),
      textDelta(0, 'An'),
      textDelta(0, 'chor'),
      assistant('m1', [text('Anchor')]),
      blockStop(0),
      messageDelta('end_turn'),
      messageStop,
      result('Anchor'),
    ])
    expect(textStory(events)).toEqual(['delta An', 'delta chor', 'completed Anchor'])
    expect(events.find((event) => event.type === 'message')).toMatchObject({ providerMessageId: 'm1' })
  })

  test('without partial messages the record alone is a block', async () => {
    const events = await eventsOf([init, assistant('m1', [text('Anchor')]), result('Anchor')])
    expect(textStory(events)).toEqual(['block Anchor', 'completed Anchor'])
  })

  test('a record that has more than the deltas adds what is missing', async () => {
    const records = [messageStart('m1'), blockStart(0, text('')), textDelta(0, 'An')]
    const events = await eventsOf([init, ...records, assistant('m1', [text('Anchor')]), result('Anchor')])
    expect(textStory(events)).toEqual(['delta An', 'delta chor', 'completed Anchor'])
  })

  test('several records with one id are blocks of one message', async () => {
    const events = await eventsOf([
      init,
      assistant('m1', [text('First.')]),
      assistant('m1', [bash]),
      toolResult('t1', 'a'),
      assistant('m2', [text('Last.')]),
      result('Last.'),
    ])
    expect(textStory(events)).toEqual(['block First.', 'completed First.', 'block Last.', 'completed Last.'])
  })

  test('a sub-agent speaks with its parent and never in the answer', async () => {
    const events = await eventsOf([
      init,
      ...said('m1', 'Summary.'),
      assistant('m9', [text('Report.')], { parent_tool_use_id: 't9' }),
      result('Summary.'),
    ])
    expect(textStory(events)).toEqual([
      'delta Summary.',
      'completed Summary.',
      'block@t9 Report.',
      'completed@t9 Report.',
    ])
    expect(completionOf(events).text).toBe('Summary.')
  })

  test('a text that the turn was stopped in is interrupted (2.1.332)', async () => {
    const events = await eventsOf([
      init,
      messageStart('m1'),
      blockStart(0, text('')),
      textDelta(0, 'Once'),
      assistant('m1', [text('Once upon')], { aborted: true }),
      { type: 'user', message: { role: 'user', content: [text('[Request interrupted by user]')] } },
      result('', { subtype: 'error_during_execution', is_error: true, terminal_reason: 'aborted_streaming' }),
    ])
    expect(textStory(events)).toEqual(['delta Once', 'delta  upon', 'interrupted Once upon'])
    expect(completionOf(events)).toMatchObject({ status: 'interrupted', error: { code: 'aborted' } })
  })
})

describe('retraction', () => {
  test('an api_retry takes back what no record confirmed', async () => {
    const events = await eventsOf([init, ...cut('m1', 'Onc'), retry, ...said('m2', 'Twice'), result('Twice')])
    expect(textStory(events)).toEqual(['delta Onc', 'retracted Onc', 'delta Twice', 'completed Twice'])
    expect(completionOf(events)).toMatchObject({ status: 'success', text: 'Twice' })
  })

  test('a message_start without an api_retry does, too', async () => {
    const events = await eventsOf([init, ...cut('m1', 'Onc'), ...said('m2', 'Twice'), result('Twice')])
    expect(textStory(events)).toEqual(['delta Onc', 'retracted Onc', 'delta Twice', 'completed Twice'])
  })

  test('so does the record of a message that was asked for again without streaming', async () => {
    const events = await eventsOf([
      init,
      ...cut('m1', 'Onc'),
      assistant('m2', [text('Twice')]),
      result('Twice'),
    ])
    expect(textStory(events)).toEqual(['delta Onc', 'retracted Onc', 'block Twice', 'completed Twice'])
  })

  test('a block that a record confirmed before the cut stays', async () => {
    const events = await eventsOf([
      init,
      messageStart('m1'),
      blockStart(0, text('')),
      textDelta(0, 'Done.'),
      assistant('m1', [text('Done.')]),
      blockStop(0),
      blockStart(1, text('')),
      textDelta(1, 'mor'),
      ...said('m2', 'Other.'),
      result('Other.'),
    ])
    expect(textStory(events)).toEqual([
      'delta Done.',
      'completed Done.',
      'delta mor',
      'retracted mor',
      'delta Other.',
      'completed Other.',
    ])
  })

  test('a half-streamed tool call vanishes with its message', async () => {
    const events = await eventsOf([
      init,
      messageStart('m1'),
      blockStart(0, toolUse('t1', 'Bash')),
      jsonDelta(0, '{"comm'),
      blockStop(0),
      messageStop,
      retry,
      ...said('m2', 'Without it.'),
      result('Without it.'),
    ])
    expect(toolStory(events)).toEqual(['start t1 Bash', 'input t1 Bash +{"comm', 'end t1 Bash retracted'])
  })

  test('what was cut when the turn failed for good is interrupted, not lost', async () => {
    const events = await eventsOf([
      init,
      ...cut('m1', 'Onc'),
      synthetic('API Error: Connection error.'),
      result('API Error: Connection error.', { is_error: true }),
    ])
    expect(textStory(events)).toEqual(['delta Onc', 'interrupted Onc'])
    expect(completionOf(events)).toMatchObject({ status: 'error', text: 'Onc', error: { code: 'network' } })
  })

  test("only the same speaker's message_start takes back", async () => {
    const events = await eventsOf([
      init,
      messageStart('m1'),
      blockStart(0, text('')),
      textDelta(0, 'Ma'),
      messageStart('m9', {}, 't9'),
      textDelta(0, 'in'),
      assistant('m1', [text('Main')]),
      result('Main'),
    ])
    expect(textStory(events)).toEqual(['delta Ma', 'delta in', 'completed Main'])
  })
})

describe('continuation', () => {
  const goOn = prompted('Output token limit hit. Resume directly.')

  test.each([
    ['with a synthetic user record (2.1.332)', [goOn]],
    ['without a word (2.1.136)', []],
  ])('after the token limit the next message carries on, %s', async (_, between) => {
    const events = await eventsOf([
      init,
      ...said('m1', 'The begin', 'max_tokens'),
      ...between,
      ...said('m2', 'ning.'),
      result('ning.', { stop_reason: 'end_turn' }),
    ])
    expect(textStory(events)).toEqual([
      'delta The begin',
      'completed The begin',
      'delta ning.',
      'completed ning. (continues message-1)',
    ])
    expect(completionOf(events)).toMatchObject({ status: 'success', text: 'The beginning.' })
  })

  test('after a cut behind a finished block it does, and the half-streamed tool call vanishes', async () => {
    const events = await eventsOf([
      init,
      messageStart('m1'),
      blockStart(0, text('')),
      textDelta(0, 'Half a sen'),
      assistant('m1', [text('Half a sen')]),
      blockStop(0),
      blockStart(1, toolUse('t1', 'Bash')),
      jsonDelta(1, '{'),
      messageStop,
      prompted('Your response above was cut off mid-stream. Resume directly from where it stops.'),
      ...said('m2', 'tence.'),
      result('tence.'),
    ])
    expect(completionOf(events).text).toBe('Half a sentence.')
    expect(toolStory(events).at(-1)).toBe('end t1 Bash retracted')
  })

  test('a continuation that was cut itself and asked for again still carries on', async () => {
    const events = await eventsOf([
      init,
      ...said('m1', 'The begin', 'max_tokens'),
      goOn,
      ...cut('m2', 'nin'),
      retry,
      ...said('m3', 'ning.'),
      result('ning.'),
    ])
    expect(completionOf(events).text).toBe('The beginning.')
  })

  test('an empty answer that is asked for again is no continuation', async () => {
    const events = await eventsOf([
      init,
      ...said('m1', 'I look.', 'tool_use'),
      assistant('m1', [bash]),
      toolResult('t1', 'a'),
      messageStart('m2'),
      messageDelta('end_turn'),
      messageStop,
      prompted('[Your previous response had no visible output.]'),
      ...said('m3', 'Late.'),
      result('Late.'),
    ])
    expect(textStory(events).at(-1)).toBe('completed Late.')
    expect(completionOf(events).text).toBe('Late.')
  })

  test('a token limit that ends the turn is max_output and keeps the text', async () => {
    const events = await eventsOf([
      init,
      ...said('m1', 'The begin', 'max_tokens'),
      synthetic("API Error: Claude's response exceeded the 64000 output token maximum."),
      result("API Error: Claude's response exceeded the 64000 output token maximum.", { is_error: true }),
    ])
    expect(completionOf(events)).toMatchObject({
      status: 'error',
      stopReason: 'max_tokens',
      text: 'The begin',
      error: { code: 'max_output' },
    })
    expect(noticesOf(events)).toEqual(['api_error'])
  })
})

describe('thinking', () => {
  test('deltas form one run per block, the record repeats nothing, the signature says nothing', async () => {
    const events = await eventsOf([
      init,
      messageStart('m1'),
      blockStart(0, { type: 'thinking', thinking: '', signature: '' }),
      delta(0, { type: 'thinking_delta', thinking: 'Hm' }),
      delta(0, { type: 'thinking_delta', thinking: 'm.' }),
      delta(0, { type: 'signature_delta', signature: 'c2ln' }),
      assistant('m1', [{ type: 'thinking', thinking: 'Hmm.', signature: 'c2ln' }]),
      blockStop(0),
      blockStart(1, { type: 'thinking', thinking: '' }),
      delta(1, { type: 'thinking_delta', thinking: 'Aha.' }),
      blockStop(1),
      result(''),
    ])
    expect(thinkingStory(events)).toEqual(['thinking-1 Hm', 'thinking-1 m.', 'thinking-2 Aha.'])
  })
})

describe('tools', () => {
  test('a call starts with its block, streams its input, and ends with its result', async () => {
    const events = await eventsOf([
      init,
      messageStart('m1'),
      blockStart(0, toolUse('t1', 'Bash')),
      jsonDelta(0, '{"comm'),
      jsonDelta(0, 'and":"ls"}'),
      assistant('m1', [bash]),
      blockStop(0),
      toolResult(
        't1',
        'reef',
        { is_error: false },
        { tool_use_result: { stdout: 'reef', stderr: '', interrupted: false } },
      ),
      ...said('m2', 'Seen.'),
      result('Seen.'),
    ])
    expect(toolStory(events)).toEqual([
      'start t1 Bash',
      'input t1 Bash +{"comm',
      'input t1 Bash +and":"ls"}',
      'input t1 Bash {"command":"ls"}',
      'end t1 Bash completed reef',
    ])
    expect(events.find((event) => event.type === 'tool' && event.phase === 'end')).toMatchObject({
      exitCode: 0,
      kind: 'execute',
    })
  })

  test.each([
    [
      'its text begins with',
      { content: 'Exit code 3\nno', is_error: true },
      {},
      { status: 'failed', exitCode: 3 },
    ],
    [
      'the CLI interpreted it',
      { content: '' },
      { tool_use_result: { stdout: '', interrupted: false, returnCodeInterpretation: 'No matches found' } },
      { status: 'completed' },
    ],
    [
      'the command runs on',
      { content: 'Command running in background' },
      { tool_use_result: { stdout: '', interrupted: false, backgroundTaskId: 'b1' } },
      { status: 'completed' },
    ],
    [
      'a rule kept it from running (2.1.332)',
      { content: 'touch needs approval.', is_error: true },
      { tool_result_meta: [{ id: 't1', non_execution_kind: 'user-rejected' }] },
      { status: 'rejected' },
    ],
    [
      'nobody could allow it (1.0 to 2.1)',
      {
        content: "Claude requested permissions to write to /w/a, but you haven't granted it yet.",
        is_error: true,
      },
      {},
      { status: 'rejected' },
    ],
    [
      'the turn was stopped',
      { content: "The user doesn't want to proceed with this tool use.", is_error: true },
      {},
      { status: 'interrupted' },
    ],
  ])('the status and the exit code of a call: %s', async (_, block, record, expected) => {
    const { content, ...fields } = block
    const events = await eventsOf([
      init,
      assistant('m1', [bash]),
      toolResult('t1', content, fields, record),
      result(''),
    ])
    const end = events.find((event) => event.type === 'tool' && event.phase === 'end')
    expect({
      status: end && 'status' in end && end.status,
      ...(end && 'exitCode' in end && { exitCode: end.exitCode }),
    }).toEqual(expected)
  })

  test('an MCP tool names its server, a file tool its place', async () => {
    const events = await eventsOf([
      init,
      assistant('m1', [
        toolUse('t1', 'mcp__charts__find', {}),
        toolUse('t2', 'Read', { file_path: '/w/a', offset: 7 }),
      ]),
      result(''),
    ])
    expect(events).toContainEqual(expect.objectContaining({ toolId: 't1', phase: 'start', server: 'charts' }))
    expect(events).toContainEqual(
      expect.objectContaining({ toolId: 't2', phase: 'input', locations: [{ path: '/w/a', line: 7 }] }),
    )
  })

  test('an MCP tool has the name that its server gave it, where that is known', () => {
    const wire = claudeCode.structured.wire()
    wire.start({ transport: 'structured', options: { serverTools: { charts: ['look.up'] } } })
    wire.receive(init)
    const { events } = wire.receive(assistant('m1', [toolUse('t1', 'mcp__charts__look_up', {})]))
    expect(events).toContainEqual(
      expect.objectContaining({ phase: 'start', server: 'charts', name: 'look.up' }),
    )
  })

  test('a to-do list is a plan once the CLI has taken it', async () => {
    const todos = [
      { content: 'Weigh', status: 'in_progress' },
      { content: 'Sail', status: 'pending' },
    ]
    const call = assistant('m1', [toolUse('t1', 'TodoWrite', { todos })])
    const taken = await eventsOf([init, call, toolResult('t1', 'ok'), result('')])
    expect(taken).toContainEqual(
      expect.objectContaining({
        type: 'plan',
        entries: [
          { content: 'Weigh', status: 'in_progress' },
          { content: 'Sail', status: 'pending' },
        ],
      }),
    )
    const refused = await eventsOf([
      init,
      call,
      toolResult('t1', 'No such tool', { is_error: true }),
      result(''),
    ])
    expect(refused.some((event) => event.type === 'plan')).toBe(false)
  })

  test('an id that a later message uses again is another call', async () => {
    const events = await eventsOf([
      init,
      assistant('m1', [bash]),
      toolResult('t1', 'one'),
      assistant('m1', [bash]),
      assistant('m2', [bash]),
      toolResult('t1', 'two'),
      result(''),
    ])
    expect(toolStory(events).filter((line) => line.startsWith('end'))).toEqual([
      'end t1 Bash completed one',
      'end t1#1 Bash completed two',
    ])
  })
})

describe('session', () => {
  test.each([
    ['new', {}, 's1', 'new'],
    ['resumed', { resume: 's1' }, 's1', 'resumed'],
    ['forked', { resume: 's1', fork: true }, 's2', 'forked'],
    ['new where the CLI began another one', { resume: 's1' }, 's2', 'new'],
  ])('the origin is %s', async (_, options, id, origin) => {
    const events = await eventsOf([{ ...init, session_id: id }, result('', { session_id: id })], options)
    expect(events[0]).toMatchObject({
      type: 'session',
      sessionId: id,
      origin,
      model: 'claude-deck-1',
      cwd: '/w',
      tools: ['Bash', 'Read'],
      cliVersion: '2.1.332',
    })
  })
})

describe('beside the answer', () => {
  test.each([
    ['a retry', retry, ['retry']],
    ['a compaction', system('compact_boundary', { compactMetadata: { trigger: 'auto' } }), ['compaction']],
    ['a hook that failed', system('hook_response', { hook_name: 'Stop', exit_code: 2 }), ['hook_failed']],
    ['a hook that went well', system('hook_response', { hook_name: 'Stop', exit_code: 0 }), []],
    ['a request', system('status', { status: 'requesting' }), []],
    [
      'a rate limit',
      { type: 'rate_limit_event', rate_limit_info: { status: 'allowed_warning' } },
      ['rate_limit'],
    ],
    ['a record of the two-way transport', { type: 'control_response', response: {} }, []],
    ['an unknown record', { type: 'semaphore' }, ['unknown_record']],
    ['an unknown system record', system('semaphore'), ['unknown_record']],
    ['an unknown block', assistant('m1', [{ type: 'semaphore' }]), ['unknown_record']],
    ['an unknown delta', delta(0, { type: 'semaphore' }), ['unknown_record']],
    ['a record with nothing in it', {}, ['unknown_record']],
  ])('%s', async (_, record, expected) => {
    expect(noticesOf(await eventsOf([init, record, result('Aye.')]))).toEqual(expected)
  })
})
