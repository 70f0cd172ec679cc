import { expect, it } from 'vitest'
import { checkScenario } from '../../src/testing/check-scenario.ts'
import { scenarios, startModelServer } from '../../src/testing.ts'

it.each([
  ['a name', 'text', 'A scenario is no list of replies.', 'one of `scenarios`'],
  ['an empty list', [], 'A scenario is no list of replies.', 'a list of objects'],
  ['a reply that is a text', ['Hello.'], 'The reply 0 of the scenario is no object.', 'text, thinking'],
  [
    'a word that is none',
    [{ text: 'a' }, { txt: 'b' }],
    'The reply 1 of the scenario has no "txt".',
    '`text`',
  ],
])('%s is refused with what to give', (_, scenario, message, hint) => {
  expect(() => checkScenario(scenario)).toThrow(
    expect.objectContaining({ code: 'invalid_options', message, hint: expect.stringContaining(hint) }),
  )
})

it('every scenario that is published, a function and a step of attempts pass', () => {
  for (const scenario of Object.values(scenarios)) checkScenario(scenario)
  checkScenario(() => ({ text: 'a' }))
  checkScenario([{ attempts: [{ status: 529 }, { text: 'a' }] }])
})

it('the server refuses it at its start, and where another is played', async () => {
  await using server = await startModelServer()
  expect(() => server.play([])).toThrow('A scenario is no list of replies.')
})
