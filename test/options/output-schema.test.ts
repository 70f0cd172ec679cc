import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import * as mini from 'zod/mini'
import { type Adapter, defineAdapter, isAgentError, type Schema } from '../../src/index.ts'
import { checkTurnOptions } from '../../src/options/check.ts'
import { tinyCli } from '../tiny-cli.ts'

const tiny = tinyCli()
const native: Adapter = defineAdapter({
  ...tiny,
  capabilities: { ...tiny.capabilities, outputSchema: 'native' },
})

function read(outputSchema: unknown, adapter = tiny) {
  const { launch, output } = checkTurnOptions({ adapter, prompt: 'hello', outputSchema })
  if (!output) throw new Error('there is nothing to check the answer with')
  return { json: launch.outputSchema, check: async (value: unknown) => output.check(value) }
}

function fault(outputSchema: unknown, adapter = tiny): string {
  try {
    read(outputSchema, adapter)
  } catch (error) {
    if (isAgentError(error)) return `${error.code}: ${error.message} ${error.hint}`
    throw error
  }
  throw new Error('nothing was refused')
}

describe('what is no schema is refused at once, with what to do', () => {
  const circular: Record<string, unknown> = { type: 'object' }
  circular.properties = { self: circular }
  class OtherLibrary {
    _def = {}
  }
  const rows: [string, unknown, RegExp][] = [
    ['a text', 'a name', /`outputSchema` is wrong: expected a zod schema or a JSON Schema/],
    ['a list', [], /`outputSchema` is no schema\. .*schema of zod 4 or a JSON Schema/],
    ['a function', () => true, /`outputSchema` is no schema/],
    ['a class of another library', new OtherLibrary(), /`outputSchema` is no schema/],
    ['what JSON cannot say', circular, /`outputSchema\.properties\.self` contains itself/],
    ['a wrong keyword', { type: 'objekt' }, /no valid JSON Schema: .*type.*nothing is fetched/],
    ['a reference to nowhere', { $ref: '#/$defs/port' }, /no valid JSON Schema: .*\$defs\/port/],
    [
      'an unknown draft',
      { $schema: 'http://json-schema.org/draft-03/schema#' },
      /names a draft of JSON Schema .* not known/,
    ],
    [
      'a standard schema without a JSON Schema',
      { '~standard': { version: 1, vendor: 'other', validate: () => ({ value: 1 }) } },
      /makes no JSON Schema of itself\. Use zod 4/,
    ],
    ['a date of zod/mini', mini.object({ at: mini.date() }), /No JSON Schema can be made of .*Date/],
    ['a date of zod', z.object({ at: z.date() }), /No JSON Schema can be made of .*Date.*with a transform/],
  ]
  test.each(rows)('%s', (_, schema, message) => {
    const said = fault(schema)
    expect(said).toMatch(/^invalid_options: /)
    expect(said).toMatch(message)
    expect(said).not.toContain('\n')
  })
})

test('a schema that does not write itself is one all the same where zod 4 made it: of zod/mini, or of 4.0 and 4.1', async () => {
  const schema = mini.object({ port: mini.string(), berth: mini.optional(mini.number()) })
  expect(schema['~standard']).not.toHaveProperty('jsonSchema')
  const { json, check } = read(schema, native)
  expect(json).toEqual({
    type: 'object',
    properties: { port: { type: 'string' }, berth: { type: 'number' } },
    required: ['port'],
  })
  expect(await check({ port: 'Bergen' })).toEqual({ value: { port: 'Bergen' } })
  expect(await check({ port: 7 })).toMatchObject({ issues: [{ path: 'port' }] })
})

test('a CLI that holds its model to a schema takes one of an object only; where it is asked for, any will do', () => {
  expect(fault(z.array(z.string()), native)).toMatch(
    /^invalid_options: tiny-cli takes an `outputSchema` only of an object\. Put it into one: z\.object/,
  )
  expect(read(z.array(z.string())).json).toEqual({ type: 'array', items: { type: 'string' } })
  expect(read(z.object({ a: z.string() }), native).json).toMatchObject({ type: 'object' })
})

test('an object that zod writes as a reference to itself, because it has an id, is one of an object', () => {
  const schema = z.object({ port: z.string() }).meta({ id: 'judgedPort' })
  expect(schema['~standard'].jsonSchema.input({ target: 'draft-2020-12' })).toHaveProperty('$ref')
  expect(read(schema, native).json).toEqual({
    type: 'object',
    properties: { port: { type: 'string' } },
    required: ['port'],
  })
})

