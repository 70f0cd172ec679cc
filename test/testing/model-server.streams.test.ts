import { afterEach, describe, expect, it } from 'vitest'
import { scenarios } from '../../src/testing/scenarios.ts'
import { ask, opening, server, start } from './asking-model-server.ts'
import { at, readEvents } from './server-sent-events.ts'

afterEach(() => server.close())

describe('Anthropic Messages', () => {
  it('streams thinking, text and a call to the offered shell tool in several deltas', async () => {
    await start([
      { thinking: ['a', 'b'], text: ['c', 'd'], toolCalls: [{ name: 'shell', input: { command: 'ls' } }] },
    ])
    const tools = [{ name: 'Bash', input_schema: { properties: { command: { type: 'string' } } } }]
    const { events } = await readEvents(await ask('anthropic', { ...opening.anthropic, stream: true, tools }))
    expect(events.map((event) => event.name)).toEqual([
      'message_start',
      'ping',
      'content_block_start',
      'content_block_delta',
      'content_block_delta',
      'content_block_delta',
      'content_block_stop',
      'content_block_start',
      'content_block_delta',
      'content_block_delta',
      'content_block_stop',
      'content_block_start',
      'content_block_delta',
      'content_block_delta',
      'content_block_stop',
      'message_delta',
      'message_stop',
    ])
    const deltas = events.flatMap((event) => at(event.data, 'delta') ?? [])
    expect(deltas).toEqual([
      { type: 'thinking_delta', thinking: 'a' },
      { type: 'thinking_delta', thinking: 'b' },
      { type: 'signature_delta', signature: 'bG9vcGJhY2s=' },
      { type: 'text_delta', text: 'c' },
      { type: 'text_delta', text: 'd' },
      { type: 'input_json_delta', partial_json: '{"comman' },
      { type: 'input_json_delta', partial_json: 'd":"ls"}' },
      { stop_reason: 'tool_use', stop_sequence: null },
    ])
    expect(at(events, 11, 'data', 'content_block')).toEqual({
      type: 'tool_use',
      id: 'toolu_a1_0',
      name: 'Bash',
      input: {},
    })
  })

  it('answers without streaming in one piece', async () => {
    await start([{ thinking: 'Hm.', text: 'Good morning.' }])
    const answer = await (await ask('anthropic', opening.anthropic)).json()
    expect(answer).toEqual({
      id: 'msg_a1',
      type: 'message',
      role: 'assistant',
      model: 'm',
      stop_sequence: null,
      content: [
        { type: 'thinking', thinking: 'Hm.', signature: 'bG9vcGJhY2s=' },
        { type: 'text', text: 'Good morning.' },
      ],
      stop_reason: 'end_turn',
      usage: {
        input_tokens: 100,
        cache_creation_input_tokens: 0,
        cache_read_input_tokens: 20,
        output_tokens: 40,
      },
    })
  })

  it.each([
    ['a quota probe', { max_tokens: 1 }],
    ['the warm-up of a sub-agent', { messages: [{ role: 'user', content: 'Warmup' }] }],
    ['a title', { system: 'Write a short title for this coding session.' }],
    [
      'the prefix of a command',
      { system: [{ type: 'text', text: 'Your task is to process Bash commands' }] },
    ],
    ['the files of a git history', { system: 'You are an expert at analyzing git history. Return five.' }],
    ['the paths in a command', { system: 'Extract any file paths that this command reads' }],
  ])('does not spend a step on %s', async (_what, fields) => {
    await start([{ attempts: [{ text: 'the step' }, { status: 500 }] }])
    const side = await ask('anthropic', { ...opening.anthropic, ...fields })
    expect(at(await side.json(), 'content')).toEqual([{ type: 'text', text: 'ok' }])
    const step = await ask('anthropic', opening.anthropic)
    expect(at(await step.json(), 'content')).toEqual([{ type: 'text', text: 'the step' }])
    expect(server.requests.map((request) => request.side)).toEqual([true, false])
  })
})

