import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { startTurn, type TurnOptions } from '../../src/index.ts'
import { checkTurnOptions } from '../../src/options/check.ts'
import { paymentOf } from '../../src/run/billing.ts'
import { planTurn } from '../../src/run/plan-turn.ts'
import { tinyCli } from '../tiny-cli.ts'
import { scratch, scratchFile, shell } from './probe.ts'

type Files = Record<string, unknown>
type Options = Omit<TurnOptions, 'prompt'>

const claudeAi = {
  '.claude/.credentials.json': { claudeAiOauth: { accessToken: 'a-token', scopes: ['user:inference'] } },
}
const claudeWithoutInference = {
  '.claude/.credentials.json': { claudeAiOauth: { accessToken: 'a-token', scopes: ['user:profile'] } },
}
const chatGpt = {
  '.codex/auth.json': { auth_mode: 'chatgpt', OPENAI_API_KEY: null, tokens: { id_token: 't' } },
}
const oldChatGpt = { '.codex/auth.json': { OPENAI_API_KEY: null, tokens: { id_token: 't' } } }
const openAiKey = { '.codex/auth.json': { auth_mode: 'apikey', OPENAI_API_KEY: 'sk-file' } }
const both = { '.codex/auth.json': { auth_mode: 'chatgpt', OPENAI_API_KEY: 'sk-file', tokens: {} } }
const newMode = { '.codex/auth.json': { auth_mode: 'telepathy' } }
const piLogins = {
  '.pi/agent/auth.json': { anthropic: { type: 'oauth', access: 'x' }, openai: { type: 'api_key', key: 'y' } },
}
const piOauth = { '.pi/agent/auth.json': { anthropic: { type: 'oauth', access: 'x' } } }

/** A HOME of its own, with these files in it. */
function userHome(files: Files): string {
  const home = scratchFile('user')
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(home, name)), { recursive: true })
    writeFileSync(join(home, name), typeof content === 'string' ? content : JSON.stringify(content))
  }
  mkdirSync(home, { recursive: true })
  return home
}

function optionsFor(options: Options, variables: Record<string, string>, files: Files): TurnOptions {
  const home = userHome(files)
  return {
    prompt: 'hello',
    cwd: scratch,
    environment: { PATH: process.env.PATH, HOME: home, ...variables },
    home: { directory: join(home, 'private') },
    conversations: { directory: join(home, 'talks') },
    ...options,
  }
}

