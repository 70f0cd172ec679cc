import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import {
  composeChildEnvironment,
  environmentFingerprint,
  grantEnvironment,
  isScopedEnvironmentKey,
} from '../../src/env.ts'
import { isAgentError } from '../../src/errors.ts'
import { explainEnvironment, startTurn } from '../../src/index.ts'
import { ambientOfAnother, ambientSettings, granted, refused, scopes } from '../scope-contract.ts'

/** A name that is to be admitted needs a row in test/scope-contract.ts. */
describe('a scope grants', () => {
  test.each(Object.keys(granted))('%s', (name) => {
    expect(isScopedEnvironmentKey(name)).toBe(true)
    const { environment } = composeChildEnvironment({ environment: {}, scope: { [name]: 'granted' } })
    expect(environment).toEqual({ [name]: 'granted' })
  })
})

const base = { PATH: '/bin' }

describe('a scope refuses', () => {
  test.each(refused)('%j', (name) => {
    expect(isScopedEnvironmentKey(name)).toBe(false)
    const scope = { [name]: 'must-not-pass' }
    const refusal = expect.objectContaining({
      code: 'environment_key_refused',
      message: `scope cannot grant ${JSON.stringify(name)}.`,
    })
    // The option, the grant, the composed environment, the fingerprint: one rule.
    expect(() => startTurn({ adapter: 'codex-cli', prompt: 'x', environment: base, scope })).toThrow(refusal)
    expect(() => grantEnvironment(scope)).toThrow(refusal)
    expect(() => composeChildEnvironment({ environment: base, scope })).toThrow(refusal)
    expect(() => environmentFingerprint(scope)).toThrow(refusal)
    const { entries } = explainEnvironment({ adapter: 'codex-cli', environment: base, scope })
    expect(entries).toContainEqual({ name, fate: 'refused', rule: 'not_scoped' })
  })
})

test.each(scopes)('a scope that is $title gives the composed child just that', ({ scope, has }) => {
  const ambient = { ...base, ...ambientOfAnother, ...ambientSettings, SECRETX: 'x', VARX: 'x' }
  const { environment } = composeChildEnvironment({ environment: ambient, scope })
  expect(environment).toEqual({ ...base, SECRETX: 'x', VARX: 'x', ...has })
})

test('the three are three fingerprints', () => {
  const prints = scopes.map(({ scope }) => environmentFingerprint(scope))
  expect(new Set(prints).size).toBe(3)
})

test('nothing but policy.ts knows which names are admitted', () => {
  const source = new URL('../../src/', import.meta.url)
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.ts'),
  )
  const knowing = files.filter((file) => {
    const code = readFileSync(new URL(file, source), 'utf8').replace(/^\s*(?:\/?\*|\/\/).*$/gm, '')
    return /['"`](?:SECRET_|VAR_|MCP_(?:API_URL|SESSION_ID|MCP|CUSTOM|VIRTUAL|AUTH|API_TOKEN))['"`]/.test(
      code,
    )
  })
  expect(knowing).toEqual(['env/policy.ts'])
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
    message: 'scope cannot grant "PATH", "MCP_OTHER".',
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