describe('OpenAI Responses', () => {
  it('streams reasoning, text and a call in several deltas, numbered', async () => {
    await start([
      { thinking: ['a', 'b'], text: ['c', 'd'], toolCalls: [{ name: 'shell', input: { command: 'ls' } }] },
    ])
    const tools = [
      {
        type: 'function',
        name: 'exec_command',
        parameters: { properties: { cmd: { type: 'string' } } },
      },
    ]
    const body = { ...opening['openai-responses'], stream: true, tools }
    const { events } = await readEvents(await ask('openai-responses', body))
    expect(events.map((event) => event.name)).toEqual([
      'response.created',
      'response.in_progress',
      'response.output_item.added',
      'response.reasoning_summary_part.added',
      'response.reasoning_summary_text.delta',
      'response.reasoning_summary_text.delta',
      'response.reasoning_summary_text.done',
      'response.reasoning_summary_part.done',
      'response.output_item.done',
      'response.output_item.added',
      'response.content_part.added',
      'response.output_text.delta',
      'response.output_text.delta',
      'response.output_text.done',
      'response.content_part.done',
      'response.output_item.done',
      'response.output_item.added',
      'response.function_call_arguments.delta',
      'response.function_call_arguments.delta',
      'response.function_call_arguments.done',
      'response.output_item.done',
      'response.completed',
    ])
    expect(events.map((event) => at(event.data, 'sequence_number'))).toEqual([...events.keys()])
    expect(at(events.at(-2)?.data, 'item')).toEqual({
      id: 'fc_call_a1_0',
      call_id: 'call_a1_0',
      status: 'completed',
      type: 'function_call',
      name: 'exec_command',
      arguments: '{"cmd":"ls"}',
    })
    expect(at(events.at(-1)?.data, 'response', 'usage')).toEqual({
      input_tokens: 120,
      input_tokens_details: { cached_tokens: 20 },
      output_tokens: 40,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: 160,
    })
  })

  it.each(['mcp__bridge', 'mcp__bridge__'])(
    'calls a tool of the namespace %s by its whole name',
    async (namespace) => {
      await start([{ toolCalls: [{ name: 'mcp__bridge__look', input: { at: 'north' } }] }])
      const tools = [{ type: 'namespace', name: namespace, tools: [{ type: 'function', name: 'look' }] }]
      const response = await ask('openai-responses', { ...opening['openai-responses'], tools })
      expect(at(await response.json(), 'output')).toMatchObject([
        { type: 'function_call', name: 'look', namespace, arguments: '{"at":"north"}' },
      ])
    },
  )

  it('ends an answer that hit the token limit as incomplete', async () => {
    await start(scenarios.maxTokens)
    const body = { ...opening['openai-responses'], stream: true }
    const last = (await readEvents(await ask('openai-responses', body))).events.at(-1)
    expect(last?.name).toBe('response.incomplete')
    expect(at(last?.data, 'response', 'incomplete_details')).toEqual({ reason: 'max_output_tokens' })
  })
})

describe('OpenAI Chat Completions', () => {
  it('streams reasoning, text and a call in several deltas', async () => {
    await start([
      { thinking: ['a', 'b'], text: ['c', 'd'], toolCalls: [{ name: 'shell', input: { command: 'ls' } }] },
    ])
    const tools = [{ type: 'function', function: { name: 'bash', parameters: { properties: {} } } }]
    const body = { ...opening['openai-chat'], stream: true, stream_options: { include_usage: true }, tools }
    const { events } = await readEvents(await ask('openai-chat', body))
    expect(events.flatMap((event) => at(event.data, 'choices', 0, 'delta') ?? [])).toEqual([
      { role: 'assistant', content: '' },
      { reasoning_content: 'a' },
      { reasoning_content: 'b' },
      { content: 'c' },
      { content: 'd' },
      {
        tool_calls: [
          { index: 0, id: 'call_a1_0', type: 'function', function: { name: 'bash', arguments: '' } },
        ],
      },
      { tool_calls: [{ index: 0, function: { arguments: '{"comman' } }] },
      { tool_calls: [{ index: 0, function: { arguments: 'd":"ls"}' } }] },
      {},
    ])
    expect(at(events.at(-3)?.data, 'choices', 0, 'finish_reason')).toBe('tool_calls')
    expect(at(events.at(-2)?.data, 'usage', 'prompt_tokens')).toBe(120)
    expect(at(events.at(-1)?.data, 'type')).toBe('[DONE]')
  })
})
