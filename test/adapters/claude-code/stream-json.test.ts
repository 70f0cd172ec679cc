import { describe, expect, test } from 'vitest'
import {
  assistant,
  bash,
  blockStart,
  blockStop,
  completionOf,
  delta,
  eventsOf,
  init,
  messageDelta,
  messageStart,
  messageStop,
  noticesOf,
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
} from './turn.ts'

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

  test('a message that is a text alone is said, one without any content is told as unknown', async () => {
    const { message, ...more } = assistant('m1', [])
    const events = await eventsOf([
      init,
      { ...more, message: { ...message, content: 'Anchor' } },
      { ...more, message: { role: 'assistant' } },
      more,
      result('Anchor'),
    ])
    expect(textStory(events)).toEqual(['block Anchor', 'completed Anchor'])
    expect(completionOf(events)).toMatchObject({ status: 'success', ledger: { unknown: 2 } })
  })

  test('the output of a command of its own is said once, and is no error whatever it reads like (2.1.277)', async () => {
    const words = 'No error, the limit is invalid.'
    const events = await eventsOf([
      { type: 'conversation_reset', new_conversation_id: 's1', session_id: 's0' },
      init,
      synthetic(words, { local_command_source: `<local-command-stdout>${words}</local-command-stdout>` }),
      result(words, { num_turns: 0, local_command: 'custom' }),
    ])
    expect(textStory(events)).toEqual([`block ${words}`, `completed ${words}`])
    expect(noticesOf(events)).toEqual([])
    expect(completionOf(events)).toMatchObject({ status: 'success', text: words })
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
