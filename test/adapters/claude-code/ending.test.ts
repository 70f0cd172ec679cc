import { describe, expect, test } from 'vitest'
import { ClaudeStreamJsonWire } from '../../../src/adapters/claude-code/stream-json.ts'
import { checkGuarantees } from '../../../src/testing/guarantees.ts'
import {
  assistant,
  blockStart,
  completionOf,
  cut,
  eventsOf,
  init,
  jsonDelta,
  messageDelta,
  messageStart,
  messageStop,
  noticesOf,
  result,
  said,
  system,
  text,
  textDelta,
  textStory,
  toolStory,
  toolUse,
} from './turn.ts'

describe('the end', () => {
  function endedAfter(records: readonly object[]): (boolean | undefined)[] {
    const wire = new ClaudeStreamJsonWire()
    wire.start({ transport: 'structured', options: {} })
    return records.map((record) => wire.receive({ ...record }).ended)
  }
  const tasks = (...ids: string[]) =>
    system('background_tasks_changed', { tasks: ids.map((id) => ({ task_id: id })) })

  test('a result is the last word', () => {
    expect(endedAfter([init, result('Aye.')])).toEqual([undefined, true])
  })

  test('an open background task holds it back until the list is empty, and a new run takes it back', () => {
    expect(endedAfter([init, tasks('b1'), result('Started.'), tasks(), init, result('Done.')])).toEqual([
      undefined,
      undefined,
      false,
      true,
      false,
      true,
    ])
  })

  test('so does a task that only the single records name (2.1.136)', () => {
    const started = system('task_started', { task_id: 'b1', task_type: 'local_bash' })
    const over = system('task_notification', { task_id: 'b1', status: 'completed', summary: 'b1 completed' })
    expect(endedAfter([init, started, result('Started.'), over, init])).toEqual([
      undefined,
      undefined,
      false,
      true,
      false,
    ])
  })

  test('a task in the foreground does not', () => {
    const started = system('task_started', { task_id: 'b1', is_backgrounded: false })
    expect(endedAfter([init, started, result('Aye.')]).at(-1)).toBe(true)
  })

  test('a follow-up run that dies half-way is no success: its own result is missing', async () => {
    const events = await eventsOf([
      init,
      ...said('m1', 'Started.'),
      result('Started.'),
      init,
      ...cut('m2', 'Don'),
    ])
    expect(textStory(events).at(-1)).toBe('interrupted Don')
    expect(completionOf(events)).toMatchObject({
      status: 'error',
      text: 'Don',
      error: { code: 'protocol', retryable: true },
      evidence: { by: 'exit' },
    })
  })

  test('a failure that no run caused does not undo the answer or its cost (2.0.72, a task that ends too late)', async () => {
    const events = await eventsOf([
      init,
      ...said('m1', 'Started.'),
      result('Started.', { num_turns: 2, total_cost_usd: 0.5 }),
      {
        type: 'result',
        subtype: 'error_during_execution',
        is_error: true,
        num_turns: 0,
        total_cost_usd: 0,
        errors: ['only prompt commands are supported in streaming mode'],
      },
    ])
    expect(completionOf(events)).toMatchObject({ status: 'success', text: 'Started.', costUsd: 0.5 })
    expect(noticesOf(events)).toEqual(['background_run_failed'])
  })

  test('an empty answer is a success, also where 1.0 and 2.0 call it error_during_execution', async () => {
    const events = await eventsOf([
      init,
      messageStart('m1'),
      messageDelta('end_turn'),
      messageStop,
      { type: 'result', subtype: 'error_during_execution', is_error: false, session_id: 's1' },
    ])
    expect(completionOf(events)).toMatchObject({ status: 'success', text: '', stopReason: 'end_turn' })
    expect(noticesOf(events)).toEqual(['empty_answer'])
  })

  test('so it is without partial messages, where the result is all there is of it (1.0.124)', async () => {
    const empty = {
      type: 'result',
      subtype: 'error_during_execution',
      is_error: false,
      num_turns: 0,
      usage: { input_tokens: 80, output_tokens: 40 },
    }
    expect(completionOf(await eventsOf([init, empty]))).toMatchObject({ status: 'success', text: '' })
    for (const more of [
      { is_error: true },
      { is_error: undefined },
      { errors: ['The mast broke.'] },
      { num_turns: 2 },
    ]) {
      expect(completionOf(await eventsOf([init, { ...empty, ...more }])).status).toBe('error')
    }
  })

  test('an answer that broke off is none, though 2.1.5 reports it in the same words: without a token', async () => {
    const broken = {
      type: 'result',
      subtype: 'error_during_execution',
      is_error: false,
      num_turns: 1,
      errors: [],
      usage: { input_tokens: 0, output_tokens: 0 },
    }
    expect(completionOf(await eventsOf([init, ...cut('m1', 'Hal'), broken]))).toMatchObject({
      status: 'error',
      text: 'Hal',
    })
  })

  test('a blank answer is blank, whatever 1.0.124 puts in its place', async () => {
    const streamed = [
      messageStart('m1'),
      blockStart(0, text('')),
      textDelta(0, '\n\n'),
      assistant('m1', [text('(no content)')]),
      messageStop,
    ]
    for (const records of [streamed, [assistant('m1', [text('(no content)')])]]) {
      const events = await eventsOf([init, ...records, result('(no content)')])
      expect(completionOf(events)).toMatchObject({ status: 'success', text: '' })
      expect(noticesOf(events)).toEqual(['empty_answer'])
      expect(checkGuarantees(events)).toEqual([])
    }
  })

  test('a ceiling of turns is an error, also where 1.0 and 2.0 do not call it one', async () => {
    const events = await eventsOf([
      init,
      { type: 'result', subtype: 'error_max_turns', is_error: false, session_id: 's1' },
    ])
    expect(completionOf(events)).toMatchObject({ status: 'error', stopReason: 'max_turn_requests' })
  })

  test('what only the result says becomes a message: the output of a command', async () => {
    const events = await eventsOf([init, result('Total cost: $0')])
    expect(textStory(events)).toEqual(['block Total cost: $0', 'completed Total cost: $0'])
  })

  test.each([
    ['max_tokens', 'max_output', 'max_tokens', 'The answer was cut by the limit of output tokens.'],
    ['refusal', 'refused', 'refusal', 'The model refused to answer.'],
    [
      'model_context_window_exceeded',
      'context_window',
      undefined,
      'The answer was cut, for the context window is full.',
    ],
  ])(
    'stop_reason %s of a result that claude calls no error makes it %s, and the answer is not the reason',
    async (reason, code, stopReason, message) => {
      const events = await eventsOf([
        init,
        assistant('m1', [text('Rate limit exceeded: half an ans')]),
        result('Rate limit exceeded: half an ans', { stop_reason: reason }),
      ])
      expect(checkGuarantees(events)).toEqual([])
      const completion = completionOf(events)
      expect(completion).toMatchObject({
        status: 'error',
        text: 'Rate limit exceeded: half an ans',
        error: { code, message },
      })
      expect(completion.stopReason).toBe(stopReason)
    },
  )

  test.each([
    ['what it says', 'Hello', ['delta Hello', 'completed Hello']],
    ['what it begins with', 'Hello there', ['delta Hello', 'delta  there', 'completed Hello there']],
    ['none of it', 'Other', ['delta Hello', 'retracted Hello', 'block Other', 'completed Other']],
  ])('text that no record confirmed is %s: the result decides', async (_what, whole, story) => {
    const events = await eventsOf([init, ...cut('m1', 'Hello'), result(whole)])
    expect(textStory(events)).toEqual(story)
    expect(completionOf(events)).toMatchObject({ status: 'success', text: whole })
  })

  test('what was streamed behind the confirmed answer is thrown away with a result that knows only that', async () => {
    const events = await eventsOf([init, ...said('m1', 'Hi.'), ...cut('m2', 'Hello'), result('Hi.')])
    expect(textStory(events)).toEqual(['delta Hi.', 'completed Hi.', 'delta Hello', 'retracted Hello'])
    expect(completionOf(events)).toMatchObject({ status: 'success', text: 'Hi.' })
  })

  test('a call and a result without an id are said to be unknown', async () => {
    const call = { type: 'tool_use', name: 'Bash', input: {} }
    const answer = { type: 'user', message: { content: [{ type: 'tool_result', content: 'x' }] } }
    const events = await eventsOf([
      init,
      assistant('m1', [call]),
      answer,
      ...said('m2', 'Aye.'),
      result('Aye.'),
    ])
    expect(toolStory(events)).toEqual([])
    expect(noticesOf(events)).toEqual(['unknown_record', 'unknown_record'])
  })

  test('a success whose last message was cut in a tool call says so (1.0.124)', async () => {
    const events = await eventsOf([
      init,
      ...said('m1', 'Half', null).slice(0, -1),
      blockStart(1, toolUse('t1', 'Bash')),
      jsonDelta(1, '{'),
      result('Half'),
    ])
    expect(noticesOf(events)).toEqual(['message_cut'])
    expect(toolStory(events).at(-1)).toBe('end t1 Bash retracted')
  })
})
