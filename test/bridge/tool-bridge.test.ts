import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { type BridgeTool, defineTool } from '../../src/bridge.ts'
import { callByHttp, connect, startBridge } from './clients.ts'

const add = defineTool({
  name: 'add',
  title: 'Addition',
  description: 'Adds two numbers.',
  input: z.object({ a: z.number(), b: z.number().default(1) }),
  output: z.object({ sum: z.number() }),
  annotations: { readOnlyHint: true },
  execute: async ({ a, b }) => ({ sum: a + b }),
})

const weather = defineTool({
  name: 'weather',
  description: 'Tells the weather.',
  input: {
    type: 'object',
    properties: { city: { type: 'string' }, days: { type: 'integer', minimum: 1 } },
    required: ['city'],
    additionalProperties: false,
  },
  execute: ({ city }) => `Sunny in ${city}.`,
})

/** A tool that returns what it is told to. */
function returning(value: unknown, output?: BridgeTool['output']): BridgeTool {
  return {
    name: 'answer',
    description: 'Answers.',
    input: { type: 'object' },
    execute: () => value,
    ...(output && { output }),
  }
}

async function call(tool: BridgeTool, input: Record<string, unknown> = {}) {
  const bridge = await startBridge([tool])
  const client = await connect(bridge.openSession())
  const result = await client.callTool({ name: tool.name, arguments: input })
  return { result, logged: bridge.logged }
}

test('a client is told the tools with their schemas, titles and annotations', async () => {
  const bridge = await startBridge([add, weather])
  const client = await connect(bridge.openSession())
  expect(await client.listTools()).toEqual({
    tools: [
      {
        name: 'add',
        title: 'Addition',
        description: 'Adds two numbers.',
        inputSchema: {
          type: 'object',
          properties: { a: { type: 'number' }, b: { type: 'number', default: 1 } },
          required: ['a'],
        },
        outputSchema: {
          type: 'object',
          properties: { sum: { type: 'number' } },
          required: ['sum'],
          additionalProperties: false,
        },
        annotations: { readOnlyHint: true },
      },
      {
        name: 'weather',
        description: 'Tells the weather.',
        inputSchema: {
          type: 'object',
          properties: { city: { type: 'string' }, days: { type: 'integer', minimum: 1 } },
          required: ['city'],
          additionalProperties: false,
        },
      },
    ],
  })
})

test('a function gets what its schema makes of the input, and answers as text and as structured content', async () => {
  const { result } = await call(add, { a: 2 })
  expect(result).toEqual({ content: [{ type: 'text', text: '{"sum":3}' }], structuredContent: { sum: 3 } })
})

