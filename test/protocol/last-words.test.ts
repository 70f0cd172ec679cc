import { expect, it } from 'vitest'
import { failureOfStart as failureOfAgentStart } from '../../src/adapters/acp/failures.ts'
import { failureOnStderr } from '../../src/adapters/codex-cli/errors.ts'
import { failureFrom } from '../../src/adapters/cursor-cli/failures.ts'
import { failureOfStart } from '../../src/adapters/pi-cli/errors.ts'
import { lastWords } from '../../src/protocol/last-words.ts'

/** pi 0.80.2, with a newer one of its own packages than it was made for. */
const uncaught = `file:///n/pi/dist/core/auth-storage.js:10
import { getOAuthApiKey } from "pi-ai/oauth";
         ^^^^^^^^^^^^^^
SyntaxError: The module 'pi-ai/oauth' does not provide an export named 'getOAuthApiKey'
    at ModuleJob._instantiate (node:internal/modules/esm/module_job:213:21)

Node.js v24.21.0
`
const error = "SyntaxError: The module 'pi-ai/oauth' does not provide an export named 'getOAuthApiKey'"

it.each([
  ['', undefined],
  ['\n \n', undefined],
  ['A warning.\nThe end.\n\n', 'The end.'],
  ['Error: Not this one.\nThe end.\n', 'The end.'],
  [uncaught, error],
  ['Needs a newer one:\nNode.js v20.20.2', 'Node.js v20.20.2'],
])('of %j, %j tells best why a program ended', (stderr, expected) => {
  expect(lastWords(stderr)).toBe(expected)
})

const exit = { exitCode: 1, signal: null, stderr: uncaught }
it.each([
  ['pi', failureOfStart(exit, ''), `pi ended with exit 1 before it took a prompt: ${error}`],
  [
    'an ACP agent',
    failureOfAgentStart(exit),
    `The agent ended (exit 1) before it had opened a conversation: ${error}`,
  ],
  ['codex', failureOnStderr(uncaught), error],
  [
    'cursor',
    failureFrom('TypeError: x is not a function\n    at y (z:1:2)\n\nNode.js v24.21.0'),
    'TypeError: x is not a function',
  ],
])('%s that Node ends before a turn says the error, not the version of Node', (_, failure, message) => {
  expect(failure).toMatchObject({ code: 'crashed', message })
})
