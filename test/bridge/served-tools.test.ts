import { expect, test } from 'vitest'
import { z } from 'zod'
import { readTools } from '../../src/bridge/served-tools.ts'
import { type BridgeTool, startToolBridge } from '../../src/bridge.ts'

const good: BridgeTool = { name: 'good', description: 'Good.', input: z.object({}), execute: () => 'Good.' }

function listed(tool: Partial<BridgeTool>) {
  return readTools([{ ...good, ...tool }]).get('good')?.listing
}

test.each<[string, Partial<BridgeTool>, string]>([
  ['no name', { name: '' }, 'The tool 1 is called "".'],
  ['a name with a slash', { name: 'server/tool' }, 'The tool 1 is called "server/tool".'],
  ['the name of another', { name: 'good' }, 'The tools 1 and "good" have the same name.'],
  ['a schema of text', { input: z.string() }, 'The input of the tool "bad" is no object.'],
  [
    'a schema of nothing',
    { input: JSON.parse('"object"') },
    'The option `input of the tool "bad"` is no schema.',
  ],
  [
    'a schema that is none',
    { input: { type: 'objekt' } },
    'The option `input of the tool "bad"` is no valid JSON Schema: schema is invalid: data/type must be equal to one of the allowed values',
  ],
  [
    'a date',
    { input: z.object({ day: z.date() }) },
    'No JSON Schema can be made of the option `input of the tool "bad"`: Date cannot be represented in JSON Schema.',
  ],
  [
    'a library that cannot say itself',
    { output: { '~standard': { version: 1, vendor: 'old', validate: () => ({ value: 1 }) } } },
    'The option `output of the tool "bad"` is a schema that makes no JSON Schema of itself.',
  ],
  ['no function', { execute: JSON.parse('null') }, 'The tool "bad" has no execute().'],
  ['no description', { description: JSON.parse('null') }, 'The tool "bad" has no description.'],
])('a tool with %s is refused, by name', async (_, wrong, message) => {
  const tools = [good, { ...good, name: 'bad', ...wrong }]
  await expect(startToolBridge({ tools })).rejects.toMatchObject({
    code: 'invalid_options',
    message: expect.stringContaining(message.slice(0, -1)),
  })
})

test('two tools that a CLI would call by one name are refused', () => {
  const tools = ['web.search', 'web_search'].map((name) => ({ ...good, name }))
  expect(() => readTools(tools)).toThrow('The tools 1 and "web.search" have the same name.')
})

test('a union of objects is said to be an object, as MCP wants it', () => {
  const input = z.discriminatedUnion('by', [
    z.object({ by: z.literal('id'), id: z.string() }),
    z.object({ by: z.literal('name'), name: z.string() }),
  ])
  expect(listed({ input })?.inputSchema).toMatchObject({ type: 'object', oneOf: [{}, {}] })
})

test.each<[string, BridgeTool['output'], string | undefined]>([
  ['an object', z.object({ a: z.string() }), 'object'],
  ['a union of objects', z.union([z.object({ a: z.string() }), z.object({ b: z.string() })]), 'object'],
  ['a union with a text', z.union([z.object({ a: z.string() }), z.string()]), undefined],
  ['a list', z.array(z.string()), undefined],
])('an output of %s is announced only if it can be structured content', (_, output, type) => {
  expect(output && listed({ output })?.outputSchema?.type).toBe(type)
})

test.each([
  [{ callTimeoutMs: 0 }, 'callTimeoutMs is no number of milliseconds.'],
  [{ callTimeoutMs: 2 ** 31 }, 'callTimeoutMs is no number of milliseconds.'],
  [{ maxBodyBytes: 0 }, 'maxBodyBytes is no number of bytes.'],
  [{ tools: JSON.parse('{}') }, '`tools` is no list of tools.'],
])('a bridge does not start with %j', async (options, message) => {
  const failure = await startToolBridge({ tools: [good], ...options }).catch((error: unknown) => error)
  expect(failure).toMatchObject({ code: 'invalid_options', message })
})

/** Of a library that describes, and does not check. */
const describing = {
  '~standard': {
    version: 1 as const,
    vendor: 'describing',
    jsonSchema: { input: () => ({ type: 'object', required: ['city'] }) },
  },
}

test('a schema that only describes is checked by its JSON Schema', async () => {
  const tool = readTools([{ ...good, input: describing }]).get('good')
  expect(await tool?.input.check({})).toEqual({
    issues: [{ path: 'city', message: "must have required property 'city'" }],
  })
  expect(await tool?.input.check({ city: 'Ulm' })).toEqual({ value: { city: 'Ulm' } })
})
