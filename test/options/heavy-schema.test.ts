import { createServer } from 'node:http'
import { describe, expect, it, onTestFinished, test } from 'vitest'
import { isAgentError } from '../../src/errors.ts'
import { bounded } from '../../src/options/bounded.ts'
import { readCallerSchema } from '../../src/options/caller-schema.ts'

/** A schema is the caller's, an answer is a model's: neither may hold the host for long. */

function refusalOf(schema: object): string {
  try {
    readCallerSchema(schema, 'outputSchema')
  } catch (error) {
    if (isAgentError(error)) return `${error.code}: ${error.message} ${error.hint}`
    throw error
  }
  throw new Error('It was not refused.')
}

const withProperties = (count: number) => ({
  type: 'object',
  properties: Object.fromEntries(
    Array.from({ length: count }, (_, index) => [
      `property_${index}`,
      { type: 'string', description: 'It.' },
    ]),
  ),
})

const of = (property: object) =>
  readCallerSchema({ type: 'object', properties: { a: property } }, 'outputSchema')

describe('a large schema', () => {
  it('of 500 properties is read', async () => {
    const { check } = readCallerSchema(withProperties(500), 'outputSchema')
    expect(await check({ property_499: 'x' })).toEqual({ value: { property_499: 'x' } })
    expect(await check({ property_499: 1 })).toEqual({
      issues: [{ path: 'property_499', message: 'must be string' }],
    })
  })

  it('of 10,000 is refused at once, with the limit', () => {
    const before = performance.now()
    expect(refusalOf(withProperties(10_000))).toMatch(
      /^invalid_options: The option `outputSchema` is a JSON Schema of \d{6} characters\. Give one of at most 131072: /,
    )
    expect(performance.now() - before).toBeLessThan(1_000)
  })

  it('that is deep is read up to 100 levels', () => {
    const nested = (levels: number): object =>
      levels === 0 ? { type: 'string' } : { type: 'object', properties: { a: nested(levels - 1) } }
    expect(() => readCallerSchema(nested(49), 'outputSchema')).not.toThrow()
    expect(refusalOf(nested(60))).toMatch(/is nested more than 100 deep\. Make it flatter\.$/)
  })
})

describe('an answer that would take for ever to check is a mismatch', () => {
  it.each<[string, object, unknown]>([
    ['a pattern that tries everything', { type: 'string', pattern: '^(a+)+$' }, `${'a'.repeat(60)}b`],
    ['the same for names', { patternProperties: { '^(a|a)*$': {} } }, { [`${'a'.repeat(60)}b`]: 1 }],
    [
      'thousands that must differ',
      { type: 'array', uniqueItems: true },
      Array.from({ length: 20_000 }, (_, index) => ({ index })),
    ],
  ])('by %s', async (_, property, a) => {
    const before = performance.now()
    expect(await of(property).check({ a })).toEqual({
      issues: [{ path: '', message: 'the check took longer than 300 ms' }],
    })
    expect(performance.now() - before).toBeLessThan(2_000)
  })

  it('and the next answer is checked as ever', async () => {
    const { check } = of({ type: 'string', pattern: '^(a+)+$' })
    await check({ a: `${'a'.repeat(60)}b` })
    expect(await check({ a: 'aaa' })).toEqual({ value: { a: 'aaa' } })
  })
})

describe('what $ref names must stand in the schema', () => {
  it('an address is not fetched', async () => {
    let asked = 0
    const server = createServer((_, response) => {
      asked += 1
      response.end('{}')
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    const address = server.address()
    const port = typeof address === 'object' ? address?.port : 0
    expect(refusalOf({ properties: { a: { $ref: `http://127.0.0.1:${port}/a.json` } } })).toMatch(
      /can't resolve reference .* What a \$ref names must stand in the schema itself: nothing is fetched\.$/,
    )
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(asked).toBe(0)
  })

  it('a schema that another caller gave is not found', () => {
    const $id = 'http://127.0.0.1:9/shared'
    readCallerSchema(
      { $id, type: 'object', properties: { b: { $id: `${$id}/b`, type: 'string' } } },
      'outputSchema',
    )
    for (const $ref of [$id, `${$id}/b`])
      expect(refusalOf({ properties: { a: { $ref } } })).toMatch(/can't resolve/)
  })

  it('two callers may call theirs by the same name', async () => {
    const $id = 'http://127.0.0.1:9/same'
    const first = readCallerSchema({ $id, type: 'object' }, 'outputSchema')
    const second = readCallerSchema({ $id, type: 'array' }, 'outputSchema')
    expect(await first.check([])).toHaveProperty('issues')
    expect(await second.check([])).toEqual({ value: [] })
  })

  it('one within it is followed, also in a circle', async () => {
    const tree = {
      $ref: '#/$defs/node',
      $defs: { node: { type: 'object', properties: { next: { $ref: '#/$defs/node' } } } },
    }
    const { check } = readCallerSchema(tree, 'outputSchema')
    expect(await check({ next: { next: {} } })).toHaveProperty('value')
    expect(await check({ next: { next: 1 } })).toEqual({
      issues: [{ path: 'next.next', message: 'must be object' }],
    })
  })
})

describe('the draft', () => {
  it.each([
    'http://json-schema.org/draft-07/schema#',
    'http://json-schema.org/draft-07/schema',
    'https://json-schema.org/draft/2019-09/schema',
    'https://json-schema.org/draft/2020-12/schema',
  ])('%s is known', async ($schema) => {
    const read = readCallerSchema({ $schema, type: 'object', required: ['a'] }, 'outputSchema')
    expect(read.json).toEqual({ type: 'object', required: ['a'] })
    expect(await read.check({})).toHaveProperty('issues')
  })

  it.each(['http://json-schema.org/draft-04/schema#', 'http://json-schema.org/draft-06/schema#', 'mine', 7])(
    '%s is not',
    ($schema) => {
      expect(refusalOf({ $schema, type: 'object' })).toMatch(
        /names a draft of JSON Schema in `\$schema` that is not known\. Known are draft-07, 2019-09 and 2020-12, /,
      )
    },
  )
})

test('what is bounded throws and returns as it would otherwise', () => {
  expect(bounded(1_000, () => 7)).toEqual({ result: 7 })
  expect(bounded(1_000, () => undefined)).toEqual({ result: undefined })
  const error = new TypeError('x')
  expect(() =>
    bounded(1_000, () => {
      throw error
    }),
  ).toThrow(error)
  expect(
    bounded(50, () => {
      for (;;);
    }),
  ).toBeUndefined()
})
