import { describe, expect, test } from 'vitest'
import { composeChildEnvironment, isScopedEnvironmentKey } from '../../src/env.ts'
import { isAgentError } from '../../src/errors.ts'

/** The contract of what a scope can grant: a name that is to be admitted needs a row here. */
describe('a scope grants', () => {
  test.each([
    'SECRET_A',
    'SECRET_PEXELS_KEY',
    'VAR_A',
    'VAR_PAN',
    'VAR_GROUP_NAME',
    'VAR_WORKSPACE_PATH',
    'MCP_API_URL',
    'MCP_API_TOKEN',
    'MCP_SESSION_ID',
    'MCP_MCP',
    'MCP_CUSTOM',
    'MCP_VIRTUAL',
    'MCP_AUTH',
  ])('%s', (name) => {
    expect(isScopedEnvironmentKey(name)).toBe(true)
    const { environment } = composeChildEnvironment({ environment: {}, scope: { [name]: 'granted' } })
    expect(environment).toEqual({ [name]: 'granted' })
  })
})

describe('a scope refuses', () => {
  test.each([
    'MCP_ANYTHING',
    'MCP_UNRELATED',
    'SECRETX',
    'VARX',
    'SECRET_',
    'VAR_',
    'secret_a',
    'PATH',
    'HOME',
    'DATABASE_URL',
    'AWS_SECRET',
    'UNRELATED',
    'COXSWAIN_TURN',
    'ANTHROPIC_API_KEY',
    'MY_SECRET_A',
    // A shell could not read these.
    'SECRET_A-B',
    'SECRET_A=B',
    'SECRET_A B',
    '',
  ])('%j', (name) => {
    expect(isScopedEnvironmentKey(name)).toBe(false)
    const compose = () =>
      composeChildEnvironment({ environment: { PATH: '/bin' }, scope: { [name]: 'must-not-pass' } })
    expect(compose).toThrow(JSON.stringify(name))
  })
})

test('all refused names are named at once, with how the set is extended, and never a value', () => {
  let caught: unknown
  try {
    composeChildEnvironment({
      environment: {},
      scope: { PATH: 'must-not-pass', SECRET_A: 'x', MCP_OTHER: 'y' },
    })
  } catch (error) {
    caught = error
  }
  expect(isAgentError(caught) && { code: caught.code, message: caught.message, hint: caught.hint }).toEqual({
    code: 'environment_key_refused',
    message: 'scope can not grant "PATH", "MCP_OTHER".',
    hint: 'Admitted are SECRET_*, VAR_*, MCP_API_URL, MCP_API_TOKEN, MCP_SESSION_ID, MCP_MCP, MCP_CUSTOM, MCP_VIRTUAL and MCP_AUTH; the set is extended in isScopedEnvironmentKey (src/env/policy.ts), with a row in the contract test.',
  })
})

test.each(['SECRET_EMPTY', 'VAR_EMPTY', 'MCP_CUSTOM'])(
  'a blank %s is absent, so that a shell can tell',
  (name) => {
    for (const blank of ['', '  ']) {
      const { environment, report } = composeChildEnvironment({ environment: {}, scope: { [name]: blank } })
      expect(environment).toEqual({})
      expect(report).toEqual([{ name, fate: 'absent', rule: 'blank' }])
    }
  },
)

describe('what the host has under those names', () => {
  const mine = { SECRET_MINE: 'mine' }
  const rows: [name: string, scope: Record<string, string> | undefined, passes: boolean][] = [
    ['SECRET_OTHER_TENANT', mine, false],
    ['VAR_SOMEONE_ELSES_CONFIG', mine, false],
    ['MCP_API_TOKEN', mine, false],
    ['MCP_AUTH', mine, false],
    ['MCP_SESSION_ID', mine, false],
    // Here the source rules keep the addresses.
    ['MCP_API_URL', mine, false],
    ['MCP_CUSTOM', mine, false],
    ['MCP_MCP', mine, false],
    ['MCP_VIRTUAL', mine, false],
    ['MCP_TIMEOUT', mine, false],
    ['PLAIN', mine, true],
    // Declared and empty: grant nothing.
    ['SECRET_A', {}, false],
    ['VAR_A', {}, false],
    ['MCP_API_URL', {}, false],
    ['PLAIN', {}, true],
    // Not declared. Here the source rules copy everything.
    ['SECRET_A', undefined, false],
    ['MCP_API_TOKEN', undefined, false],
    ['MCP_API_URL', undefined, false],
    ['VAR_A', undefined, true],
    ['PLAIN', undefined, true],
  ]
  test.each(rows)('%s with the scope %j: passes %s', (name, scope, passes) => {
    const { environment } = composeChildEnvironment({ environment: { [name]: 'ambient' }, scope })
    expect(environment[name]).toBe(passes ? 'ambient' : undefined)
  })

  test('gives way to what is declared', () => {
    const environment = { MCP_API_TOKEN: 'ambient', VAR_A: 'ambient', PATH: '/bin' }
    const scope = { MCP_API_TOKEN: 'declared', VAR_A: 'declared' }
    expect(composeChildEnvironment({ environment, scope }).environment).toEqual({
      MCP_API_TOKEN: 'declared',
      VAR_A: 'declared',
      PATH: '/bin',
    })
  })
})
