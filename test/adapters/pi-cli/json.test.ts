import { describe, expect, it } from 'vitest'
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

const bash = { id: 'call_1', name: 'bash', arguments: { command: 'echo hi' } }
const bashFragments = ['{"command":', '"echo hi"}']
const execution = (phase: string, more: Json = {}) => ({
  type: `tool_execution_${phase}`,
  toolCallId: 'call_1',
  toolName: 'bash',
  ...more,
})
const text = (value: string) => ({ content: [{ type: 'text', text: value }] })
const said = (records: Json[], more?: Parameters<typeof play>[1]) =>
  play(records, more).then((played) => played.said)

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

describe('text', () => {
  it('is not taken from message_start, which the first delta repeats', async () => {
    expect(
      await said([
        { type: 'message_start', message: { role: 'assistant', content: [{ type: 'text', text: 'Out' }] } },
        update({ type: 'text_start', contentIndex: 0 }),
        update({ type: 'text_delta', contentIndex: 0, delta: 'Out' }),
        update({ type: 'text_delta', contentIndex: 0, delta: 'put' }),
        end([{ type: 'text', text: 'Output' }]),
      ]),
    ).toEqual(['delta message-1 +Out', 'delta message-1 +put', 'message message-1 completed Output'])
  })

  it.each([
    [
      'what was not streamed of it is added',
      ['Out'],
      'Output',
      ['delta message-1 +Out', 'delta message-1 +put', 'message message-1 completed Output'],
    ],
    [
      'what was not streamed at all comes whole',
      [],
      'Output',
      ['delta message-1 =Output', 'message message-1 completed Output'],
    ],
    [
      'what contradicts the stream replaces it',
      ['Onto'],
      'Output',
      [
        'delta message-1 +Onto',
        'message message-1 retracted Onto',
        'delta message-2 =Output',
        'message message-2 completed Output',
      ],
    ],
  ])('of message_end is authoritative: %s', async (_name, deltas, whole, expected) => {
    expect(
      await said([
        ...deltas.map((delta) => update({ type: 'text_delta', contentIndex: 0, delta })),
        end([{ type: 'text', text: whole }]),
      ]),
    ).toEqual(expected)
  })

  it('of text_end counts where message_end has no content', async () => {
    expect(
      await said([
        update({ type: 'text_delta', contentIndex: 0, delta: 'Out' }),
        update({ type: 'text_end', contentIndex: 0, content: 'Output' }),
        end([]),
      ]),
    ).toEqual(['delta message-1 +Out', 'delta message-1 +put', 'message message-1 completed Output'])
  })

  it('keeps its provider id', async () => {
    const { events } = await play([
      update({ type: 'text_delta', contentIndex: 0, delta: 'Hi' }),
      {
        type: 'message_end',
        message: {
          role: 'assistant',
          content: [{ type: 'text', text: 'Hi' }],
          stopReason: 'stop',
          responseId: 'r9',
        },
      },
    ])
    expect(events.find((event) => event.type === 'message')).toMatchObject({ providerMessageId: 'r9' })
  })

  it('of a message that no message_end closed is interrupted when the next one begins', async () => {
    expect(
      await said([
        update({ type: 'text_delta', contentIndex: 0, delta: 'Half' }),
        { type: 'message_start', message: { role: 'assistant', content: [] } },
        update({ type: 'text_delta', contentIndex: 0, delta: 'Whole' }),
        end([{ type: 'text', text: 'Whole' }]),
      ]),
    ).toEqual([
      'delta message-1 +Half',
      'message message-1 interrupted Half',
      'delta message-2 +Whole',
      'message message-2 completed Whole',
    ])
  })
})

describe('thinking', () => {
  it.each([
    ['adds what was not streamed', ['Hm'], ['thinking thinking-1 +Hm', 'thinking thinking-1 +m.']],
    ['comes whole where nothing was streamed', [], ['thinking thinking-1 =Hmm.']],
  ])('that ends %s', async (_name, deltas, expected) => {
    expect(
      await said([
        ...deltas.map((delta) => update({ type: 'thinking_delta', contentIndex: 0, delta })),
        update({ type: 'thinking_end', contentIndex: 0, content: 'Hmm.' }),
        end([{ type: 'thinking', thinking: 'Hmm.' }]),
      ]),
    ).toEqual(expected)
  })
})