describe('who would pay for a turn', () => {
  const rows: [
    title: string,
    options: Options,
    variables: Record<string, string>,
    files: Files,
    payer: string,
    by: string[],
  ][] = [
    ['an API key', { adapter: 'claude-code' }, { ANTHROPIC_API_KEY: 'k' }, {}, 'api', ['ANTHROPIC_API_KEY']],
    [
      'a key before the subscription',
      { adapter: 'claude-code' },
      { ANTHROPIC_API_KEY: 'k' },
      claudeAi,
      'api',
      ['ANTHROPIC_API_KEY'],
    ],
    [
      'a key before a token of the subscription',
      { adapter: 'claude-code' },
      { ANTHROPIC_API_KEY: 'k', CLAUDE_CODE_OAUTH_TOKEN: 'o' },
      {},
      'api',
      ['ANTHROPIC_API_KEY'],
    ],
    [
      'a token of the subscription',
      { adapter: 'claude-code' },
      { CLAUDE_CODE_OAUTH_TOKEN: 'o' },
      claudeAi,
      'subscription',
      ['CLAUDE_CODE_OAUTH_TOKEN'],
    ],
    [
      'a cloud before everything',
      { adapter: 'claude-code' },
      { CLAUDE_CODE_USE_BEDROCK: '1', CLAUDE_CODE_OAUTH_TOKEN: 'o' },
      claudeAi,
      'api',
      ['CLAUDE_CODE_USE_BEDROCK'],
    ],
    [
      'a cloud that is turned off is none',
      { adapter: 'claude-code' },
      { CLAUDE_CODE_USE_BEDROCK: '0' },
      claudeAi,
      'subscription',
      ["the user's sign-in"],
    ],
    ['claude.ai', { adapter: 'claude-code' }, {}, claudeAi, 'subscription', ["the user's sign-in"]],
    [
      'a login that is not for inference',
      { adapter: 'claude-code' },
      {},
      claudeWithoutInference,
      'nobody',
      [],
    ],
    [
      'a file that is no JSON',
      { adapter: 'claude-code' },
      {},
      { '.claude/.credentials.json': 'oops' },
      'unknown',
      ["the user's sign-in"],
    ],
    [
      'the sign-in alone, as asked',
      { adapter: 'claude-code', credentials: { set: 'sign-in' } },
      { ANTHROPIC_API_KEY: 'k' },
      claudeAi,
      'subscription',
      ["the user's sign-in"],
    ],
    [
      "the user's own home, whatever lies in it",
      { adapter: 'claude-code', home: 'user', conversations: 'keep' },
      { ANTHROPIC_API_KEY: 'k' },
      claudeAi,
      'unknown',
      ['ANTHROPIC_API_KEY', "what the user's own settings say"],
    ],
    ['ChatGPT', { adapter: 'codex-cli' }, {}, chatGpt, 'subscription', ["the user's sign-in"]],
    [
      'ChatGPT, as old versions wrote it',
      { adapter: 'codex-cli' },
      {},
      oldChatGpt,
      'subscription',
      ["the user's sign-in"],
    ],
    [
      'a key that codex was logged in with',
      { adapter: 'codex-cli' },
      {},
      openAiKey,
      'api',
      ["the user's sign-in"],
    ],
    ['a file with both', { adapter: 'codex-cli' }, {}, both, 'mixed', ["the user's sign-in"]],
    ['a mode of a later version', { adapter: 'codex-cli' }, {}, newMode, 'unknown', ["the user's sign-in"]],
    ['an empty file', { adapter: 'codex-cli' }, {}, { '.codex/auth.json': {} }, 'nobody', []],
    [
      'a key before ChatGPT',
      { adapter: 'codex-cli' },
      { CODEX_API_KEY: 'k' },
      chatGpt,
      'api',
      ['CODEX_API_KEY'],
    ],
    ['a key that codex does not take', { adapter: 'codex-cli' }, { OPENAI_API_KEY: 'k' }, {}, 'nobody', []],
    [
      'a token that only new versions take, beside a key in the file',
      { adapter: 'codex-cli' },
      { CODEX_ACCESS_TOKEN: 't' },
      openAiKey,
      'mixed',
      ['CODEX_ACCESS_TOKEN', "the user's sign-in"],
    ],
    ['several logins of pi', { adapter: 'pi-cli' }, {}, piLogins, 'mixed', ["the user's sign-in"]],
    [
      'the login of the model',
      { adapter: 'pi-cli', model: 'anthropic/claude-sonnet-4-5' },
      {},
      piLogins,
      'subscription',
      ["the user's sign-in"],
    ],
    [
      'a login and a key of another provider',
      { adapter: 'pi-cli' },
      { OPENAI_API_KEY: 'k' },
      piOauth,
      'mixed',
      ['OPENAI_API_KEY', "the user's sign-in"],
    ],
    [
      'a sign-in of cursor that nobody sees',
      { adapter: 'cursor-cli' },
      {},
      {},
      'subscription',
      ["the user's sign-in"],
    ],
    [
      "cursor's key, which the account pays for",
      { adapter: 'cursor-cli' },
      { CURSOR_API_KEY: 'k' },
      {},
      'subscription',
      ['CURSOR_API_KEY', "the user's sign-in"],
    ],
    [
      'none',
      { adapter: 'claude-code', credentials: 'none' },
      { ANTHROPIC_API_KEY: 'k' },
      claudeAi,
      'nobody',
      [],
    ],
    [
      'an endpoint',
      { adapter: 'claude-code', endpoint: { url: 'http://127.0.0.1:1' } },
      { ANTHROPIC_API_KEY: 'k' },
      claudeAi,
      'api',
      ["the endpoint's own credential"],
    ],
    [
      'an adapter that does not tell of its sign-in',
      { adapter: tinyCli() },
      {},
      { '.tiny/key': 'sk' },
      'unknown',
      ["the user's sign-in"],
    ],
  ]
  test.each(rows)('%s', (_title, options, variables, files, payer, by) => {
    const plan = planTurn(checkTurnOptions(optionsFor(options, variables, files)), 'turn-1')
    expect(paymentOf(plan)).toEqual({ payer, by })
  })

  test('a sign-in that stands in a home directory counts before the one that would be linked', () => {
    const options = optionsFor({ adapter: 'codex-cli' }, {}, chatGpt)
    const home = options.environment?.HOME ?? ''
    mkdirSync(join(home, 'private'))
    writeFileSync(join(home, 'private/auth.json'), JSON.stringify(openAiKey['.codex/auth.json']))
    expect(paymentOf(planTurn(checkTurnOptions(options), 'turn-1')).payer).toBe('api')
  })
})

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