test('zod says what the model shall write, before defaults and transforms, without naming a draft', () => {
  const schema = z.object({
    city: z.string().transform((name) => name.length),
    ports: z.array(z.int().min(1).max(9)).default([]),
  })
  expect(read(schema).json).toEqual({
    type: 'object',
    properties: {
      city: { type: 'string' },
      ports: { type: 'array', items: { type: 'integer', minimum: 1, maximum: 9 }, default: [] },
    },
    required: ['city'],
  })
})

describe('the answer comes out as the schema makes it, or with all that is wrong with it', () => {
  const trip = z.object({ city: z.string().transform((name) => name.length), days: z.number().default(3) })
  const slow = z.object({ city: z.string().refine(async (name) => name !== 'Nowhere', 'there is none') })
  const json = {
    type: 'object',
    properties: { city: { type: 'string' }, stops: { type: 'array', items: { type: 'integer' } } },
    required: ['city'],
    additionalProperties: false,
  }
  const tuple = { $schema: 'http://json-schema.org/draft-07/schema#', items: [{ type: 'string' }] }
  const foreign = Object.assign(() => undefined, {
    '~standard': {
      version: 1,
      vendor: 'arktype',
      validate: (value: unknown) =>
        value === 1 ? { value: 'one' } : { issues: [{ message: 'is\nnot one', path: [{ key: 'x' }, 0] }] },
      jsonSchema: { input: () => ({ type: 'number' }) },
    },
  })
  /** As arktype 2.2 answers: its list of issues is the result itself. */
  const listed = Object.assign([{ message: 'must be a number', path: ['x'] }], {
    issues: undefined as unknown,
  })
  listed.issues = listed
  const answering = (result: unknown) => ({
    '~standard': {
      version: 1,
      vendor: 'other',
      validate: () => result,
      jsonSchema: { input: () => ({ type: 'object' }) },
    },
  })
  const rows: [string, unknown, unknown, unknown][] = [
    ['defaults and transforms', trip, { city: 'Bergen' }, { value: { city: 6, days: 3 } }],
    [
      'a nested path',
      z.object({ a: z.array(z.object({ b: z.string() })) }),
      { a: [{ b: 'x' }, { b: 1 }] },
      { issues: [{ path: 'a.1.b', message: 'Invalid input: expected string, received number' }] },
    ],
    [
      'a check that waits',
      slow,
      { city: 'Nowhere' },
      { issues: [{ path: 'city', message: 'there is none' }] },
    ],
    [
      'a JSON Schema that fits',
      json,
      { city: 'Bergen', stops: [1] },
      { value: { city: 'Bergen', stops: [1] } },
    ],
    [
      'a JSON Schema that does not',
      json,
      { stops: [1.5], 'x/y': 1 },
      {
        issues: [
          { path: 'city', message: "must have required property 'city'" },
          { path: '', message: 'must NOT have additional properties: "x/y"' },
          { path: 'stops.0', message: 'must be integer' },
        ],
      },
    ],
    ['an older draft', tuple, [1], { issues: [{ path: '0', message: 'must be string' }] }],
    ['another library, a function', foreign, 1, { value: 'one' }],
    ['its issues', foreign, 2, { issues: [{ path: 'x.0', message: 'is not one' }] }],
    [
      'issues that are the answer itself',
      answering(listed),
      {},
      { issues: [{ path: 'x', message: 'must be a number' }] },
    ],
    [
      'a failure that says nothing',
      answering({ issues: [] }),
      {},
      { issues: [{ path: '', message: 'does not fit' }] },
    ],
    [
      'issues that are no list',
      answering({ issues: 'no' }),
      {},
      { issues: [{ path: '', message: 'does not fit' }] },
    ],
    ['no result at all', answering(undefined), {}, { issues: [{ path: '', message: 'does not fit' }] }],
    ['issues that are null, beside a value', answering({ value: 1, issues: null }), {}, { value: 1 }],
    [
      'names and words of any length',
      z.record(z.string(), z.literal('a'.repeat(1_000))),
      { ['n'.repeat(1_000)]: 1 },
      {
        issues: [
          {
            path: '(a name of 1000 characters)',
            message: `Invalid input: expected "${'a'.repeat(275)}…`,
          },
        ],
      },
    ],
  ]
  test.each(rows)('%s', async (_, schema, value, checked) => {
    expect(await read(schema as Schema).check(value)).toEqual(checked)
  })
})
