import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { type AgentEvent, type ErrorCode, isAgentError, startTurn, type TurnOptions } from '../src/index.ts'
import { type FakeCli, fakeCli } from '../src/testing/fake-cli.ts'
import { coxswain, scratchFolder } from './cli/terminal.ts'

/** What people get wrong, through the API and through the command: one line that says what, a hint that says what to do, no child. */

const folder = scratchFolder('bad-input')
const work = join(folder, 'work')
mkdirSync(work)
const plainFile = join(folder, 'notes.txt')
writeFileSync(plainFile, 'no program', { mode: 0o644 })
afterAll(() => rmSync(folder, { recursive: true, force: true }))

interface Mistake {
  what: string
  options: Partial<TurnOptions>
  /** The same as words of `coxswain run <adapter>`, behind which a prompt and the fake CLI stand unless given here. */
  words: string[]
  adapter?: string
  code: ErrorCode
  /** Thrown at once, for the options alone decide; else told by the completion. */
  thrown: boolean
  message: string
  hint: string
  /** Where the command has another one. */
  commandHint?: string
}

interface Failure {
  code: string
  message: string
  hint: string | undefined
  thrown: boolean
}

interface Cli {
  adapter: string
  below: string
  tooOld: string
  update: string
  unsupported: Pick<Mistake, 'options' | 'words' | 'message'>
}

const clis: Cli[] = [
  {
    adapter: 'claude-code',
    below: '1.0.123 (Claude Code)',
    tooOld: 'Claude Code 1.0.123 is too old: 1.0.124 is the oldest that works.',
    update: 'Update it: npm install -g @anthropic-ai/claude-code.',
    unsupported: {
      options: { sandbox: 'read-only' },
      words: ['--sandbox=read-only'],
      message: "claude-code does not support sandbox: 'read-only'. Supported: 'off'.",
    },
  },
  {
    adapter: 'codex-cli',
    below: 'codex-cli 0.54.0',
    tooOld: 'Codex CLI 0.54.0 is too old: 0.55.0 is the oldest that works.',
    update: 'Update it: npm install -g @openai/codex.',
    unsupported: {
      options: { promptExpansion: true },
      words: ['--prompt-expansion'],
      message: 'codex-cli does not support promptExpansion: true. Supported: false.',
    },
  },
  {
    adapter: 'cursor-cli',
    below: '2026.01.27-abcdef0',
    tooOld: 'Cursor CLI 2026.01.27-abcdef0 is too old: 2026.01.28 is the oldest that works.',
    update: 'Update it: curl https://cursor.com/install -fsS | bash.',
    unsupported: {
      options: { effort: 'high' },
      words: ['--effort=high'],
      message: "cursor-cli does not support effort: 'high'. Supported: no effort at all.",
    },
  },
  {
    adapter: 'pi-cli',
    below: '0.63.1',
    tooOld: 'pi 0.63.1 is too old: 0.63.2 is the oldest that works.',
    update: 'Update it: npm install -g @earendil-works/pi-coding-agent (needs Node 22.19 or later).',
    unsupported: {
      options: { network: false },
      words: ['--no-network'],
      message: 'pi-cli does not support network: false. Supported: network: true.',
    },
  },
]

