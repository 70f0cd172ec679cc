import { describe, expect, it } from 'vitest'
import { bash, bashFragments, execution, said, text } from './json-records.ts'
import {
  agentStart,
  answer,
  type Form,
  forms,
  type Json,
  play,
  retryAnnounced,
  runEnd,
  session,
} from './records.ts'

describe.each(forms)('the %s form', (form: Form) => {
  it('streams thinking, text and a tool turn from the deltas alone', async () => {
    const played = await play([
      session,
      agentStart,
      { type: 'turn_start' },
      { type: 'message_start', message: { role: 'user', content: [{ type: 'text', text: 'go' }] } },
      { type: 'message_end', message: { role: 'user', content: [{ type: 'text', text: 'go' }] } },
      ...answer(
        form,
        [
          { thinking: ['I ', 'look.'] },
          { text: ['Let me', ' see.'] },
          { call: bash, fragments: bashFragments },
        ],
        {
          stopReason: 'toolUse',
        },
      ),
      execution('start', { args: { command: 'echo hi' } }),
      execution('update', { partialResult: text('h') }),
      execution('update', { partialResult: text('hi\n') }),
      execution('end', { result: text('hi\n'), isError: false }),
      { type: 'message_start', message: { role: 'toolResult', content: [{ type: 'text', text: 'hi\n' }] } },
      { type: 'message_end', message: { role: 'toolResult', content: [{ type: 'text', text: 'hi\n' }] } },
      { type: 'turn_end', message: { role: 'assistant', content: [{ type: 'text', text: 'Let me see.' }] } },
      { type: 'turn_start' },
      ...answer(form, [{ text: ['Do', 'ne.'] }]),
      ...runEnd(form),
    ])
    expect(played.said).toEqual([
      'session s1 new',
      'thinking thinking-1 +I ',
      'thinking thinking-1 +look.',
      'delta message-1 +Let me',
      'delta message-1 + see.',
      'tool call_1 bash start',
      'tool call_1 bash input +{"command":',
      'tool call_1 bash input +"echo hi"}',
      'tool call_1 bash input {"command":"echo hi"}',
      'message message-1 completed Let me see.',
      'tool call_1 bash output +h',
      'tool call_1 bash output +i\n',
      'tool call_1 bash end completed hi',
      'delta message-2 +Do',
      'delta message-2 +ne.',
      'message message-2 completed Done.',
    ])
    expect(played.completion).toMatchObject({
      status: 'success',
      text: 'Done.',
      stopReason: 'end_turn',
      sessionId: 's1',
    })
    expect(played.completion.ledger).toMatchObject({ unknown: 0, invalid: 0 })
  })

  it('keeps two blocks of text apart, and two of thinking', async () => {
    expect(
      await said([
        ...answer(form, [
          { thinking: ['a'] },
          { thinking: ['b'] },
          { text: ['One.'] },
          { thinking: ['c'] },
          { text: ['Two.'] },
        ]),
        ...runEnd(form),
      ]),
    ).toEqual([
      'thinking thinking-1 +a',
      'thinking thinking-2 +b',
      'delta message-1 +One.',
      'thinking thinking-3 +c',
      'delta message-2 +Two.',
      'message message-1 completed One.',
      'message message-2 completed Two.',
    ])
  })

  it('withdraws text and unfinished calls when pi announces a retry', async () => {
    const played = await play([
      agentStart,
      ...answer(form, [{ text: ['It begins'] }, { call: bash, fragments: ['{"comm'] }], {
        stopReason: 'error',
        errorMessage: 'terminated',
        broken: true,
      }).map(withoutCalls),
      ...retryAnnounced(form, 'terminated'),
      agentStart,
      ...answer(form, [{ text: ['It is done.'] }]),
      { type: 'auto_retry_end', success: true, attempt: 1 },
      ...runEnd(form),
    ])
    expect(played.said).toEqual([
      'delta message-1 +It begins',
      'tool call_1 bash start',
      'tool call_1 bash input +{"comm',
      'message message-1 retracted It begins',
      'tool call_1 bash end retracted',
      'notice retry',
      'delta message-2 +It is done.',
      'message message-2 completed It is done.',
    ])
    expect(played.completion).toMatchObject({ status: 'success', text: 'It is done.' })
  })

  it('keeps the broken text as interrupted when no retry comes', async () => {
    const { said, completion } = await play([
      agentStart,
      ...answer(form, [{ text: ['It begins'] }], {
        stopReason: 'error',
        errorMessage: 'terminated',
        broken: true,
      }),
      ...runEnd(form),
    ])
    expect(said).toEqual(['delta message-1 +It begins', 'message message-1 interrupted It begins'])
    expect(completion).toMatchObject({
      status: 'error',
      text: 'It begins',
      error: { code: 'network', retryable: true },
    })
  })

  it.each([
    ['dies', { exitCode: null, signal: 'SIGKILL' }, 'signal', 'crashed'],
    ['leaves', { exitCode: 0, signal: null }, 'exit', 'overloaded'],
  ])('tells the last cause when pi %s while it waits for its retry', async (_how, exit, by, code) => {
    const { completion } = await play(
      [
        agentStart,
        ...answer(form, [], { stopReason: 'error', errorMessage: '529 overloaded' }),
        ...retryAnnounced(form, '529 overloaded'),
      ],
      { exit },
    )
    expect(completion).toMatchObject({
      status: 'error',
      error: { code, message: expect.stringContaining('overloaded') },
      evidence: { by },
    })
  })

  it.each([
    ['length', undefined, 'error', 'max_output', 'max_tokens', 'completed'],
    ['aborted', 'Request was aborted', 'interrupted', 'aborted', 'cancelled', 'interrupted'],
    ['error', 'Provider finish_reason: content_filter', 'error', 'refused', 'refusal', 'completed'],
    ['error', 'The model refused to complete the request', 'error', 'refused', 'refusal', 'completed'],
    ['pensive', undefined, 'error', 'unknown', undefined, 'completed'],
  ])('ends as stopReason %s says (%s)', async (stopReason, errorMessage, status, code, acpReason, fate) => {
    const { said, completion } = await play([
      ...answer(form, [{ text: ['So far.'] }], { stopReason, ...(errorMessage && { errorMessage }) }),
      ...runEnd(form),
    ])
    expect(completion).toMatchObject({ status, text: 'So far.', error: { code } })
    expect(completion.stopReason).toBe(acpReason)
    expect(said.at(-1)).toBe(`message message-1 ${fate} So far.`)
  })

  it('withdraws an answer cut for want of room that pi sums up and asks for again', async () => {
    const { said, completion } = await play([
      agentStart,
      ...answer(form, [{ text: ['Too lo'] }], { stopReason: 'length' }),
      { type: 'agent_end', messages: [], ...(form === 'delta-only' && { willRetry: false }) },
      { type: 'compaction_start', reason: 'overflow' },
      {
        type: 'compaction_end',
        reason: 'overflow',
        result: { summary: 's' },
        aborted: false,
        willRetry: true,
      },
      agentStart,
      ...answer(form, [{ text: ['Short.'] }]),
      ...runEnd(form),
    ])
    expect(said).toEqual([
      'delta message-1 +Too lo',
      'notice compaction',
      'message message-1 retracted Too lo',
      'delta message-2 +Short.',
      'message message-2 completed Short.',
    ])
    expect(completion).toMatchObject({ status: 'success', text: 'Short.' })
  })

  it('sums the usage and the cost of the requests, cached tokens among the input', async () => {
    const usage = { input: 10, output: 5, cacheRead: 100, cacheWrite: 20, cost: { total: 0.25 } }
    const { events, completion } = await play([
      ...answer(form, [{ call: bash, fragments: bashFragments }], { stopReason: 'toolUse', usage }),
      execution('start', { args: { command: 'echo hi' } }),
      execution('end', { result: text('hi'), isError: false }),
      ...answer(form, [{ text: ['Done.'] }], { usage: { ...usage, reasoning: 3 } }),
      ...runEnd(form),
    ])
    expect(completion.usage).toEqual({
      basis: 'turn',
      inputTokens: 260,
      cachedInputTokens: 200,
      cacheWriteTokens: 40,
      outputTokens: 10,
      reasoningTokens: 3,
    })
    expect(completion.costUsd).toBe(0.5)
    expect(events.filter((event) => event.type === 'usage')).toHaveLength(2)
  })

  it('says no usage where pi wrote zeros, and no cost where it knows no price', async () => {
    const silent = await play([...answer(form, [{ text: ['Hi.'] }]), ...runEnd(form)])
    expect(silent.completion.usage).toBeUndefined()
    const unpriced = { input: 10, output: 5, cacheRead: 0, cacheWrite: 0, cost: { total: 0 } }
    const { completion } = await play([
      ...answer(form, [{ text: ['Hi.'] }], { usage: unpriced }),
      ...runEnd(form),
    ])
    expect(completion.usage).toMatchObject({ inputTokens: 10, outputTokens: 5 })
    expect(completion).not.toHaveProperty('costUsd')
  })
})

/** What pi does when the stream breaks inside of a call: the final message has no call. */
function withoutCalls(record: Json): Json {
  if (record.type !== 'message_end') return record
  const message = record.message as { content: Json[] }
  return {
    ...record,
    message: { ...message, content: message.content.filter((part) => part.type !== 'toolCall') },
  }
}
