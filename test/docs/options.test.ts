import { expect, test } from 'vitest'
import { z } from 'zod'
import { runtimeProfileSchema } from '../../src/index.ts'
import { replayOptionsSchema } from '../../src/options/replay-schema.ts'
import { turnOptionsSchema } from '../../src/options/schema.ts'
import { rowsOf } from './tables.ts'

const sections = ['What to ask', 'Conversation', 'How it runs', 'What the child may see', 'Ways around']
const documented = sections.flatMap((title) => rowsOf('options.md', `## ${title}`).map(([name = '']) => name))

/** The names that an object, or the one object among several shapes, can have. */
function namesIn(schema: unknown): string[] {
  if (schema instanceof z.ZodOptional) return namesIn(schema.unwrap())
  if (schema instanceof z.ZodUnion) return schema.options.flatMap(namesIn)
  return schema instanceof z.ZodObject ? Object.keys(schema.shape) : []
}

test("docs/options.md has every option of a turn, with what is in it, and no other; the prompt's parts stand in its row", () => {
  const all = Object.entries(turnOptionsSchema.shape).flatMap(([name, schema]) => [
    name,
    ...(name === 'prompt' ? [] : namesIn(schema).map((each) => `${name}.${each}`)),
  ])
  expect(all.length).toBeGreaterThan(60)
  expect([...documented].sort()).toEqual([...all].sort())
})

test('docs/options.md has every option of a replay and every field of a profile', () => {
  const namesBelow = (heading: string) => rowsOf('options.md', heading).map(([name]) => name)
  expect(namesBelow('## replay').sort()).toEqual(Object.keys(replayOptionsSchema.shape).sort())
  expect(namesBelow('## Runtime profiles').sort()).toEqual(Object.keys(runtimeProfileSchema.shape).sort())
})
