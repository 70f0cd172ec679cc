import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { claudeCode } from '../../../src/adapters/claude-code.ts'
import { readCallerSchema } from '../../../src/options/caller-schema.ts'
import { completionOf, eventsOf, textStory, toolStory } from './turn.ts'

const ofZod = (schema: z.ZodType) => readCallerSchema(schema, 'outputSchema').json

describe('the schema is left to the prompt where claude would not end, not start, or not heed it', () => {
  const small = { type: 'object', properties: { a: { type: 'string' } } }
  const large = { ...small, description: 'x'.repeat(130_000) }
  const inside = (part: object) => ({ type: 'object', properties: { type: part } })
  const rows: [string, object, string, 'structured' | 'live', RegExp | undefined][] = [
    ['a schema', small, '2.1.332', 'structured', undefined],
    ['a schema of a version that nobody knows', small, 'unknown', 'live', undefined],
    ['an old version', small, '2.1.136', 'live', /^below 2\.1\.332 it asks .* without end$/],
    ['a long schema', large, '2.1.332', 'structured', /^it is too long for claude's command line/],
    ['a long schema on stdin', large, '2.1.332', 'live', undefined],
    [
      'a tuple',
      ofZod(z.object({ a: z.tuple([z.string()]) })),
      '2.1.332',
      'live',
      /the keyword "prefixItems"/,
    ],
    ['a tuple of draft-07', inside({ items: [{}] }), '2.1.332', 'live', /the keyword "items" in this place/],
    ['a keyword of OpenAPI', inside({ example: 1 }), '2.1.332', 'live', /the keyword "example"/],
    ['a property called like nothing known', { properties: { example: {} } }, '2.1.332', 'live', undefined],
    ['what objects inherit', inside({ constructor: 1 }), '2.1.332', 'live', /the keyword "constructor"/],
    [
      'all that zod says of common things',
      ofZod(
        z.object({
          at: z.iso.datetime(),
          all: z.record(z.string(), z.int()),
          way: z.discriminatedUnion('k', [z.object({ k: z.literal('a') }), z.object({ k: z.literal('b') })]),
          some: z.string().optional().describe('maybe'),
          none: z.null(),
          loose: z.looseObject({ x: z.any() }),
          strict: z.strictObject({ x: z.boolean().default(true) }),
        }),
      ),
      '2.1.332',
      'structured',
      undefined,
    ],
  ]
  test.each(rows)('%s', (_, schema, version, transport, reason) => {
    const said = claudeCode.withoutOutputSchema?.({ ...schema }, { version, transport })
    if (reason) expect(said).toMatch(reason)
    else expect(said).toBeUndefined()
  })
})

const init = { type: 'system', subtype: 'init', session_id: 's1', tools: ['Bash', 'StructuredOutput'] }
const start = (id: string) => stream({ type: 'message_start', message: { id, role: 'assistant' } })
const answer = (id: string, input: object) => ({ type: 'tool_use', id, name: 'StructuredOutput', input })
const assistant = (id: string, ...content: object[]) => ({
  type: 'assistant',
  message: { id, role: 'assistant', content },
  parent_tool_use_id: null,
})
const told = (id: string, content: string, isError = false) => ({
  type: 'user',
  message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content, is_error: isError }] },
  parent_tool_use_id: null,
})

function stream(event: object): object {
  return { type: 'stream_event', event, parent_tool_use_id: null }
}

function streamed(id: string, ...pieces: string[]): object[] {
  const block = { type: 'tool_use', id, name: 'StructuredOutput', input: {} }
  return [
    stream({ type: 'content_block_start', index: 0, content_block: block }),
    ...pieces.map((partial_json) =>
      stream({ type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json } }),
    ),
  ]
}

const stop = stream({ type: 'content_block_stop', index: 0 })
const result = (more: object) => ({
  type: 'result',
  subtype: 'success',
  is_error: false,
  session_id: 's1',
  ...more,
})

