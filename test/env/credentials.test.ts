import { describe, expect, test } from 'vitest'
import { claudeCode } from '../../src/adapters/claude-code.ts'
import { codexCli } from '../../src/adapters/codex-cli.ts'
import { composeChildEnvironment } from '../../src/env.ts'

const claude = { sets: claudeCode.credentials, precedence: claudeCode.credentialPrecedence }

describe('what the CLI would not use beside what is there does not reach it', () => {
  test.each([
    [
      "Anthropic's key, where Bedrock is on: 2.0.72 sent it there",
      {
        CLAUDE_CODE_USE_BEDROCK: '1',
        AWS_BEARER_TOKEN_BEDROCK: 'b',
        ANTHROPIC_API_KEY: 'k',
        CLAUDE_CODE_OAUTH_TOKEN: 'o',
      },
      ['CLAUDE_CODE_USE_BEDROCK', 'AWS_BEARER_TOKEN_BEDROCK'],
      ['bedrock'],
      ['api-key', 'oauth'],
    ],
    [
      "Anthropic's key and address, where Vertex is on: 2.1.332 sends them there",
      { CLAUDE_CODE_USE_VERTEX: 'TRUE', ANTHROPIC_API_KEY: 'k', ANTHROPIC_BASE_URL: 'http://x' },
      ['CLAUDE_CODE_USE_VERTEX'],
      ['vertex'],
      ['api-key'],
    ],
    [
      'a token of the subscription, where there is a key',
      { ANTHROPIC_API_KEY: 'k', CLAUDE_CODE_OAUTH_TOKEN: 'o' },
      ['ANTHROPIC_API_KEY'],
      ['api-key'],
      ['oauth'],
    ],
    [
      'nothing of equal rank',
      { ANTHROPIC_API_KEY: 'k', ANTHROPIC_AUTH_TOKEN: 't' },
      ['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN'],
      ['api-key', 'auth-token'],
      [],
    ],
    [
      'a cloud that is turned off',
      { CLAUDE_CODE_USE_BEDROCK: '0', AWS_BEARER_TOKEN_BEDROCK: 'b', ANTHROPIC_API_KEY: 'k' },
      ['ANTHROPIC_API_KEY'],
      ['api-key'],
      [],
    ],
  ])('%s', (_title, environment, names, sets, outranked) => {
    const composed = composeChildEnvironment({ environment, ...claude })
    expect(Object.keys(composed.environment)).toEqual(names)
    expect(composed.credentials).toMatchObject({ sets, outranked })
  })

  test('and the report says why', () => {
    const environment = { CODEX_API_KEY: 'k', CODEX_ACCESS_TOKEN: 't' }
    const { report } = composeChildEnvironment({
      environment,
      sets: codexCli.credentials,
      precedence: codexCli.credentialPrecedence,
    })
    expect(report).toEqual([
      { name: 'CODEX_API_KEY', fate: 'kept', rule: 'credential', set: 'api-key' },
      { name: 'CODEX_ACCESS_TOKEN', fate: 'dropped', rule: 'credential_outranked' },
    ])
  })
})

describe("the set 'sign-in'", () => {
  const environment = { PATH: '/bin', ANTHROPIC_API_KEY: 'k', CLAUDE_CODE_OAUTH_TOKEN: 'o' }

  test("is the user's sign-in and no variable", () => {
    const composed = composeChildEnvironment({ environment, ...claude, credentials: { set: 'sign-in' } })
    expect(composed.environment).toEqual({ PATH: '/bin' })
    expect(composed.credentials).toEqual({
      sets: [],
      outranked: [],
      names: [],
      billing: undefined,
      signIn: true,
    })
  })

  test('takes no values, and no endpoint', () => {
    const compose = (options: object) => () => composeChildEnvironment({ environment, ...claude, ...options })
    const values = { ANTHROPIC_API_KEY: 'k' }
    expect(compose({ credentials: { set: 'sign-in', values } })).toThrow(
      'credentials.values are no part of the set "sign-in".',
    )
    expect(compose({ credentials: { set: 'sign-in' }, hasEndpoint: true })).toThrow(
      'credentials and endpoint exclude each other.',
    )
  })
})

test('a set whose switch is off cannot be named', () => {
  const compose = () =>
    composeChildEnvironment({
      environment: { CLAUDE_CODE_USE_BEDROCK: 'false' },
      ...claude,
      credentials: { set: 'bedrock' },
    })
  expect(compose).toThrow('The credential set "bedrock" needs CLAUDE_CODE_USE_BEDROCK to be 1.')
})
