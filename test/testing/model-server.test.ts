import { afterEach, describe, expect, it } from 'vitest'
import { type ModelServer, startModelServer } from '../../src/testing/model-server.ts'
import type { ModelApiName, Scenario } from '../../src/testing/scenario.ts'
import { longAnswer, scenarios } from '../../src/testing/scenarios.ts'
import { at, readEvents } from './server-sent-events.ts'

let server: ModelServer
afterEach(() => server.close())

const paths = {
  anthropic: '/v1/messages',
  'openai-responses': '/v1/responses',
  'openai-chat': '/v1/chat/completions',
} as const
const apis = Object.keys(paths) as ModelApiName[]

/** The smallest conversation that each API accepts. */
const opening = {
  anthropic: { model: 'm', max_tokens: 100, messages: [{ role: 'user', content: 'hi' }] },
  'openai-responses': { model: 'm', input: [{ type: 'message', role: 'user', content: 'hi' }] },
  'openai-chat': { model: 'm', messages: [{ role: 'user', content: 'hi' }] },
}

async function start(scenario: Scenario): Promise<void> {
  server = await startModelServer({ scenario })
}

function ask(api: ModelApiName, body: object): Promise<Response> {
  return fetch(server.url + paths[api], { method: 'POST', body: JSON.stringify(body) })
}

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

describe.each(apis)('%s', (api) => {
  it('answers a scripted error with that status, its message and retry-after', async () => {
    await start([{ status: 429, retryAfter: 7, errorMessage: 'slow down' }])
    const response = await ask(api, { ...opening[api], stream: true })
    expect(response.status).toBe(429)
    expect(response.headers.get('retry-after')).toBe('7')
    expect(at(await response.json(), 'error', 'message')).toBe('slow down')
  })

  it('cuts the connection after exactly so many deltas', async () => {
    await start([{ text: ['1', '2', '3', '4'], cutAfter: 2 }])
    const { events, cut } = await readEvents(await ask(api, { ...opening[api], stream: true }))
    expect(cut).toBe(true)
    const paths = {
      anthropic: ['delta', 'text'],
      'openai-responses': ['delta'],
      'openai-chat': ['choices', 0, 'delta', 'content'],
    }
    const streamed = events.map((event) => at(event.data, ...paths[api]))
    expect(streamed.filter(Boolean)).toEqual(['1', '2'])
  })

  it('gives a request without streaming its own reply where the scenario has one', async () => {
    await start(scenarios.connectionCut)
    const answer = JSON.stringify(await (await ask(api, opening[api])).json())
    expect(answer).toContain('Asked again in one piece, the model says something else.')
  })

  it('fails once and then goes on, for the scenario overloadedOnce', async () => {
    await start(scenarios.overloadedOnce)
    const statuses: number[] = []
    for (let attempt = 0; attempt < 3; attempt++) statuses.push((await ask(api, opening[api])).status)
    expect(statuses).toEqual([529, 200, 200])
  })

  it('goes silent where the scenario hangs, and close() ends that connection', async () => {
    await start([{ text: ['1', '2', '3'], hangAfter: 1 }])
    const response = await ask(api, { ...opening[api], stream: true })
    const reader = response.body?.getReader()
    expect((await reader?.read())?.done).toBe(false)
    await server.close()
    await expect(drain(reader)).rejects.toThrow()
  })

  it('says where it is as that API’s own SDK wants to hear it', async () => {
    await start(scenarios.text)
    expect(server.endpointFor(api)).toEqual({
      url: api === 'anthropic' ? server.url : `${server.url}/v1`,
      api,
      credential: 'loopback',
    })
  })
})

async function drain(reader: ReadableStreamDefaultReader<Uint8Array> | undefined): Promise<void> {
  for (;;) if ((await reader?.read())?.done ?? true) return
}

describe('The request decides the step', () => {
  const steps = [{ text: 'zero' }, { text: 'one' }, { text: 'two' }]
  const call = (id: string) => ({ type: 'function_call', call_id: id, name: 'shell', arguments: '{}' })
  const output = (id: string) => ({ type: 'function_call_output', call_id: id, output: 'done' })
  const use = (id: string) => ({ type: 'tool_use', id, name: 'Bash', input: {} })
  const result = (id: string) => ({ type: 'tool_result', tool_use_id: id, content: 'done' })
  const user = { role: 'user', content: 'hi' }
  const assistant = { role: 'assistant', content: 'hello' }

  it.each<[string, ModelApiName, object, number]>([
    ['no answer yet', 'anthropic', { messages: [user] }, 0],
    ['one answer', 'anthropic', { messages: [user, assistant, user] }, 1],
    [
      'two calls of one answer with their results between them',
      'anthropic',
      {
        messages: [
          user,
          { role: 'assistant', content: [use('toolu_a1_0')] },
          { role: 'user', content: [result('toolu_a1_0')] },
          { role: 'assistant', content: [use('toolu_a1_1')] },
          { role: 'user', content: [result('toolu_a1_1')] },
        ],
      },
      1,
    ],
    [
      'a message, reasoning and two calls that are one answer',
      'openai-responses',
      {
        input: [
          user,
          { type: 'reasoning', summary: [] },
          assistant,
          call('call_a1_0'),
          call('call_a1_1'),
          output('call_a1_0'),
          output('call_a1_1'),
        ],
      },
      1,
    ],
    [
      'calls that alternate with their results',
      'openai-responses',
      {
        input: [
          user,
          call('call_a1_0'),
          output('call_a1_0'),
          call('call_a1_1'),
          output('call_a1_1'),
          call('call_a2_0'),
          output('call_a2_0'),
        ],
      },
      2,
    ],
    [
      'after the last step, the first again',
      'openai-chat',
      { messages: [user, assistant, user, assistant, user, assistant] },
      0,
    ],
  ])('%s', async (_what, api, body, step) => {
    await start(steps)
    const answer = JSON.stringify(await (await ask(api, { model: 'm', ...body })).json())
    expect(answer).toContain(`"${['zero', 'one', 'two'][step]}"`)
  })

  it('and a scenario that is a function sees the request', async () => {
    await start((request, held) => ({
      text: `${request.userTexts.join()} ${request.toolResults.join()} ${held}`,
    }))
    const messages = [
      user,
      { role: 'assistant', content: [use('t')] },
      { role: 'user', content: [result('t')] },
    ]
    const answer = await (await ask('anthropic', { messages })).json()
    expect(at(answer, 'content', 0, 'text')).toBe('hi done 1')
  })
})

