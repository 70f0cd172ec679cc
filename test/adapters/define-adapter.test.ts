import { expect, it } from 'vitest'
import { acpAgent } from '../../src/index.ts'

it.each(['../x', 'Other Agent', '', 'a/b', '..', 'UPPER'])(
  'the id %j is refused: it is the name of folders',
  (id) => {
    expect(() => acpAgent({ id, command: ['agent'] })).toThrowError(
      expect.objectContaining({
        code: 'invalid_options',
        hint: "Use lower-case words joined with '-': 'my-cli'.",
      }),
    )
  },
)

it.each(['agent', 'some-agent', 'agent-2.0'])('the id %j is taken', (id) => {
  expect(acpAgent({ id, command: ['agent'] }).id).toBe(id)
})