describe('the tool that says the answer is the answer: a message, and no tool', () => {
  test('streamed, with one that did not fit before it', async () => {
    const events = await eventsOf([
      init,
      start('m1'),
      ...streamed('t1', '{"a":', '"x"}'),
      assistant('m1', answer('t1', { a: 'x' })),
      stop,
      told('t1', 'Output does not match required schema: /a: must be number', true),
      start('m2'),
      ...streamed('t2', '{"a": 1', '}'),
      assistant('m2', answer('t2', { a: 1 })),
      stop,
      told('t2', 'Structured output provided successfully'),
      result({ result: '{"a":1}', structured_output: { a: 1 } }),
    ])
    expect(textStory(events)).toEqual([
      'delta {"a":',
      'delta "x"}',
      'retracted {"a":"x"}',
      'delta {"a": 1',
      'delta }',
      'completed {"a": 1}',
    ])
    expect(toolStory(events)).toEqual([])
    expect(events[0]).toMatchObject({ type: 'session', tools: ['Bash'] })
    expect(completionOf(events)).toMatchObject({
      status: 'success',
      text: '{"a": 1}',
      structuredOutput: { a: 1 },
    })
  })

  test('in one piece, beside a text and a tool, and with a last word of the model after it (2.0.72)', async () => {
    const bash = { type: 'tool_use', id: 'b1', name: 'Bash', input: { command: 'ls' } }
    const events = await eventsOf([
      init,
      assistant('m1', { type: 'text', text: 'Here.' }, answer('t1', { a: 1 }), bash),
      told('t1', 'Structured output provided successfully'),
      told('b1', 'no files'),
      assistant('m2', { type: 'text', text: 'Done.' }),
      result({ result: 'Done.', structured_output: { a: 1 } }),
    ])
    expect(textStory(events).filter((line) => line.startsWith('completed'))).toEqual([
      'completed Here.',
      'completed {"a":1}',
      'completed Done.',
    ])
    expect(toolStory(events)).toEqual([
      'start b1 Bash',
      'input b1 Bash {"command":"ls"}',
      'end b1 Bash completed no files',
    ])
    expect(completionOf(events)).toMatchObject({ text: 'Done.', structuredOutput: { a: 1 } })
  })

  test('cut and asked again: the half is withdrawn', async () => {
    const events = await eventsOf([
      init,
      start('m1'),
      ...streamed('t1', '{"a":'),
      { type: 'system', subtype: 'api_retry', attempt: 1 },
      start('m2'),
      ...streamed('t1', '{"a":1}'),
      assistant('m2', answer('t1', { a: 1 })),
      told('t1', 'Structured output provided successfully'),
      result({ result: '{"a":1}', structured_output: { a: 1 } }),
    ])
    expect(textStory(events)).toEqual([
      'delta {"a":',
      'retracted {"a":',
      'delta {"a":1}',
      'completed {"a":1}',
    ])
  })

  const refusals: [string, object[]][] = [
    ['Output does not match required schema: /a: must be number', [{ path: 'a', message: 'must be number' }]],
    [
      "Output does not match required schema: root: must have required property 'b', /steps/0/a~1b: must be one of 1, 2",
      [
        { path: '', message: "must have required property 'b'" },
        { path: 'steps.0.a/b', message: 'must be one of 1, 2' },
      ],
    ],
    ['It does not fit.', [{ path: '', message: 'It does not fit.' }]],
  ]
  test.each(refusals)(
    'where claude gives up, the last thing that was wrong is told: %s',
    async (wrong, issues) => {
      const events = await eventsOf(
        [
          init,
          assistant('m1', answer('t1', { a: 'x' })),
          told('t1', wrong, true),
          result({ subtype: 'error_max_structured_output_retries', is_error: true, errors: ['Failed'] }),
        ],
        {},
        { exitCode: 1, signal: null },
      )
      expect(completionOf(events)).toMatchObject({
        status: 'error',
        text: '',
        error: { code: 'output_mismatch', issues },
      })
    },
  )
})
