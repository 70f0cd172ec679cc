import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { main } from '../../src/cli/main.ts'
import type { Reply, Scenario } from '../../src/testing/scenario.ts'
import { ChatTerminal, keys } from '../cli/chat-terminal.ts'
import { realCli } from './clis.ts'
import { Workbench } from './workbench.ts'

const shell = (command: string) => [{ name: 'shell', input: { command } }]

/** Counts on, with a tool call between that claude runs unasked: there it takes in what is said meanwhile. */
const counting: Reply = { text: '1 2 3 4 5 6 7 8 9 10 ', paceMs: 60, toolCalls: shell('pwd') }

const model: Scenario = ({ userTexts, toolResults }) => {
  // claude puts texts of its own among the user's.
  const told = userTexts.filter((text) => !/^\s*[<#]/.test(text)).at(-1) ?? ''
  if (told === 'Write it.' && toolResults.length === 0)
    return { text: 'Well.', toolCalls: shell('touch note') }
  if (told === 'Count.') return counting
  return { text: `Heard "${/[\w ]+[.!?](?=$|\n)/.exec(told.replace(/^The user sent.*\n/, ''))?.[0]}"` }
}

test('claude on a terminal: a prompt, an approval, a steer, an interrupt, a second turn, and out', async () => {
  const cli = realCli('claude-2.1')
  const bench = await Workbench.open(cli, model)
  const terminal = new ChatTerminal({ NO_COLOR: '1', HOME: join(bench.folder, 'home') })
  const flags = [
    ...cli.binary.map((word) => `--binary=${word}`),
    `--endpoint=${bench.server.url}`,
    '--endpoint-api=anthropic',
    `--cwd=${bench.cwd}`,
    `--conversations=${bench.conversations}`,
  ]
  const code = main(['chat', 'claude', ...flags], terminal.io)
  const enter = (text: string) => terminal.type(`${text}${keys.enter}`)
  const note = join(bench.cwd, 'note')

  await terminal.until('› ')
  enter('Write it.')
  const asked = await terminal.until('? Bash: touch note\n  1  Allow ')
  expect(asked).toContain('claude-code · 2.1.332 · ')
  expect(asked).toContain('Well.\n▸ Bash touch note\n')
  await terminal.until(' › ')
  expect(existsSync(note)).toBe(false)
  enter('1')
  await terminal.until('Heard "Write it."')
  await terminal.until('success')
  expect(existsSync(note)).toBe(true)

  await terminal.until('› ')
  enter('Count.')
  await terminal.until('\n1 2 3')
  terminal.type('Hard to port!')
  await terminal.until('» Hard to port!')
  terminal.type(keys.enter)
  await terminal.until('Heard "Hard to port!"')
  await terminal.until('success')
  expect(terminal.text).toContain('↳ delivered')

  await terminal.until('› ')
  enter('Count.')
  await terminal.until('\n1 2 3')
  terminal.type(keys.escape)
  await terminal.until('interrupted aborted')

  await terminal.until('› ')
  enter('Still there?')
  await terminal.until('Heard "Still there?"')
  await terminal.until('success')
  await terminal.until('› ')
  terminal.type(keys.ctrlD)
  expect(await code).toBe(0)
  expect(terminal.text).toMatch(/To go on with it: --resume [\da-f-]{36}\n$/)
  expect(terminal.isRaw).toBe(false)
})