describe('tool calls', () => {
  it('hold fragments back until the name is known (0.80 to 0.84.2 name a call only at its end)', async () => {
    expect(
      await said([
        update({ type: 'toolcall_start', contentIndex: 0 }),
        update({ type: 'toolcall_delta', contentIndex: 0, delta: '{"command":' }),
        update({ type: 'toolcall_delta', contentIndex: 0, delta: '"echo hi"}' }),
        update({ type: 'toolcall_end', contentIndex: 0, toolCall: { type: 'toolCall', ...bash } }),
        end([{ type: 'toolCall', ...bash }], 'toolUse'),
        execution('start', { args: bash.arguments }),
        execution('end', { result: text('hi'), isError: false }),
      ]),
    ).toEqual([
      'tool call_1 bash start',
      'tool call_1 bash input +{"command":',
      'tool call_1 bash input +"echo hi"}',
      'tool call_1 bash input {"command":"echo hi"}',
      'tool call_1 bash end completed hi',
    ])
  })

  it('start from the execution alone where nothing was streamed', async () => {
    expect(
      await said([
        execution('start', { args: { command: 'ls' } }),
        execution('end', { result: text('a'), isError: false }),
      ]),
    ).toEqual([
      'tool call_1 bash start',
      'tool call_1 bash input {"command":"ls"}',
      'tool call_1 bash end completed a',
    ])
  })

  it('are no other call when their id comes again, late or reused', async () => {
    const ran = [execution('start', { args: {} }), execution('end', { result: text('a'), isError: false })]
    const once = ['tool call_1 bash start', 'tool call_1 bash input {}', 'tool call_1 bash end completed a']
    expect(await said([...ran, execution('update', { partialResult: text('late') })])).toEqual(once)
    expect(await said([...ran, ...ran])).toEqual([
      ...once,
      ...once.map((line) => line.replace('call_1', 'call_1#1')),
    ])
  })

  it('replace the output when pi shows only its tail', async () => {
    expect(
      await said([
        execution('start', { args: {} }),
        execution('update', { partialResult: { content: [] } }),
        execution('update', { partialResult: text('one\ntwo\n') }),
        execution('update', { partialResult: text('two\nthree\n') }),
        execution('end', { result: text('two\nthree\n'), isError: false }),
      ]),
    ).toEqual([
      'tool call_1 bash start',
      'tool call_1 bash input {}',
      'tool call_1 bash output +one\ntwo\n',
      'tool call_1 bash output =two\nthree\n',
      'tool call_1 bash end completed two\nthree',
    ])
  })

  it.each([
    ['the line that pi adds', text('boom\n\nCommand exited with code 3'), true, 'failed', 3],
    ['structuredContent (1.x)', { ...text('boom'), structuredContent: { exit_code: 4 } }, true, 'failed', 4],
    [
      'structuredContent of a success (1.x)',
      { ...text('ok'), structuredContent: { exit_code: 0 } },
      false,
      'completed',
      0,
    ],
    ['nothing, where pi says nothing', text('ok'), false, 'completed', undefined],
    [
      'nothing, where a good command only printed that line',
      text('Command exited with code 3'),
      false,
      'completed',
      undefined,
    ],
  ])('take the exit code from %s', async (_from, result, isError, status, exitCode) => {
    const { events } = await play([execution('start', { args: {} }), execution('end', { result, isError })])
    const ended = events.find((event) => event.type === 'tool' && event.phase === 'end')
    expect(ended).toMatchObject({ status })
    expect(ended?.type === 'tool' && ended.phase === 'end' && ended.exitCode).toBe(exitCode)
  })

  it('carry the images of a result', async () => {
    const image = { type: 'image', data: 'aGk=', mimeType: 'image/png' }
    const { events } = await play([
      execution('start', { args: { path: 'a.png' }, toolName: 'read' }),
      execution('end', {
        result: { content: [{ type: 'text', text: 'Read image' }, image] },
        isError: false,
        toolName: 'read',
      }),
    ])
    expect(events.find((event) => event.type === 'tool' && event.phase === 'end')).toMatchObject({
      output: 'Read image',
      content: [
        { type: 'text', text: 'Read image' },
        { type: 'image', mimeType: 'image/png', data: 'aGk=' },
      ],
    })
  })

  it.each([
    ['bash', 'execute', undefined],
    ['powershell', 'execute', undefined],
    ['read', 'read', [{ path: 'src/a.ts', line: 7 }]],
    ['edit', 'edit', [{ path: 'src/a.ts', line: 7 }]],
    ['write', 'edit', [{ path: 'src/a.ts', line: 7 }]],
    ['Read', 'read', [{ path: 'src/a.ts', line: 7 }]],
    ['grep', 'search', undefined],
    ['find', 'search', undefined],
    ['ls', 'search', undefined],
    ['constructor', 'other', undefined],
  ])('of %s are of kind %s', async (toolName, kind, locations) => {
    const { events } = await play([
      execution('start', { toolName, args: { path: 'src/a.ts', offset: 7 } }),
      execution('end', { toolName, result: text(''), isError: false }),
    ])
    const [start, input] = events.filter((event) => event.type === 'tool')
    expect(start).toMatchObject({ phase: 'start', kind })
    expect(input?.type === 'tool' && input.phase === 'input' && input.locations).toEqual(locations)
  })

  it('name the MCP server that they belong to', async () => {
    const { events } = await play([
      execution('start', { toolName: 'mcp__files__list', args: {} }),
      execution('end', { toolName: 'mcp__files__list', result: text(''), isError: false }),
    ])
    expect(events[0]).toMatchObject({ name: 'list', server: 'files', kind: 'other' })
  })

  it('that never ran end as interrupted with the turn', async () => {
    expect(
      await said([
        ...answer('delta-only', [{ call: bash, fragments: bashFragments }], { stopReason: 'toolUse' }),
        execution('start', { args: bash.arguments }),
      ]),
    ).toEqual([
      'tool call_1 bash start',
      'tool call_1 bash input +{"command":',
      'tool call_1 bash input +"echo hi"}',
      'tool call_1 bash input {"command":"echo hi"}',
      'tool call_1 bash end interrupted',
    ])
  })
})

