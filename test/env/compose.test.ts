import { execFileSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { type CredentialVariables, composeChildEnvironment } from '../../src/env.ts'

const sets: CredentialVariables[] = [
  { name: 'api-key', variables: ['ANTHROPIC_API_KEY'], billing: 'api' },
  {
    name: 'oauth',
    variables: ['CLAUDE_CODE_OAUTH_TOKEN'],
    billing: 'subscription',
    transports: ['structured'],
  },
  {
    name: 'bedrock',
    variables: ['CLAUDE_CODE_USE_BEDROCK', 'AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_REGION'],
    requires: ['CLAUDE_CODE_USE_BEDROCK'],
    billing: 'api',
  },
]

const base = { PATH: '/bin', HOME: '/home/u', ANTHROPIC_API_KEY: 'sk-ant', OPENAI_API_KEY: 'sk-oai' }

describe("credentials 'inherit', the default", () => {
  test("pass on this adapter's own, and no other provider's", () => {
    const composed = composeChildEnvironment({ environment: base, sets })
    expect(composed.environment).toEqual({ PATH: '/bin', HOME: '/home/u', ANTHROPIC_API_KEY: 'sk-ant' })
    expect(composed.credentials).toEqual({
      sets: ['api-key'],
      outranked: [],
      names: ['ANTHROPIC_API_KEY'],
      billing: 'api',
      signIn: true,
    })
    expect(composed.report).toEqual([
      { name: 'PATH', fate: 'kept', rule: 'ordinary' },
      { name: 'HOME', fate: 'kept', rule: 'ordinary' },
      { name: 'ANTHROPIC_API_KEY', fate: 'kept', rule: 'credential', set: 'api-key' },
      { name: 'OPENAI_API_KEY', fate: 'dropped', rule: 'provider' },
    ])
  })

  test('take every set that is complete, and say that two payers are there', () => {
    const environment = { ANTHROPIC_API_KEY: 'a', CLAUDE_CODE_OAUTH_TOKEN: 'b' }
    expect(composeChildEnvironment({ environment, sets }).credentials).toEqual({
      sets: ['api-key', 'oauth'],
      outranked: [],
      names: ['ANTHROPIC_API_KEY', 'CLAUDE_CODE_OAUTH_TOKEN'],
      billing: 'mixed',
      signIn: true,
    })
  })

  test('leave out a set that lacks what it requires', () => {
    const environment = { AWS_ACCESS_KEY_ID: 'a', AWS_SECRET_ACCESS_KEY: 'b', AWS_REGION: 'eu-west-1' }
    const composed = composeChildEnvironment({ environment, sets })
    expect(composed.environment).toEqual({ AWS_REGION: 'eu-west-1' })
    expect(composed.credentials.billing).toBeUndefined()
    expect(composed.report[0]).toEqual({
      name: 'AWS_ACCESS_KEY_ID',
      fate: 'dropped',
      rule: 'credential_unused',
    })
  })

  test('count a blank key as none', () => {
    const composed = composeChildEnvironment({ environment: { ANTHROPIC_API_KEY: ' ' }, sets })
    expect(composed.environment).toEqual({})
    expect(composed.credentials.sets).toEqual([])
  })

  test('leave out a set that does not work on this transport', () => {
    const environment = { CLAUDE_CODE_OAUTH_TOKEN: 'b' }
    expect(composeChildEnvironment({ environment, sets, transport: 'live' }).environment).toEqual({})
    expect(composeChildEnvironment({ environment, sets, transport: 'structured' }).environment).toEqual(
      environment,
    )
  })

  test('keep what no rule speaks against, also where a set could use it', () => {
    const vertex: CredentialVariables = {
      name: 'vertex',
      variables: ['GOOGLE_CLOUD_PROJECT', 'REGION'],
      billing: 'api',
    }
    const environment = { GOOGLE_CLOUD_PROJECT: 'p' }
    expect(composeChildEnvironment({ environment, sets: [vertex] }).environment).toEqual(environment)
  })
})

describe('no ambient key and no sign-in reaches the child', () => {
  const own: CredentialVariables[] = [...sets, { name: 'odd', variables: ['ODD_LOGIN'], billing: 'api' }]
  const environment = { ...base, ODD_LOGIN: 'me', AWS_REGION: 'eu-west-1' }
  const left = { PATH: '/bin', HOME: '/home/u', AWS_REGION: 'eu-west-1' }
  const nobody = { sets: [], outranked: [], names: [], billing: undefined, signIn: false }

  test("with credentials 'none'", () => {
    const composed = composeChildEnvironment({ environment, sets: own, credentials: 'none' })
    expect(composed.environment).toEqual(left)
    expect(composed.credentials).toEqual(nobody)
  })

  test('with an endpoint', () => {
    const composed = composeChildEnvironment({ environment, sets: own, hasEndpoint: true })
    expect(composed.environment).toEqual(left)
    expect(composed.credentials).toEqual(nobody)
  })

  test('with values of the caller', () => {
    const composed = composeChildEnvironment({
      environment,
      sets: own,
      credentials: { values: { CLAUDE_CODE_OAUTH_TOKEN: 'given' } },
    })
    expect(composed.environment).toEqual({ ...left, CLAUDE_CODE_OAUTH_TOKEN: 'given' })
    expect(composed.credentials).toEqual({
      sets: ['oauth'],
      outranked: [],
      names: ['CLAUDE_CODE_OAUTH_TOKEN'],
      billing: 'subscription',
      signIn: false,
    })
  })
})

describe('a named set', () => {
  const environment = {
    ...base,
    CLAUDE_CODE_USE_BEDROCK: '1',
    AWS_ACCESS_KEY_ID: 'a',
    AWS_REGION: 'eu-west-1',
  }

  test("passes alone, its values before the base's", () => {
    const composed = composeChildEnvironment({
      environment,
      sets,
      credentials: { set: 'bedrock', values: { AWS_ACCESS_KEY_ID: 'given' } },
    })
    expect(composed.environment).toEqual({
      PATH: '/bin',
      HOME: '/home/u',
      CLAUDE_CODE_USE_BEDROCK: '1',
      AWS_ACCESS_KEY_ID: 'given',
      AWS_REGION: 'eu-west-1',
    })
    expect(composed.credentials.signIn).toBe(false)
  })

  const faults: [title: string, code: string, message: string, options: object][] = [
    [
      'that is not there',
      'invalid_options',
      'There is no credential set "vertex". Known here: api-key, oauth, bedrock, sign-in.',
      { credentials: { set: 'vertex' } },
    ],
    [
      'that lacks a value',
      'auth',
      'The credential set "oauth" needs CLAUDE_CODE_OAUTH_TOKEN.',
      { credentials: { set: 'oauth' } },
    ],
    [
      'that does not work on the transport',
      'unsupported',
      'The credential set "oauth" does not work on the live transport.',
      { credentials: { set: 'oauth' }, transport: 'live' },
    ],
    [
      'together with an endpoint',
      'invalid_options',
      'credentials and endpoint exclude each other.',
      { credentials: { set: 'api-key' }, hasEndpoint: true },
    ],
    ['that is no set', 'invalid_options', 'credentials has neither a set nor values.', { credentials: {} }],
    [
      "and a value that is none of this adapter's",
      'environment_key_refused',
      'credentials.values cannot hold "OPENAI_API_KEY", "PATH": not a credential of this adapter.',
      { credentials: { set: 'api-key', values: { OPENAI_API_KEY: 'must-not-pass', PATH: 'must-not-pass' } } },
    ],
    [
      'or values that complete none',
      'auth',
      'credentials.values (AWS_REGION) completes no credential set.',
      { credentials: { values: { AWS_REGION: 'eu-west-1' } } },
    ],
    [
      'and a value that is no text',
      'invalid_options',
      'credentials.values.ANTHROPIC_API_KEY must be a string without NUL.',
      { credentials: { values: { ANTHROPIC_API_KEY: 'a\0b' } } },
    ],
  ]
  test.each(faults)('%s is %s: %s', (_title, code, message, options) => {
    expect(() => composeChildEnvironment({ environment, sets, ...options })).toThrow(
      expect.objectContaining({ code, message }),
    )
  })
})

test('inherit cannot name a credential of this adapter', () => {
  const own: CredentialVariables[] = [{ name: 'odd', variables: ['ODD_LOGIN'], billing: 'api' }]
  expect(() => composeChildEnvironment({ environment: base, sets: own, inherit: ['ODD_LOGIN'] })).toThrow(
    'inherit can never pass on "ODD_LOGIN".',
  )
})

test('what is set on top comes last, also before a credential', () => {
  const composed = composeChildEnvironment({
    environment: { ...base, CODEX_HOME: '/home/u/.codex' },
    sets,
    set: { CODEX_HOME: '/state/home', COXSWAIN_TURN: 'turn', ANTHROPIC_API_KEY: 'other' },
  })
  expect(composed.environment).toEqual({
    PATH: '/bin',
    HOME: '/home/u',
    CODEX_HOME: '/state/home',
    COXSWAIN_TURN: 'turn',
    ANTHROPIC_API_KEY: 'other',
  })
})

test('the report holds names and rules, never a value', () => {
  const { report } = composeChildEnvironment({
    environment: {
      A: 'VALUE-1',
      GH_TOKEN: 'VALUE-2',
      HTTPS_PROXY: 'http://u:VALUE-3@p',
      ANTHROPIC_API_KEY: 'VALUE-4',
    },
    sets,
    scope: { SECRET_A: 'VALUE-5', VAR_A: 'VALUE-6' },
    set: { X: 'VALUE-7' },
  })
  expect(JSON.stringify(report)).not.toContain('VALUE-')
  expect(report.map((entry) => entry.name)).toEqual([
    'A',
    'GH_TOKEN',
    'HTTPS_PROXY',
    'ANTHROPIC_API_KEY',
    'SECRET_A',
    'VAR_A',
    'X',
  ])
})

// Breaks when a child is given the base instead of what was composed.
test('a real child sees the granted and the needed, and none of the marked values', () => {
  const marked = Object.fromEntries(
    [
      'GH_TOKEN',
      'OPENAI_API_KEY',
      'AWS_SECRET_ACCESS_KEY',
      'COXSWAIN_X',
      'SECRET_OTHER',
      'MCP_AUTH',
      'CLAUDECODE',
    ].map((name) => [name, `${name}-MUST-NOT-LEAK`]),
  )
  const { environment } = composeChildEnvironment({
    environment: { PATH: '/usr/bin:/bin', HOME: '/home/u', ...marked, ANTHROPIC_API_KEY: 'own' },
    scope: { SECRET_MINE: 'mine' },
    sets,
  })
  const seen = execFileSync('/usr/bin/env', { env: environment, encoding: 'utf8' }).trim().split('\n').sort()
  expect(seen).toEqual(['ANTHROPIC_API_KEY=own', 'HOME=/home/u', 'PATH=/usr/bin:/bin', 'SECRET_MINE=mine'])
})