function mistakes({ unsupported, tooOld, update }: Cli): Mistake[] {
  return [
    {
      what: 'an unknown adapter',
      adapter: 'codex-clu',
      options: { adapter: 'codex-clu' },
      words: [],
      code: 'invalid_options',
      thrown: true,
      message: 'There is no adapter "codex-clu"',
      // The command knows what else it may have been.
      hint: 'Use one of the known ids, or pass an adapter made with defineAdapter().',
      commandHint: 'Did you mean codex-cli?',
    },
    {
      what: 'a missing binary',
      options: { binary: '/nowhere/bin/cli' },
      words: ['hello', '--binary=/nowhere/bin/cli'],
      code: 'not_installed',
      thrown: false,
      message: 'The binary /nowhere/bin/cli does not exist.',
      hint: 'Check `binary`; without it the CLI is looked for on PATH.',
      commandHint: 'Check --binary; without it the CLI is looked for on PATH.',
    },
    {
      what: 'a binary that is not executable',
      options: { binary: plainFile },
      words: ['hello', `--binary=${plainFile}`],
      code: 'not_executable',
      thrown: false,
      message: `${plainFile} is not an executable file.`,
      hint: 'Run chmod +x on it, or give another path as `binary`.',
      commandHint: 'Run chmod +x on it, or give another path as --binary.',
    },
    {
      what: 'a missing cwd',
      options: { cwd: '/nowhere/at/all' },
      words: ['--cwd=/nowhere/at/all'],
      code: 'invalid_options',
      thrown: false,
      message: 'The working directory /nowhere/at/all does not exist.',
      hint: 'Create it, or give another `cwd`.',
      commandHint: 'Create it, or give another --cwd.',
    },
    {
      what: 'a cwd that is a file',
      options: { cwd: plainFile },
      words: [`--cwd=${plainFile}`],
      code: 'invalid_options',
      thrown: false,
      message: `The working directory ${plainFile} is no directory.`,
      hint: 'Create it, or give another `cwd`.',
      commandHint: 'Create it, or give another --cwd.',
    },
    ...['', ' \n\t'].map((prompt) => ({
      what: `an empty prompt: ${JSON.stringify(prompt)}`,
      options: { prompt },
      words: [prompt],
      code: 'invalid_options' as const,
      thrown: true,
      message: 'The option `prompt` is empty.',
      hint: 'Say in words what the agent should do.',
    })),
    {
      what: 'an option that this CLI cannot honour',
      ...unsupported,
      code: 'unsupported',
      thrown: true,
      hint: 'Leave the option out, or use another adapter.',
    },
    {
      what: 'a refused scope key',
      options: { scope: { PATH: '/sekrit' } },
      words: ['--scope=PATH=/sekrit'],
      code: 'environment_key_refused',
      thrown: true,
      message: 'scope cannot grant "PATH"',
      hint: 'Admitted are SECRET_*, VAR_*,',
    },
    {
      what: 'a version below the floor',
      options: {},
      words: [],
      code: 'unsupported_version',
      thrown: false,
      message: tooOld,
      hint: update,
    },
  ]
}

describe.each(clis)('$adapter', (cli) => {
  const table = mistakes(cli)

  test.each(table)('startTurn with $what', async ({ options, ...expected }) => {
    await using fake = await fakeCli({ version: cli.below, steps: [{ linger: true }] })
    const found = await failureOf({
      adapter: cli.adapter,
      prompt: 'hello',
      binary: fake.binary,
      cwd: work,
      home: { directory: join(folder, 'home') },
      conversations: { directory: join(folder, 'talks') },
      ...options,
    })
    expect(found).toMatchObject({ code: expected.code, thrown: expected.thrown })
    expect(found.message).toContain(expected.message)
    expect(found.hint).toContain(expected.hint)
    expect(`${found.message}${found.hint}`).not.toMatch(/\n|sekrit/)
    await expectNoChild(fake)
  })

  test.each(table)('coxswain run with $what', async ({ adapter = cli.adapter, words, ...expected }) => {
    await using fake = await fakeCli({ version: cli.below, steps: [{ linger: true }] })
    const binary = words.some((word) => word.startsWith('--binary')) ? [] : [...fake.binary]
    const prompt = words.some((word) => !word.startsWith('--')) ? [] : ['hello']
    const flags = binary.map((word) => `--binary=${word}`)
    const { code, out, err } = await coxswain(['run', adapter, ...prompt, ...words, ...flags])
    expect({ code, out }).toEqual({
      code: expected.thrown || expected.code === 'invalid_options' ? 2 : 1,
      out: '',
    })
    const [message, hint, ...more] = err.trimEnd().split('\n')
    expect(message).toContain(expected.message)
    expect(message).toMatch(expected.thrown ? /^coxswain: / : `error ${expected.code}: `)
    expect(hint).toContain(expected.commandHint ?? expected.hint)
    expect(more).toEqual([])
    expect(err).not.toContain('sekrit')
    await expectNoChild(fake)
  })
})

/** How the turn fails, at once or in the end, as its only event. */
async function failureOf(options: TurnOptions): Promise<Failure> {
  try {
    const turn = startTurn(options)
    const events: AgentEvent[] = []
    for await (const event of turn) events.push(event)
    expect(events.map((event) => event.type)).toEqual(['completion'])
    const { code, message, hint } = (await turn.completion).error ?? { code: 'no error', message: '' }
    return { code, message, hint, thrown: false }
  } catch (error) {
    if (!isAgentError(error)) throw error
    return { code: error.code, message: error.message, hint: error.hint, thrown: true }
  }
}

/** Not even one that would go at once: the fake CLI notes its start before anything else. */
async function expectNoChild(fake: FakeCli): Promise<void> {
  expect(await fake.log()).toEqual([])
}