describe('the session', () => {
  it.each([
    ['new', {}, {}],
    ['resumed', { resume: 's1' }, {}],
    ['resumed', { resume: 's1' }, { parentSession: '/home/sessions/2026_s0.jsonl' }],
    ['forked', { resume: 's0', fork: true }, { parentSession: '/home/sessions/2026_s0.jsonl' }],
  ])('is %s when asked %o', async (origin, options, more) => {
    const { completion, said } = await play(
      [{ ...session, ...more }, ...answer('delta-only', [{ text: ['Hi'] }]), ...runEnd('delta-only')],
      { options },
    )
    expect(said[0]).toBe(`session s1 ${origin}`)
    expect(completion.status).toBe('success')
  })

  it.each([[{ resume: 's0' }], [{ resume: 's' }], [{ resume: 's0', fork: true }]])(
    'that is a fresh one instead of %o is rejected',
    async (options) => {
      const { completion, said } = await play(
        [session, ...answer('delta-only', [{ text: ['Hi'] }]), ...runEnd('delta-only')],
        { options },
      )
      expect(said[0]).toBe('session s1 new')
      expect(completion).toMatchObject({
        status: 'error',
        text: 'Hi',
        error: { code: 'resume_rejected', retryable: false },
      })
    },
  )
})

describe('the end', () => {
  const good = answer('delta-only', [{ text: ['Done.'] }])

  it.each([
    ['agent_settled', [...good, ...runEnd('delta-only')], 'agent_settled, stopReason stop'],
    [
      'an agent_end that promises no retry (0.75.4 to 0.80.3)',
      [...good, { type: 'agent_end', willRetry: false }],
      'agent_end, stopReason stop',
    ],
    [
      'an agent_end that says nothing of retries (0.75.3 and before)',
      [...good, { type: 'agent_end' }],
      'agent_end, stopReason stop',
    ],
  ])('is %s', async (_name, records, detail) => {
    expect((await play(records)).completion).toMatchObject({
      status: 'success',
      evidence: { by: 'record', detail },
    })
  })

  it.each([
    ['without any of them', good],
    ['with an agent_end that promises a retry', [...good, { type: 'agent_end', willRetry: true }]],
    ['with an agent_end that a new run took back', [...good, { type: 'agent_end' }, agentStart]],
    ['with a session alone', [session]],
    ['with nothing at all', []],
  ])('is an error %s, in spite of exit 0', async (_name, records) => {
    expect((await play(records)).completion).toMatchObject({
      status: 'error',
      error: { code: 'protocol' },
      evidence: { by: 'exit' },
    })
  })

  it('is interrupted when agent_settled says that the run was aborted', async () => {
    const { completion } = await play([...good, ...runEnd('delta-only', { aborted: true })])
    expect(completion).toMatchObject({ status: 'interrupted', error: { code: 'aborted' } })
  })

  it('is interrupted, not failed, when it was aborted while it waited for a retry', async () => {
    const { completion } = await play([
      ...answer('delta-only', [{ text: ['Half'] }], { stopReason: 'error', errorMessage: 'terminated' }),
      ...retryAnnounced('delta-only', 'terminated'),
      { type: 'auto_retry_end', success: false, attempt: 1, finalError: 'Retry cancelled' },
      { type: 'agent_settled', aborted: true },
    ])
    expect(completion).toMatchObject({ status: 'interrupted', text: '', error: { code: 'aborted' } })
  })

  it('is an error when pi settles without any answer', async () => {
    const { completion } = await play([session, agentStart, ...runEnd('delta-only')])
    expect(completion).toMatchObject({ status: 'error', error: { code: 'protocol' } })
  })

  it('is good after a tool that ends the run by itself', async () => {
    const { completion } = await play([
      ...answer('delta-only', [{ text: ['Over.'] }, { call: bash, fragments: bashFragments }], {
        stopReason: 'toolUse',
      }),
      execution('start', { args: bash.arguments }),
      execution('end', { result: text('hi'), isError: false }),
      ...runEnd('delta-only'),
    ])
    expect(completion).toMatchObject({ status: 'success', text: 'Over.' })
  })
})

