import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { startTurn } from '../../src/index.ts'
import { scratchFile, shell } from './probe.ts'
import {
  chatGpt,
  claudeAi,
  type Files,
  newMode,
  type Options,
  optionsFor,
  piLogins,
  piOauth,
  userHome,
} from './sign-ins.ts'

/** Runs the turn against a program that leaves a mark; the completion, and whether it was started. */
async function run(options: Options, variables: Record<string, string>, files: Files) {
  const mark = scratchFile('started')
  // Its version is asked for before, without a home and without harm.
  const binary = shell(`[ "$1" = --version ] && echo 9999.1.1 && exit`, `touch ${mark}`)
  const turn = startTurn({ transport: 'structured', ...optionsFor(options, variables, files), binary })
  const { status, error, exitCode } = await turn.completion
  return { status, error, exitCode, started: existsSync(mark) }
}

describe('a turn that would be billed to other than it may be does not start', () => {
  const rows: [
    title: string,
    options: Options,
    variables: Record<string, string>,
    files: Files,
    message: string,
    hint: string,
  ][] = [
    [
      'an ambient key beside the subscription',
      { adapter: 'claude-code', billing: 'subscription' },
      { ANTHROPIC_API_KEY: 'sk-of-mine' },
      claudeAi,
      "billing: 'subscription' cannot be kept: Claude Code would use ANTHROPIC_API_KEY, billed by use.",
      "Choose one in `credentials`, such as { set: 'sign-in' } or { set: 'oauth' }; `coxswain doctor` tells what is there.",
    ],
    [
      'the subscription where use was to be paid',
      { adapter: 'codex-cli', billing: 'api' },
      {},
      chatGpt,
      "billing: 'api' cannot be kept: Codex CLI would use the user's sign-in, billed to a subscription.",
      "Choose one in `credentials`, such as { set: 'api-key' }; `coxswain doctor` tells what is there.",
    ],
    [
      'what cannot be told',
      { adapter: 'pi-cli', billing: 'subscription' },
      { OPENAI_API_KEY: 'sk-of-mine' },
      piOauth,
      "billing: 'subscription' cannot be kept: pi would use OPENAI_API_KEY and the user's sign-in; one of them is billed by use, and which one counts cannot be told.",
      "Choose one in `credentials`, such as { set: 'sign-in' } or { set: 'anthropic-oauth' } or { set: 'github-copilot' }; `coxswain doctor` tells what is there.",
    ],
    [
      'a sign-in that does not tell',
      { adapter: 'codex-cli', billing: 'subscription' },
      {},
      newMode,
      "billing: 'subscription' cannot be kept: Codex CLI would use the user's sign-in, which does not tell who pays.",
      "Choose one in `credentials`, such as { set: 'sign-in' } or { set: 'access-token' }; `coxswain doctor` tells what is there.",
    ],
    [
      'no credential at all',
      { adapter: 'claude-code', billing: 'api' },
      {},
      {},
      "billing: 'api' cannot be kept: no credential reaches Claude Code.",
      "Choose one in `credentials`, such as { set: 'api-key' } or { set: 'auth-token' } or { set: 'bedrock' }; `coxswain doctor` tells what is there.",
    ],
    [
      'a CLI that has none of the kind',
      { adapter: 'cursor-cli', billing: 'api' },
      { CURSOR_API_KEY: 'sk-of-mine' },
      {},
      "billing: 'api' cannot be kept: Cursor CLI would use CURSOR_API_KEY and the user's sign-in, billed to a subscription.",
      'Cursor CLI has no credential that is billed so: leave `billing` out.',
    ],
    [
      "the user's own home",
      { adapter: 'claude-code', billing: 'subscription', home: 'user', conversations: 'keep' },
      {},
      claudeAi,
      "billing: 'subscription' cannot be kept: Claude Code would use the user's sign-in and what the user's own settings say, which does not tell who pays.",
      "Take a private home, which leaves the user's own settings out.",
    ],
    [
      'an endpoint',
      { adapter: 'codex-cli', billing: 'subscription', endpoint: { url: 'http://127.0.0.1:1/v1' } },
      {},
      chatGpt,
      "billing: 'subscription' cannot be kept: Codex CLI would use the endpoint's own credential, billed by use.",
      'Leave `endpoint` out, or `billing`: what an endpoint bills is not known here.',
    ],
  ]
  test.each(rows)('%s', async (_title, options, variables, files, message, hint) => {
    const { status, error, exitCode, started } = await run(options, variables, files)
    expect({ status, error, exitCode, started }).toEqual({
      status: 'error',
      error: { code: 'billing_mismatch', message, hint, retryable: false },
      exitCode: null,
      started: false,
    })
  })
})

