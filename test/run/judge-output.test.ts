import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { readCallerSchema } from '../../src/options/caller-schema.ts'
import type { CompletionStatement } from '../../src/protocol/outcome.ts'
import { judgeOutput } from '../../src/run/judge-output.ts'

const schema = readCallerSchema(z.object({ a: z.number() }), 'outputSchema')

function ended(text: string, more: { structuredOutput?: unknown } = {}): CompletionStatement {
  const evidence = { by: 'record', detail: 'bye' } as const
  return { type: 'completion', status: 'success', text, stopReason: 'end_turn', evidence, ...more }
}

describe('the answer is read as JSON alone, or as the only fenced block', () => {
  const rows: [string, string, unknown][] = [
    ['JSON', '{"a":1}', { a: 1 }],
    ['JSON with space around it', '\n {"a": 1}\n', { a: 1 }],
    ['a fenced block', '```json\n{"a":1}\n```', { a: 1 }],
    ['a fenced block without a word, in CRLF', '```\r\n{"a":1}\r\n```\r\n', { a: 1 }],
    ['a fenced block with words around it', 'Here it is:\n\n```JSON\n{"a":1}\n```\n\nDone.', { a: 1 }],
    ['words with JSON in them', 'Here it is: {"a":1}', undefined],
    ['two fenced blocks', '```json\n{"a":1}\n```\nor\n```json\n{"a":1}\n```', undefined],
    ['a block of another language', '```js\n{"a":1}\n```', undefined],
    ['an open block', '```json\n{"a":1}', undefined],
    ['nothing', '', undefined],
    ['two objects', '{"a":1}\n{"a":2}', undefined],
    ['words behind it', '{"a":1} That is all.', undefined],
    ['what is no number in JSON', '{"a":NaN}', undefined],
    ['single quotes', "{'a':1}", undefined],
    ['another type', '{"a":"1"}', undefined],
    ['an empty block', '```json\n```', undefined],
    ['a block in a quotation', '> ```json\n> {"a":1}\n> ```', undefined],
    ['JSON text in JSON', '"{\\"a\\":1}"', undefined],
    ['more than it was asked for', '{"a":1,"b":2}', { a: 1 }],
  ]
  test.each(rows)('%s', async (_, text, output) => {
    const judged = await judgeOutput(ended(text), schema)
    expect(judged.structuredOutput).toEqual(output)
    expect(judged.status).toBe(output === undefined ? 'error' : 'success')
    expect(judged.text).toBe(text)
  })
})

test('what the CLI itself says to be the output is taken before the text', async () => {
  const judged = await judgeOutput(ended('Done.', { structuredOutput: { a: 2, b: 3 } }), schema)
  expect(judged).toMatchObject({ status: 'success', structuredOutput: { a: 2 }, text: 'Done.' })
})

test('a mismatch is an error that says in one line what is wrong, with the first issues', async () => {
  const many = readCallerSchema(z.array(z.string()), 'outputSchema')
  const judged = await judgeOutput(ended(JSON.stringify(Array.from({ length: 50 }, () => 1))), many)
  expect(judged).toEqual({
    type: 'completion',
    status: 'error',
    text: JSON.stringify(Array.from({ length: 50 }, () => 1)),
    stopReason: 'end_turn',
    error: {
      code: 'output_mismatch',
      message:
        'The answer does not fit outputSchema at 0: Invalid input: expected string, received number (and 49 more)',
      retryable: false,
      hint: 'Resume the conversation and say what was wrong, or ask for less in `outputSchema`.',
      issues: Array.from({ length: 20 }, (_, index) => ({
        path: String(index),
        message: 'Invalid input: expected string, received number',
      })),
    },
    evidence: { by: 'host', detail: 'outputSchema' },
  })
})

test('a schema whose own code fails is a mismatch, whether it throws or rejects', async () => {
  for (const failing of [
    z.string().transform(() => {
      throw new Error('no such port')
    }),
    {
      '~standard': {
        version: 1,
        vendor: 'other',
        validate: async () => Promise.reject(new Error('no such port')),
        jsonSchema: { input: () => ({ type: 'string' }) },
      },
    },
  ]) {
    const { error } = await judgeOutput(ended('"x"'), readCallerSchema(failing, 'outputSchema'))
    expect(error?.issues).toEqual([{ path: '', message: "the schema's own code failed: no such port" }])
  }
})

test('a turn that ended otherwise stays as it ended, without an output', async () => {
  const error = { code: 'refused', message: 'no', retryable: false } as const
  // A wire of someone without types.
  const statement = JSON.parse(
    JSON.stringify({ ...ended('{"a":1}', { structuredOutput: { a: 1 } }), status: 'error', error }),
  )
  const judged = await judgeOutput(statement, schema)
  expect(judged).toMatchObject({ status: 'error', error })
  expect(judged).not.toHaveProperty('structuredOutput')
})