describe('what a function returns', () => {
  const pixel = { type: 'image', data: 'aGVsbG8=', mimeType: 'image/png' }

  test.each([
    ['a text', 'Hello.', [{ type: 'text', text: 'Hello.' }]],
    ['JSON', { rows: [1, 2] }, [{ type: 'text', text: '{"rows":[1,2]}' }]],
    ['an empty list', [], [{ type: 'text', text: '[]' }]],
    ['rows that have a type of their own', [{ type: 'text' }], [{ type: 'text', text: '[{"type":"text"}]' }]],
    ['false', false, [{ type: 'text', text: 'false' }]],
    ['nothing', undefined, [{ type: 'text', text: '(no output)' }]],
    ['an empty text', '', [{ type: 'text', text: '(no output)' }]],
    ['a content block', pixel, [pixel]],
    ['content blocks', [{ type: 'text', text: 'Look:' }, pixel], [{ type: 'text', text: 'Look:' }, pixel]],
    ['a whole result', { content: [pixel] }, [pixel]],
    ['a promise of it', Promise.resolve('Later.'), [{ type: 'text', text: 'Later.' }]],
  ])('%s is said as content', async (_, value, content) => {
    const { result } = await call(returning(value))
    expect(result).toEqual({ content })
  })

  test('an error of its own making stays one', async () => {
    const { result } = await call(returning({ content: [{ type: 'text', text: 'No.' }], isError: true }))
    expect(result).toEqual({ content: [{ type: 'text', text: 'No.' }], isError: true })
  })

  test.each<[string, BridgeTool, RegExp]>([
    [
      'what its schema refuses',
      returning({ sum: 'three' }, z.object({ sum: z.number() })),
      /^The tool "answer" answered with what does not fit its output schema: sum: /,
    ],
    [
      'what its JSON Schema refuses',
      returning(
        { rows: [{ id: 1 }, {}] },
        {
          type: 'object',
          properties: { rows: { type: 'array', items: { type: 'object', required: ['id'] } } },
        },
      ),
      /does not fit its output schema: rows\.1\.id: /,
    ],
    ['what JSON cannot say', returning({ big: 1n }), /cannot be said as JSON/],
    [
      'an image that is no base64',
      returning({ type: 'image', data: 'ü', mimeType: 'image/png' }),
      /is no MCP content: content\.0/,
    ],
  ])('%s is an error to the model, and logged', async (_, tool, said) => {
    const { result, logged } = await call(tool)
    expect(result).toEqual({ isError: true, content: [{ type: 'text', text: expect.stringMatching(said) }] })
    expect(logged).toEqual([expect.stringMatching(/^tool bridge: the tool "answer" failed in the session "/)])
  })

  test('an output that is no object is checked, and said as text alone', async () => {
    const { result } = await call(returning(['a'], z.array(z.string())))
    expect(result).toEqual({ content: [{ type: 'text', text: '["a"]' }] })
    const { result: refused } = await call(returning([1], z.array(z.string())))
    expect(refused).toMatchObject({ isError: true })
  })
})

describe('an input that does not fit', () => {
  test.each<[string, Record<string, unknown>, RegExp]>([
    ['add', { a: 'two' }, /: a: /],
    ['add', { a: 1, b: null }, /: b: /],
    ['weather', {}, /: city: /],
    ['weather', { city: 'Ulm', days: 0 }, /: days: /],
    ['weather', { city: 'Ulm', hours: 3 }, /"hours"/],
    ['weather', { city: 3, days: 'x' }, /: city: .*; days: /],
  ])('of %s, %j, is an error that names the paths', async (name, input, said) => {
    const tool: BridgeTool = name === 'add' ? add : weather
    let called = false
    const execute = () => {
      called = true
    }
    const { result } = await call({ ...tool, execute }, input)
    expect(result).toEqual({ isError: true, content: [{ type: 'text', text: expect.stringMatching(said) }] })
    expect(called).toBe(false)
  })

  test('is no less wrong for what every object inherits', async () => {
    const strict: BridgeTool = { ...weather, input: { type: 'object', required: ['constructor'] } }
    expect((await call(strict)).result).toMatchObject({ isError: true })
  })

  test('with a thousand faults is said in one short line', async () => {
    const bad = { ...add, input: z.object({ list: z.array(z.number()) }) }
    const { result } = await call(bad, { list: Array.from({ length: 1_000 }, () => 'x') })
    const [said] = result.content as { text: string }[]
    expect(said?.text).toMatch(/; and 990 more\.$/)
    expect(said?.text.length).toBeLessThan(1_000)
  })
})

test('a function that throws is an error with its message and without its stack', async () => {
  const broken: BridgeTool = {
    ...weather,
    execute: () => {
      throw new Error('The weather is closed.')
    },
  }
  const { result, logged } = await call(broken, { city: 'Ulm' })
  expect(result).toEqual({ isError: true, content: [{ type: 'text', text: 'The weather is closed.' }] })
  expect(logged).toHaveLength(1)
})

test('a function says how far it is', async () => {
  const slow: BridgeTool = {
    ...weather,
    execute: (_, { progress }) => {
      progress(1, 2, 'Half.')
      progress(2)
      return 'Done.'
    },
  }
  const bridge = await startBridge([slow])
  const client = await connect(bridge.openSession())
  const heard: unknown[] = []
  const onprogress = (progress: unknown) => heard.push(progress)
  const result = await client.callTool({ name: 'weather', arguments: { city: 'Ulm' } }, undefined, {
    onprogress,
  })
  expect(result.content).toEqual([{ type: 'text', text: 'Done.' }])
  expect(heard).toEqual([{ progress: 1, total: 2, message: 'Half.' }, { progress: 2 }])
})

describe('a shell', () => {
  test.each(['MCP_CUSTOM', 'MCP_VIRTUAL'])('calls a tool at $%s with $MCP_AUTH', async (route) => {
    const bridge = await startBridge([add, weather])
    const { variables } = bridge.openSession()
    const [name = '', value = ''] = (variables.MCP_AUTH ?? '').split(': ')
    const response = await fetch(`${variables[route]}/add`, {
      method: 'POST',
      headers: { [name]: value, 'content-type': 'application/x-www-form-urlencoded' },
      body: '{"a":41}',
    })
    expect(response.status).toBe(200)
    expect(await response.json()).toEqual({
      content: [{ type: 'text', text: '{"sum":42}' }],
      structuredContent: { sum: 42 },
    })
  })

  test.each(['MCP_CUSTOM', 'MCP_VIRTUAL'])('is told the tools with their schemas at $%s', async (route) => {
    const bridge = await startBridge([weather])
    const { variables, token } = bridge.openSession()
    const response = await fetch(`${variables[route]}`, { headers: { authorization: `Bearer ${token}` } })
    expect(await response.json()).toEqual({
      tools: [{ name: 'weather', description: 'Tells the weather.', inputSchema: weather.input }],
    })
  })

  test("is told its session's routes and the names of its tools at $MCP_API_URL, and no token", async () => {
    const bridge = await startBridge([add, weather])
    const { url, variables, token } = bridge.openSession({ sessionId: 'mine', tools: ['weather'] })
    const response = await fetch(`${variables.MCP_API_URL}`, {
      headers: { authorization: `Bearer ${token}` },
    })
    expect(response.status).toBe(200)
    const text = await response.text()
    expect(text).not.toContain(token)
    expect(JSON.parse(text)).toEqual({
      sessionId: 'mine',
      routes: {
        MCP_MCP: `${url}/tools/mcp`,
        MCP_CUSTOM: `${url}/tools/custom`,
        MCP_VIRTUAL: `${url}/tools/virtual`,
      },
      tools: ['weather'],
    })
  })

  test.each([
    ['an input that does not fit', 'weather', '{"city":1}', 422, { isError: true }],
    ['an input that is no object', 'weather', '[]', 422, { isError: true }],
    ['an input that is missing', 'weather', '', 422, { isError: true }],
    ['an input that is no JSON', 'weather', 'city=Ulm', 400, { error: 'The body is no JSON.' }],
    ['a tool that is not there', 'wether', '{}', 404, { tools: ['weather'] }],
  ])('hears of %s by the status too', async (_, name, body, status, said) => {
    const bridge = await startBridge([weather])
    expect(await callByHttp(bridge.openSession(), name, body)).toEqual({
      status,
      body: expect.objectContaining(said),
    })
  })

  test('that hangs up ends its call', async () => {
    let started: (signal: AbortSignal) => void = () => {}
    const running = new Promise<AbortSignal>((resolve) => {
      started = resolve
    })
    const bridge = await startBridge([
      { ...weather, execute: (_, { signal }) => new Promise(() => started(signal)) },
    ])
    const session = bridge.openSession()
    const hangUp = new AbortController()
    const calling = fetch(`${session.url}/tools/custom/weather`, {
      method: 'POST',
      headers: { authorization: `Bearer ${session.token}` },
      body: '{"city":"Ulm"}',
      signal: hangUp.signal,
    })
    const signal = await running
    const aborted = new Promise((resolve) => signal.addEventListener('abort', resolve))
    hangUp.abort()
    await expect(calling).rejects.toThrow()
    await aborted
  })
})
