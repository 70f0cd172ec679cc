import { expect, test } from 'vitest'
import { claudeCode } from '../../src/adapters/claude-code.ts'
import { codexCli } from '../../src/adapters/codex-cli.ts'
import { planHome } from '../../src/env/home.ts'
import { type ComposeOptions, composeChildEnvironment } from '../../src/env.ts'

/** Faults of environments and homes that users of such wrappers reported, by the id of the project's list. */

function namesFor(environment: Record<string, string>, options: Partial<ComposeOptions> = {}): string[] {
  const sets = claudeCode.credentials
  return Object.keys(composeChildEnvironment({ environment, sets, ...options }).environment)
}

test('K01: CLAUDECODE of an outer session is not there, not even empty', () => {
  const outer = { PATH: '/bin', CLAUDECODE: '1' }
  expect(namesFor(outer)).toEqual(['PATH'])
  expect(namesFor({ ...outer, CLAUDECODE: '' })).toEqual(['PATH'])
})

test("K02: an outer session's CLAUDE_CODE_* go, credentials and routing by rule of their own", () => {
  const outer = {
    CLAUDE_CODE_ENTRYPOINT: 'cli',
    CLAUDE_CODE_SSE_PORT: '4711',
    CLAUDE_CODE_SESSION_ID: 's1',
    CLAUDE_CODE_OAUTH_TOKEN: 'o',
    CLAUDE_CODE_USE_BEDROCK: '1',
    CLAUDE_CODE_USE_VERTEX: '1',
  }
  expect(namesFor(outer)).toEqual([
    'CLAUDE_CODE_OAUTH_TOKEN',
    'CLAUDE_CODE_USE_BEDROCK',
    'CLAUDE_CODE_USE_VERTEX',
  ])
  expect(namesFor(outer, { credentials: 'none' })).toEqual([])
})

test.each([
  ['none is allowed', 'none', []],
  ['the subscription is named', { set: 'oauth' }, ['CLAUDE_CODE_OAUTH_TOKEN']],
] as const)('K03: an ambient key, in any spelling, does not pass where %s', (_, credentials, names) => {
  const environment = { ANTHROPIC_API_KEY: 'k', anthropic_api_key: 'k', CLAUDE_CODE_OAUTH_TOKEN: 'o' }
  expect(namesFor(environment, { credentials })).toEqual(names)
})

test('K04: of a key and a token the caller can pick one', () => {
  const environment = { ANTHROPIC_API_KEY: 'k', ANTHROPIC_AUTH_TOKEN: 't' }
  expect(namesFor(environment, { credentials: { set: 'api-key' } })).toEqual(['ANTHROPIC_API_KEY'])
  expect(namesFor(environment, { credentials: { set: 'auth-token' } })).toEqual(['ANTHROPIC_AUTH_TOKEN'])
})

test('K05: a private home begins with the sign-in and the conversations alone: no settings.json brings a key back', () => {
  const plan = planHome({
    layout: claudeCode.home,
    adapter: 'claude-code',
    id: 'turn-1',
    environment: {},
    userHome: '/home/u',
    stateDirectory: '/home/u/.local/state',
    signIn: true,
  })
  expect(plan.links.map(({ target }) => target)).toEqual([
    '/home/u/.claude/.credentials.json',
    '/home/u/.local/state/coxswain/conversations/claude-code/projects',
  ])
  expect(claudeCode.capabilities.reservedConfiguration).toMatchObject({
    env: 'scope',
    apiKeyHelper: 'credentials',
  })
})

test('K19, K20: OPENAI_API_KEY, which does not sign codex in, does not reach it, and is never passed off as CODEX_API_KEY', () => {
  const sets = codexCli.credentials
  expect(namesFor({ OPENAI_API_KEY: 'x' }, { sets })).toEqual([])
  expect(
    composeChildEnvironment({ environment: { OPENAI_API_KEY: 'x', CODEX_API_KEY: 'y' }, sets }).environment,
  ).toEqual({ CODEX_API_KEY: 'y' })
})
