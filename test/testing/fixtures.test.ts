import { expect, test } from 'vitest'
import { isAgentError } from '../../src/errors.ts'
import { replayFixture } from '../../src/testing.ts'

test('a published fixture plays by its name', async () => {
  const types: string[] = []
  for await (const event of replayFixture('cursor-cli/constructed-2026.01.28/text')) types.push(event.type)
  expect(types[0]).toBe('session')
  expect(types.at(-1)).toBe('completion')
})

test('a mistyped fixture is an error that names the one meant', () => {
  let thrown: unknown
  try {
    replayFixture('cursor-cli/constructed-2026.01.28/txt')
  } catch (error) {
    thrown = error
  }
  expect(isAgentError(thrown) && [thrown.code, thrown.message, thrown.hint]).toEqual([
    'invalid_options',
    'There is no fixture "cursor-cli/constructed-2026.01.28/txt".',
    'Did you mean "cursor-cli/constructed-2026.01.28/text"?',
  ])
})