describe('The shell tool', () => {
  const chat = (name: string) => ({ tools: [{ type: 'function', function: { name, parameters: {} } }] })
  const responses = (tool: object) => ({ tools: [tool] })
  const argv = { properties: { command: { type: 'array', items: { type: 'string' } } } }
  const text = { properties: { command: { type: 'string' } } }

  it.each<[string, ModelApiName, object, object]>([
    ['bash of pi', 'openai-chat', chat('bash'), { name: 'bash', arguments: '{"command":"ls"}' }],
    [
      'shell of codex, which takes an argv',
      'openai-responses',
      responses({ type: 'function', name: 'shell', parameters: argv }),
      { name: 'shell', arguments: '{"command":["bash","-lc","ls"]}' },
    ],
    [
      'shell_command of codex',
      'openai-responses',
      responses({ type: 'function', name: 'shell_command', parameters: text }),
      { name: 'shell_command', arguments: '{"command":"ls"}' },
    ],
    [
      'the built-in local_shell',
      'openai-responses',
      responses({ type: 'local_shell' }),
      { type: 'local_shell_call', action: { type: 'exec', env: {}, command: ['bash', '-lc', 'ls'] } },
    ],
    [
      'a tool of another name',
      'openai-responses',
      responses({ type: 'custom', name: 'other' }),
      { name: 'shell', arguments: '{"command":"ls"}' },
    ],
  ])('is %s', async (_what, api, offered, expected) => {
    await start([{ toolCalls: [{ name: 'shell', input: { command: 'ls' } }] }])
    const answer = await (await ask(api, { ...opening[api], ...offered })).json()
    const made = at(answer, 'output', 0) ?? at(answer, 'choices', 0, 'message', 'tool_calls', 0, 'function')
    expect(made).toMatchObject(expected)
  })

  it('leaves free-form input as it is', async () => {
    await start([{ toolCalls: [{ name: 'apply_patch', input: '*** Begin Patch' }] }])
    const tools = [{ type: 'custom', name: 'apply_patch' }]
    const answer = await (await ask('openai-responses', { ...opening['openai-responses'], tools })).json()
    expect(at(answer, 'output', 0)).toMatchObject({ type: 'custom_tool_call', input: '*** Begin Patch' })
  })
})

describe('The server', () => {
  it('records what was asked: headers, body, tools and instructions', async () => {
    await start(scenarios.text)
    const body = {
      ...opening.anthropic,
      system: [
        { type: 'text', text: 'Be' },
        { type: 'text', text: 'kind.' },
      ],
      tools: [{ name: 'Read' }, { name: 'Bash' }],
    }
    await fetch(`${server.url}/v1/messages?beta=true`, {
      method: 'POST',
      headers: { 'x-api-key': 'k' },
      body: JSON.stringify(body),
    })
    expect(server.requests).toMatchObject([
      {
        api: 'anthropic',
        method: 'POST',
        path: '/v1/messages?beta=true',
        model: 'm',
        stream: false,
        offeredTools: ['Read', 'Bash'],
        instructions: 'Be\nkind.',
        userTexts: ['hi'],
        headers: { 'x-api-key': 'k' },
        body,
      },
    ])
  })

  it.each([
    ['HEAD', '/', ''],
    ['GET', '/v1/models', '{"object":"list","data":[]}'],
    ['POST', '/v1/messages/count_tokens?beta=true', '{"input_tokens":120}'],
    ['POST', '/api/event_logging/batch', '{}'],
  ])('answers the probe %s %s', async (method, path, text) => {
    await start(scenarios.text)
    const response = await fetch(server.url + path, { method })
    expect([response.status, await response.text()]).toEqual([200, text])
    expect(server.requests[0]?.api).toBe('other')
  })

  it('plays another scenario when told so', async () => {
    await start(scenarios.unauthorized)
    expect((await ask('anthropic', opening.anthropic)).status).toBe(401)
    server.play(scenarios.text)
    expect((await ask('anthropic', opening.anthropic)).status).toBe(200)
  })

  it('streams a long answer whole', async () => {
    await start(longAnswer(500))
    const { events } = await readEvents(await ask('anthropic', { ...opening.anthropic, stream: true }))
    const text = events.map((event) => at(event.data, 'delta', 'text') ?? '').join('')
    expect(text.split('\n')).toHaveLength(502)
    expect(text.endsWith('| 500 | Tórshavn | calm sea, wind from the west |')).toBe(true)
  })

  it('can be closed twice', async () => {
    await start(scenarios.text)
    await server.close()
    await server.close()
  })
})
