import { expect, it } from 'vitest'
import { AgentError } from '../src/index.ts'

it('an error as JSON says what a completion says of its own: the message too, and neither stack nor cause', () => {
  const error = new AgentError('invalid_options', 'The option `prompt` is empty.', {
    hint: 'Say in words what the agent should do.',
    cause: new Error('secret'),
  })
  expect(JSON.parse(JSON.stringify({ error }))).toEqual({
    error: {
      name: 'AgentError',
      code: 'invalid_options',
      message: 'The option `prompt` is empty.',
      retryable: false,
      hint: 'Say in words what the agent should do.',
    },
  })
})
