import { expect, test } from 'vitest'
import { z } from 'zod'
import * as coxswain from '../../src/index.ts'
import { eventShapes } from '../../src/protocol/event-schema.ts'
import { rowsOf } from './tables.ts'

const ofEveryEvent = ['seq', 'at', 'adapter', 'raw', 'parentToolId', 'type']

/** The shapes of an event of one type: one for each of its phases or endings. */
function shapesOf(schema: unknown): Record<string, unknown>[] {
  if (schema instanceof z.ZodDiscriminatedUnion) return schema.options.flatMap(shapesOf)
  return schema instanceof z.ZodObject ? [schema.shape] : []
}

function typeOf(schema: unknown): string {
  const type = shapesOf(schema)[0]?.type
  return type instanceof z.ZodLiteral ? String(type.value) : ''
}

const told = new Map(rowsOf('reference.md', '## Events').map(([type = '', fields = '']) => [type, fields]))

test.each(eventShapes.options.map((schema) => [typeOf(schema), schema] as const))(
  'docs/reference.md names every field of %s',
  (type, schema) => {
    const fields = shapesOf(schema).flatMap((shape) => Object.keys(shape))
    expect(fields.length).toBeGreaterThan(5)
    const own = fields.filter((field) => !ofEveryEvent.includes(field))
    expect(own.filter((field) => !new RegExp(`\`${field}\\??\``).test(told.get(type) ?? ''))).toEqual([])
  },
)

test('docs/reference.md has a row for each type of event, and no other', () => {
  expect([...told.keys()].sort()).toEqual(eventShapes.options.map(typeOf).sort())
})

test('what docs/reference.md says is there is exported', () => {
  const cells = rowsOf('reference.md', '## What else there is').map(([names = '']) => names)
  const names = cells.flatMap((cell) => cell.replace(/\([^)]*\)/g, '').split(', '))
  expect(names.length).toBeGreaterThan(12)
  expect(names.filter((name) => !Object.hasOwn(coxswain, name))).toEqual([])
})
