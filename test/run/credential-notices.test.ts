import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { codexCli } from '../../src/adapters/codex-cli.ts'
import { startTurn, type TurnOptions } from '../../src/index.ts'
import { checkTurnOptions } from '../../src/options/check.ts'
import { credentialNotice } from '../../src/run/credential-notices.ts'
import { prepareHome } from '../../src/run/home-files.ts'
import { planTurn } from '../../src/run/plan-turn.ts'
import type { TurnNotice } from '../../src/run/turn-notice.ts'
import { collect, scratch, scratchFile, shell } from './probe.ts'

/** What a turn says of its credentials; `signIn`: a file that lies in the user's own HOME. */
/** In the words of each CLI. */
const signedIn = JSON.stringify({
  OPENAI_API_KEY: 'key',
  claudeAiOauth: { scopes: ['user:inference'] },
  some: { type: 'api_key', key: 'key' },
})

function noticeFor(
  options: Omit<TurnOptions, 'prompt'>,
  variables: Record<string, string>,
  signIn?: string,
  holds = signedIn,
): TurnNotice | undefined {
  const userHome = scratchFile('user')
  const file = join(userHome, signIn ?? 'nothing')
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, holds)
  const checked = checkTurnOptions({
    prompt: 'hello',
    environment: { HOME: userHome, ...variables },
    home: { directory: join(userHome, 'private') },
    conversations: { directory: join(userHome, 'talks') },
    ...options,
  })
  const plan = planTurn(checked, 'turn-1')
  prepareHome(plan.home, 'turn-1')
  return credentialNotice(plan)
}

test.each([
  ['claude-code', 'Claude Code', 'ANTHROPIC_API_KEY, ANTHROPIC_AUTH_TOKEN, CLAUDE_CODE_OAUTH_TOKEN, ...'],
  ['codex-cli', 'Codex CLI', 'CODEX_API_KEY, CODEX_ACCESS_TOKEN'],
  ['pi-cli', 'pi', 'ANTHROPIC_API_KEY, ANTHROPIC_OAUTH_TOKEN, ANTHROPIC_AUTH_TOKEN, ...'],
])('K17: %s without any credential says so before its first record', (adapter, title, names) => {
  expect(noticeFor({ adapter }, { OPENAI_KEY_OF_ANOTHER: 'x' })).toEqual({
    level: 'warning',
    code: 'credentials_missing',
    message: `No credential reaches ${title}: no variable of its own (${names}) and no sign-in. Sign in with it, or give one in \`credentials\`.`,
  })
})

test('K17: cursor, which also finds a sign-in that no file shows, says so only where that one is kept from it', () => {
  expect(noticeFor({ adapter: 'cursor-cli' }, {})).toBeUndefined()
  expect(noticeFor({ adapter: 'cursor-cli', credentials: 'none' }, {})?.code).toBe('credentials_missing')
})

test.each([
  ['a key of its own', 'claude-code', { ANTHROPIC_API_KEY: 'k' }, undefined, {}],
  ['a sign-in', 'codex-cli', {}, '.codex/auth.json', {}],
  ['an endpoint', 'codex-cli', {}, undefined, { endpoint: { url: 'http://127.0.0.1:1/v1' } }],
  ['a provider of its own configuration', 'pi-cli', {}, undefined, { configuration: { models: {} } }],
] as const)('a turn with %s is not told that it has none', (_title, adapter, variables, signIn, options) => {
  expect(noticeFor({ adapter, ...options }, variables, signIn)).toBeUndefined()
})

test('K17: a sign-in file that signs nobody in is none', () => {
  expect(noticeFor({ adapter: 'pi-cli' }, {}, '.pi/agent/auth.json', '{}')?.code).toBe('credentials_missing')
  expect(noticeFor({ adapter: 'pi-cli' }, {}, '.pi/agent/auth.json')).toBeUndefined()
})

test('a home directory that the CLI was signed in to has its sign-in, whatever the user has elsewhere', () => {
  const directory = scratchFile('home')
  mkdirSync(directory)
  writeFileSync(join(directory, 'auth.json'), signedIn)
  expect(noticeFor({ adapter: 'codex-cli', home: { directory } }, {})).toBeUndefined()
})

test("K08: no auth.json does not mean signed out: in the user's own home the sign-in may be in a keyring", () => {
  const own = { adapter: 'codex-cli', home: 'user', conversations: 'keep' } as const
  expect(noticeFor(own, {})).toBeUndefined()
  expect(codexCli.capabilities.limits).toContain(
    "A sign-in kept in the system's keyring does not reach a private home: only auth.json is linked.",
  )
})

test.each([
  [
    'K03: an ambient key beside the subscription',
    'claude-code',
    { ANTHROPIC_API_KEY: 'k' },
    '.claude/.credentials.json',
    "For Claude Code there are ANTHROPIC_API_KEY and the user's sign-in. A cloud that is turned on (CLAUDE_CODE_USE_BEDROCK and its like) goes before an API key or token, of which claude sends both, these before CLAUDE_CODE_OAUTH_TOKEN, and that before the sign-in. To choose, name a set in credentials.set.",
  ],
  [
    'K04: a key and a token',
    'claude-code',
    { ANTHROPIC_API_KEY: 'k', ANTHROPIC_AUTH_TOKEN: 't' },
    undefined,
    'For Claude Code there are ANTHROPIC_API_KEY and ANTHROPIC_AUTH_TOKEN. A cloud that is turned on (CLAUDE_CODE_USE_BEDROCK and its like) goes before an API key or token, of which claude sends both, these before CLAUDE_CODE_OAUTH_TOKEN, and that before the sign-in. To choose, name a set in credentials.set.',
  ],
  [
    'K19: a key beside the ChatGPT sign-in',
    'codex-cli',
    { CODEX_API_KEY: 'k' },
    '.codex/auth.json',
    "For Codex CLI there are CODEX_API_KEY and the user's sign-in. codex takes CODEX_API_KEY before all others, and 0.171 CODEX_ACCESS_TOKEN before the sign-in. To choose, name a set in credentials.set.",
  ],
])('%s is said, with which one counts', (_title, adapter, variables, signIn, message) => {
  expect(noticeFor({ adapter }, variables, signIn)).toEqual({
    level: 'warning',
    code: 'credentials_several',
    message,
  })
  expect(JSON.stringify(message)).not.toMatch(/"[kt]"/)
})

test('the keys of several providers are no conflict for pi, and a set that was chosen is none for anybody', () => {
  expect(noticeFor({ adapter: 'pi-cli' }, { OPENAI_API_KEY: 'a', ANTHROPIC_API_KEY: 'b' })).toBeUndefined()
  const chosen = { adapter: 'claude-code', credentials: { set: 'api-key' } }
  const variables = { ANTHROPIC_API_KEY: 'k', ANTHROPIC_AUTH_TOKEN: 't' }
  expect(noticeFor(chosen, variables, '.claude/.credentials.json')).toBeUndefined()
})

test('the turn itself says it first', async () => {
  const turn = startTurn({
    adapter: 'codex-cli',
    prompt: 'hello',
    binary: shell('echo "codex-cli 0.171.0"'),
    cwd: scratch,
    environment: { PATH: process.env.PATH },
    home: { directory: scratchFile('home') },
    conversations: { directory: scratchFile('talks') },
    credentials: 'none',
  })
  const [first] = await collect(turn)
  expect(first).toMatchObject({ type: 'notice', level: 'warning', code: 'credentials_missing', seq: 0 })
})
