import { expect, it } from 'vitest'
import { inFlags } from '../../src/cli/flag-words.ts'
import { turnFlags } from '../../src/cli/turn-flags.ts'
import { coxswain } from './terminal.ts'

it.each([
  ['Raise budgets.totalMs if this CLI needs longer.', 'Raise --timeout if this CLI needs longer.'],
  ['The option `endpoint.url` is wrong.', 'The option --endpoint is wrong.'],
  ['Sign in with it, or give one in `credentials`.', 'Sign in with it, or give one in --credentials.'],
  [
    "Choose one in `credentials`, such as { set: 'sign-in' } or { set: 'oauth' }.",
    'Choose one in --credentials, such as sign-in or oauth.',
  ],
  ['Read `stderrTail`, then see settings.json of that model.', undefined],
])('an option is named as its flag: %s', (library, command) => {
  expect(inFlags(library)).toBe(command ?? library)
})

it('every flag that a message is told to use exists', () => {
  const known = turnFlags.map(({ name }) => `--${name}`)
  const options = ['approvals', 'arguments', 'backgroundTasks', 'billing', 'binary', 'configuration']
  options.push('conversations', 'credentialExposure', 'credentials', 'cwd', 'effort', 'endpoint', 'fork')
  options.push('home', 'inherit', 'model', 'outputSchema', 'projectConfiguration', 'promptExpansion')
  options.push('resume', 'sandbox', 'scope', 'transport', 'budgets.totalMs', 'budgets.idleMs')
  options.push('credentials.set', 'endpoint.url', 'endpoint.api', 'endpoint.credential')
  options.push('systemPrompt.replace', 'systemPrompt.append')
  for (const option of options) expect(known).toContain(inFlags(`\`${option}\``))
})

it('the command says them so', async () => {
  const fork = await coxswain(['run', 'codex', 'x', '--fork'])
  expect(fork.err).toBe('coxswain: --fork needs --resume.\n  Name the conversation to fork in --resume.\n')
  const gone = await coxswain(['run', 'codex', 'x', '--binary=/nowhere/codex'])
  expect(gone.err).not.toContain('`binary`')
})