/** A CLI takes an `apiKeyHelper`, a variable or a provider from there, whatever the turn was given. */
describe('settings that can name another credential', () => {
  const token = 'a-token-of-a-subscription'
  const signedIn: Record<string, [Record<string, string>, Files]> = {
    'claude-code': [{ CLAUDE_CODE_OAUTH_TOKEN: token }, {}],
    'codex-cli': [{}, chatGpt],
    'pi-cli': [{}, piOauth],
  }
  const kept: [string, string][] = [
    ['claude-code', 'settings.json'],
    ['pi-cli', 'models.json'],
    ['pi-cli', 'extensions/provider.ts'],
  ]
  const projects: [string, string][] = [
    ['claude-code', '.claude/settings.json'],
    ['claude-code', '.claude/settings.local.json'],
    ['codex-cli', '.codex/config.toml'],
    ['pi-cli', '.pi/extensions/provider.ts'],
  ]

  /** By `billing: 'subscription'`. */
  async function refused(adapter: string, files: Files, more: (home: string) => Partial<Options>) {
    const [variables, signIn] = signedIn[adapter] ?? [{}, {}]
    const home = userHome({ ...signIn, ...files })
    const options = optionsFor({ adapter, billing: 'subscription', ...more(home) }, variables, {})
    const binary = shell('exit 1')
    const environment = { ...options.environment, HOME: home }
    return (await startTurn({ ...options, environment, binary }).completion).error
  }

  test.each(kept)('of %s in a home that is kept: %s', async (adapter, name) => {
    const keep = (home: string) => ({ home: { directory: join(home, 'mine') } })
    const error = await refused(adapter, { [`mine/${name}`]: '{}' }, keep)
    expect(error).toMatchObject({
      code: 'billing_mismatch',
      message: expect.stringContaining(join('mine', name.replace('/provider.ts', ''))),
      hint: "Remove that, take a private home, or leave projectConfiguration at 'ignore'.",
    })
    expect((await refused(adapter, { 'mine/notes.md': '' }, keep))?.code).not.toBe('billing_mismatch')
  })

  test.each(projects)('of %s in a project that is trusted, and not in another: %s', async (adapter, name) => {
    const files = { 'project/.git/HEAD': '', 'project/app/notes.md': '', [`project/${name}`]: '{}' }
    const inside = (word: 'trust' | 'ignore', place: string) => (home: string) => ({
      cwd: join(home, place),
      projectConfiguration: word,
    })
    for (const place of ['project', 'project/app']) {
      expect(await refused(adapter, files, inside('trust', place))).toMatchObject({
        code: 'billing_mismatch',
      })
    }
    expect((await refused(adapter, files, inside('ignore', 'project')))?.code).not.toBe('billing_mismatch')
    const above = { 'project/.git/HEAD': '', [name]: '{}' }
    expect((await refused(adapter, above, inside('trust', 'project')))?.code).not.toBe('billing_mismatch')
  })
})

describe('a turn that is billed as it may be starts', () => {
  test.each<[string, Options, Record<string, string>, Files]>([
    ['as before, with any', { adapter: 'claude-code' }, { ANTHROPIC_API_KEY: 'k' }, claudeAi],
    [
      'on the sign-in that was named, beside an ambient key',
      { adapter: 'claude-code', billing: 'subscription', credentials: { set: 'sign-in' } },
      { ANTHROPIC_API_KEY: 'k' },
      claudeAi,
    ],
    [
      'on a key that was given, beside a subscription',
      { adapter: 'codex-cli', billing: 'api', credentials: { values: { CODEX_API_KEY: 'k' } } },
      {},
      chatGpt,
    ],
    ['on ChatGPT', { adapter: 'codex-cli', billing: 'subscription' }, { OPENAI_API_KEY: 'k' }, chatGpt],
    [
      'on the login of its model',
      { adapter: 'pi-cli', billing: 'api', model: 'openai/gpt-5.1' },
      {},
      piLogins,
    ],
    [
      'at an endpoint',
      { adapter: 'claude-code', billing: 'api', endpoint: { url: 'http://127.0.0.1:1' } },
      {},
      {},
    ],
  ])('%s', async (_title, options, variables, files) => {
    const { started, error } = await run(options, variables, files)
    expect({ started, code: error?.code }).toEqual({ started: true, code: 'protocol' })
  })
})