describe('records that say nothing', () => {
  it.each([
    'turn_start',
    'turn_end',
    'queue_update',
    'entry_appended',
    'session_info_changed',
    'thinking_level_changed',
    'auto_retry_end',
    'summarization_retry_finished',
  ])('%s is ignored silently', async (type) => {
    const { said, completion } = await play([{ type, steering: [], message: { role: 'assistant' } }])
    expect(said).toEqual([])
    expect(completion.ledger).toMatchObject({ ignored: 1, unknown: 0 })
  })

  it.each([
    ['a record', { type: 'telepathy' }],
    ['a record without a type', { id: 1 }],
    ['an update', update({ type: 'smell_delta', contentIndex: 0 })],
    ['a role', { type: 'message_start', message: { role: 'oracle' } }],
    ['a message part', end([{ type: 'hologram' }])],
  ])('%s that is new is one counted notice', async (_name, record) => {
    const { said, completion } = await play([record])
    expect(said).toEqual(['notice unknown_record'])
    expect(completion.ledger).toMatchObject({ unknown: 1 })
  })

  it.each([
    [{ type: 'message_update' }],
    [{ type: 'message_update', assistantMessageEvent: 'text' }],
    [{ type: 'message_start', message: null }],
    [{ type: 'tool_execution_start', toolCallId: 7 }],
    [{ type: 'tool_execution_end' }],
    [{ type: 'session', id: 5 }],
  ])('that are malformed are a notice, not a crash: %o', async (record) => {
    expect(await said([record])).toEqual(['notice unknown_record'])
  })
})

describe('notices', () => {
  it('tell of compaction and of its failure', async () => {
    const { events } = await play([
      { type: 'compaction_start', reason: 'threshold' },
      {
        type: 'compaction_end',
        reason: 'threshold',
        aborted: false,
        willRetry: false,
        errorMessage: 'no room',
      },
      {
        type: 'summarization_retry_scheduled',
        attempt: 1,
        maxAttempts: 3,
        delayMs: 2000,
        errorMessage: '529 overloaded',
      },
      { type: 'extension_error', extensionPath: '/e.ts', event: 'tool_call', error: 'broken extension' },
    ])
    expect(events.filter((event) => event.type === 'notice')).toMatchObject([
      { level: 'info', code: 'compaction' },
      { level: 'warning', code: 'compaction_failed', message: 'no room' },
      {
        level: 'warning',
        code: 'retry',
        details: { attempt: 1, maxAttempts: 3, delayMs: 2000, code: 'overloaded' },
      },
      { level: 'warning', code: 'extension_error', message: 'broken extension' },
    ])
  })
})

function update(event: Json): Json {
  return { type: 'message_update', assistantMessageEvent: event }
}

function end(content: Json[], stopReason = 'stop'): Json {
  return { type: 'message_end', message: { role: 'assistant', content, stopReason } }
}
