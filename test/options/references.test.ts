import { expect, test } from 'vitest'
import { withoutReferences } from '../../src/options/references.ts'

const port = { type: 'object', properties: { name: { type: 'string' } } }
const crew = { type: 'object', properties: { mates: { type: 'array', items: { $ref: '#/$defs/Crew' } } } }

test.each<[string, Record<string, unknown>, Record<string, unknown>]>([
  ['the root itself', { $ref: '#/$defs/Port', $defs: { Port: port } }, port],
  [
    'parts, as often as they are named, by the older word too',
    {
      type: 'object',
      properties: {
        from: { $ref: '#/definitions/Port' },
        via: { type: 'array', items: { $ref: '#/definitions/Port' } },
      },
      definitions: { Port: port },
    },
    { type: 'object', properties: { from: port, via: { type: 'array', items: port } } },
  ],
  [
    'a reference to a reference, with what is told beside it',
    {
      $ref: '#/$defs/Home',
      description: 'Where from',
      $defs: { Home: { $ref: '#/$defs/Port', title: 'Home' }, Port: port },
    },
    { ...port, title: 'Home', description: 'Where from' },
  ],
  [
    'the root of what leads to itself, once',
    { $ref: '#/$defs/Crew', $defs: { Crew: crew } },
    { ...crew, $defs: { Crew: crew } },
  ],
])('what a reference names stands in its place: %s', (_, schema, inlined) => {
  expect(withoutReferences(schema)).toEqual(inlined)
})

test.each<[string, Record<string, unknown>]>([
  ['leads to the root', { type: 'object', properties: { next: { $ref: '#' } } }],
  ['names nothing', { $ref: '#/$defs/Nothing', $defs: { Port: port } }],
  ['names what every object has', { $ref: '#/$defs/constructor', $defs: { Port: port } }],
  ['is narrowed beside', { $ref: '#/$defs/Port', required: ['name'], $defs: { Port: port } }],
  ['is in a part of another base', { not: { $id: 'other', $ref: '#/$defs/Port' }, $defs: { Port: port } }],
  ['is dynamic', { items: { $dynamicRef: '#port' }, $defs: { Port: { ...port, $dynamicAnchor: 'port' } } }],
  ['is a value', { enum: [{ $ref: '#/$defs/Port' }], $defs: { Port: port } }],
  [
    'stands where only older drafts have a schema',
    { dependencies: { a: { $ref: '#/definitions/Port' } }, definitions: { Port: port } },
  ],
  ['is the name of a property', { properties: { $ref: { type: 'string' } }, $defs: { Port: port } }],
])('a reference stays, with what it may name, that %s', (_, schema) => {
  expect(withoutReferences(schema)).toEqual(schema)
})

test('a schema that would become a book stays as it is', () => {
  const twice = (name: string) => ({
    type: 'object',
    properties: { a: { $ref: `#/$defs/${name}` }, b: { $ref: `#/$defs/${name}` } },
  })
  const names = Array.from({ length: 40 }, (_, index) => `Part${index}`)
  const $defs = Object.fromEntries(
    names.map((name, index) => [name, index === 0 ? port : twice(`Part${index - 1}`)]),
  )
  const schema = { ...twice('Part39'), $defs }
  expect(withoutReferences(schema)).toBe(schema)
})
