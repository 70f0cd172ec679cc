import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { strictSchema } from '../../../src/adapters/codex-cli/output-schema.ts'
import { codexCli } from '../../../src/adapters/codex-cli.ts'
import { readCallerSchema } from '../../../src/options/caller-schema.ts'

const ofZod = (schema: z.ZodType) => readCallerSchema(schema, 'outputSchema').json

describe('what strict mode takes is sent: objects closed, what only narrows left to the check of the answer', () => {
  test('an object with lists, choices, nothing and formats', () => {
    const schema = ofZod(
      z.object({
        city: z.string().min(2).describe('where to'),
        at: z.iso.date(),
        link: z.url(),
        kind: z.enum(['sea', 'land']),
        stops: z.array(z.object({ n: z.int().min(0).max(9) })).max(3),
        next: z.union([z.string(), z.null()]),
        way: z.discriminatedUnion('by', [
          z.object({ by: z.literal('ship') }),
          z.object({ by: z.literal('car') }),
        ]),
      }),
    )
    expect(strictSchema(schema)).toEqual({
      schema: {
        type: 'object',
        properties: {
          city: { type: 'string', description: 'where to' },
          at: { type: 'string', format: 'date' },
          link: { type: 'string' },
          kind: { type: 'string', enum: ['sea', 'land'] },
          stops: {
            type: 'array',
            maxItems: 3,
            items: {
              type: 'object',
              properties: { n: { type: 'integer', minimum: 0, maximum: 9 } },
              required: ['n'],
              additionalProperties: false,
            },
          },
          next: { type: ['string', 'null'] },
          way: {
            anyOf: ['ship', 'car'].map((by) => ({
              type: 'object',
              properties: { by: { type: 'string', const: by } },
              required: ['by'],
              additionalProperties: false,
            })),
          },
        },
        required: ['city', 'at', 'link', 'kind', 'stops', 'next', 'way'],
        additionalProperties: false,
      },
    })
  })

  test('definitions and references, and values without a type', () => {
    const schema = {
      type: 'object',
      properties: {
        top: { $ref: '#/$defs/node', description: 'not beside a reference' },
        kind: { enum: ['a', 'b'] },
      },
      required: ['top', 'kind'],
      $defs: {
        node: {
          type: 'object',
          properties: { kids: { type: 'array', items: { $ref: '#/$defs/node' } } },
          required: ['kids'],
        },
      },
    }
    expect(strictSchema(schema)).toEqual({
      schema: {
        type: 'object',
        properties: { top: { $ref: '#/$defs/node' }, kind: { type: 'string', enum: ['a', 'b'] } },
        required: ['top', 'kind'],
        additionalProperties: false,
        $defs: {
          node: {
            type: 'object',
            properties: { kids: { type: 'array', items: { $ref: '#/$defs/node' } } },
            required: ['kids'],
            additionalProperties: false,
          },
        },
      },
    })
  })
})

describe('what it cannot say is asked for in the prompt, with why', () => {
  const inside = (part: object) => ({ type: 'object', properties: { a: part }, required: ['a'] })
  const rows: [string, object, string][] = [
    [
      'an optional property',
      ofZod(z.object({ a: z.object({ b: z.string().optional() }) })),
      '`a.b` is optional',
    ],
    ['a default', ofZod(z.object({ a: z.number().default(3) })), '`a` is optional'],
    ['a record', ofZod(z.object({ a: z.record(z.string(), z.number()) })), '`a` may have any property'],
    ['a loose object', ofZod(z.looseObject({ a: z.string() })), 'it may have any property'],
    ['an object of nothing', { type: 'object' }, 'it may have any property'],
    ['anything', ofZod(z.object({ a: z.any() })), '`a` may be anything'],
    ['a list of anything', inside({ type: 'array' }), '`a.0` may be anything'],
    ['a tuple', ofZod(z.object({ a: z.tuple([z.string()]) })), '`a` is a tuple'],
    ['an intersection', inside({ allOf: [{ type: 'string' }] }), '`a` is made of several (allOf)'],
    ['a schema that is a word', inside({ anyOf: [true] }), '`a` may be anything'],
  ]
  test.each(rows)('%s', (_, schema, reason) => {
    expect(codexCli.withoutOutputSchema?.({ ...schema }, { version: '0.171.0', transport: 'live' })).toBe(
      reason,
    )
  })
})
