import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { acpAgent, doctor, explainEnvironment } from '../../src/index.ts'
import { completed, coxswain, fakeCodex, said, scratchFolder, started, turnStarted } from './terminal.ts'

const folder = scratchFolder('reports')
afterAll(() => rmSync(folder, { recursive: true }))

/** A home with a codex on PATH and a sign-in. */
function machine(version: string): Record<string, string> {
  const home = mkdtempSync(join(folder, 'home-'))
  mkdirSync(join(home, '.codex'))
  mkdirSync(join(home, 'bin'))
  writeFileSync(
    join(home, '.codex', 'auth.json'),
    '{"auth_mode":"chatgpt","tokens":{"id_token":"t-of-mine"}}',
  )
  writeFileSync(join(home, 'bin', 'codex'), `#!/bin/sh\necho codex-cli ${version}\n`)
  chmodSync(join(home, 'bin', 'codex'), 0o755)
  return { HOME: home, PATH: `${join(home, 'bin')}:/usr/bin:/bin`, XDG_STATE_HOME: join(home, 'state') }
}

it('doctor finds the CLI, its version, the sign-in and who pays', async () => {
  const environment = machine('0.171.0')
  const report = await doctor({ adapters: ['codex-cli'], environment })
  expect(report).toMatchObject({
    node: process.version,
    adapters: [
      {
        adapter: 'codex-cli',
        binary: join(environment.HOME ?? '', 'bin/codex'),
        version: '0.171.0',
        tested: 'yes',
        signedIn: 'yes',
        signIn: [{ path: join(environment.HOME ?? '', '.codex/auth.json'), billing: 'subscription' }],
        credentials: [],
        wouldUse: ["the user's sign-in"],
        payer: 'subscription',
        home: { directory: join(environment.HOME ?? '', 'state/coxswain/homes/codex-cli'), usable: true },
      },
    ],
  })
  expect(report.adapters[0]).not.toHaveProperty('problem')
})

it('doctor tells names of credentials, never values', async () => {
  const environment = { ...machine('0.171.0'), CODEX_API_KEY: 'sk-of-mine-1234' }
  const report = await doctor({ adapters: ['codex-cli'], environment })
  expect(report.adapters[0]).toMatchObject({
    signedIn: 'yes',
    payer: 'api',
    wouldUse: ['CODEX_API_KEY'],
    credentials: [{ set: 'api-key', billing: 'api', variables: ['CODEX_API_KEY'], inUse: true }],
  })
  expect(JSON.stringify(report)).not.toMatch(/of-mine/)
})

it('doctor says what is wrong and what to do', async () => {
  const old = await doctor({ adapters: ['codex-cli'], environment: machine('0.20.0') })
  expect(old.adapters[0]).toMatchObject({ tested: 'too_old', problem: { code: 'unsupported_version' } })
  const none = await doctor({ adapters: ['claude-code'], environment: machine('0.171.0') })
  expect(none.adapters[0]).toMatchObject({ problem: { code: 'not_installed' }, payer: 'nobody' })
})

it.each([
  [
    'claude-code',
    '.claude/.credentials.json',
    { claudeAiOauth: { accessToken: 'of-mine', scopes: ['user:inference'] } },
    'yes',
    'subscription',
  ],
  ['claude-code', '.claude/.credentials.json', { claudeAiOauth: { scopes: [] } }, 'no', 'nobody'],
  ['claude-code', 'elsewhere', {}, 'no', 'nobody'],
  ['codex-cli', '.codex/auth.json', { auth_mode: 'apikey', OPENAI_API_KEY: 'of-mine' }, 'yes', 'api'],
  ['codex-cli', '.codex/auth.json', { auth_mode: 'telepathy' }, 'unknown', 'unknown'],
  [
    'pi-cli',
    '.pi/agent/auth.json',
    { anthropic: { type: 'oauth' }, xai: { type: 'api_key' } },
    'yes',
    'mixed',
  ],
  ['cursor-cli', 'elsewhere', {}, 'unknown', 'subscription'],
] as const)(
  'doctor says of %s with %s %j: signed in %s, paid by %s',
  async (adapter, file, content, signedIn, payer) => {
    const home = mkdtempSync(join(folder, 'home-'))
    mkdirSync(dirname(join(home, file)), { recursive: true })
    writeFileSync(join(home, file), JSON.stringify(content))
    const environment = { HOME: home, PATH: '/usr/bin:/bin', XDG_STATE_HOME: join(home, 'state') }
    const report = await doctor({ adapters: [adapter], environment })
    expect(report.adapters[0]).toMatchObject({ signedIn, payer })
    expect(JSON.stringify(report)).not.toContain('of-mine')
  },
)

it('doctor says that a home cannot be made, instead of failing', async () => {
  const machineHere = machine('0.171.0')
  const notADirectory = join(machineHere.HOME ?? '', 'bin/codex')
  const blocked = await doctor({
    adapters: ['codex-cli'],
    environment: { ...machineHere, XDG_STATE_HOME: notADirectory },
  })
  const directory = join(notADirectory, 'coxswain/homes/codex-cli')
  expect(blocked.adapters[0]?.home).toEqual({ directory, usable: false })
  // All of it is temporary, as the system says.
  const nowhere = await doctor({ adapters: ['codex-cli'], environment: { ...machineHere, TMPDIR: '/' } })
  expect(nowhere.adapters[0]).toMatchObject({
    home: { directory: '', usable: false },
    problem: {
      code: 'invalid_options',
      hint: 'Set XDG_STATE_HOME to a directory of the user outside of it.',
    },
  })
})

it('coxswain doctor fits a terminal of 80 columns, paths aside, and --json is the report', async () => {
  const machineHere = machine('0.171.0')
  const environment = { ...machineHere, CODEX_API_KEY: 'sk-of-mine-1234' }
  const { out } = await coxswain(['doctor'], { environment })
  const home = machineHere.HOME ?? '?'
  const long = out.split('\n').filter((line) => line.length > 80 && !line.includes(home))
  expect(long).toEqual([])
  expect(out).toContain('  would use   CODEX_API_KEY, billed by use\n')
  const { out: json } = await coxswain(['doctor', 'codex', '--json'], { environment })
  expect(JSON.parse(json).adapters[0]).toMatchObject({ adapter: 'codex-cli', signedIn: 'yes', payer: 'api' })
  expect(out + json).not.toContain('of-mine')
})

it('coxswain doctor lists every CLI; a named one that cannot be used is exit code 1', async () => {
  const environment = machine('0.171.0')
  const all = await coxswain(['doctor'], { environment })
  expect(all.code).toBe(0)
  for (const title of ['claude-code', 'codex-cli', 'cursor-cli', 'pi-cli'])
    expect(all.out).toContain(`(${title})`)
  expect(all.out).toMatch(/^ {2}version +0\.171\.0, tested$/m)
  expect((await coxswain(['doctor', 'codex'], { environment })).code).toBe(0)
  const absent = await coxswain(['doctor', 'claude'], { environment })
  expect(absent.code).toBe(1)
  // The limits of a CLI that is not here are told to who asks for it alone.
  expect(absent.out).toMatch(/^ {2}limits +- Below 2\.0\.0/m)
  expect(all.out).not.toContain('Below 2.0.0')
  expect(all.out).toContain('Below 0.113.0')
})

it('doctor examines an agent that speaks ACP as far as anybody can from outside', async () => {
  const agents = [
    acpAgent({ id: 'here', command: [process.execPath, 'agent.js'] }),
    acpAgent({ id: 'gone', command: ['no-such-agent'] }),
  ]
  const environment = { PATH: process.env.PATH, HOME: '/nowhere' }
  const { adapters } = await doctor({ adapters: agents, environment })
  const unknown = { signedIn: 'unknown', payer: 'unknown', exposure: { credentialExposure: 'unknown' } }
  expect(adapters).toMatchObject([
    { adapter: 'here', binary: process.execPath, version: 'unknown', tested: 'unknown', ...unknown },
    { adapter: 'gone', problem: { code: 'not_installed', hint: expect.any(String) }, ...unknown },
  ])
  expect(adapters[0]).not.toHaveProperty('problem')
  expect(adapters[0]?.limits.length).toBeGreaterThan(0)
})

it('explainEnvironment tells what passes, what is set, and by which rule', () => {
  const report = explainEnvironment({
    adapter: 'codex-cli',
    environment: { ...machine('0.171.0'), OPENAI_ORG_SECRET: 'x', CODEX_API_KEY: 'y', CLAUDECODE: '1' },
    scope: { SECRET_A: 'a', PATH: '/evil' },
  })
  const fates = Object.fromEntries(report.entries.map(({ name, fate, rule }) => [name, `${fate} ${rule}`]))
  expect(fates).toMatchObject({
    HOME: 'kept ordinary',
    CLAUDECODE: 'dropped agent',
    CODEX_API_KEY: 'kept credential',
    SECRET_A: 'granted granted',
    CODEX_HOME: 'set set',
    COXSWAIN_TURN: 'set set',
  })
  expect(report.entries).toContainEqual({ name: 'PATH', fate: 'refused', rule: 'not_scoped' })
  expect(JSON.stringify(report)).not.toContain('evil')
})

it('explainEnvironment tells which credential would be used, and why another one is not', () => {
  const report = explainEnvironment({
    adapter: 'codex-cli',
    environment: { ...machine('0.171.0'), CODEX_API_KEY: 'k-of-mine', CODEX_ACCESS_TOKEN: 't-of-mine' },
  })
  expect(report.considered).toEqual([
    { set: 'api-key', billing: 'api', variables: ['CODEX_API_KEY'], inUse: true },
    {
      set: 'access-token',
      billing: 'subscription',
      variables: ['CODEX_ACCESS_TOKEN'],
      inUse: false,
      why: 'outranked',
    },
  ])
  expect(report.payment).toEqual({ payer: 'api', by: ['CODEX_API_KEY'] })
  expect(report.signIn.map(({ billing }) => billing)).toEqual(['subscription'])
  expect(JSON.stringify(report)).not.toContain('of-mine')
})

it('explainEnvironment tells what an endpoint leaves out, and what it sets', () => {
  const report = explainEnvironment({
    adapter: 'codex-cli',
    environment: { ...machine('0.171.0'), CODEX_API_KEY: 'k-of-mine' },
    endpoint: { url: 'http://127.0.0.1:1/v1', credential: 'e-of-mine' },
  })
  expect(report.considered).toEqual([
    { set: 'api-key', billing: 'api', variables: ['CODEX_API_KEY'], inUse: false, why: 'not_chosen' },
  ])
  expect(report.entries).toContainEqual({ name: 'CODEX_API_KEY', fate: 'dropped', rule: 'credential_unused' })
  expect(report.signIn).toEqual([])
  expect(report.payment).toEqual({ payer: 'api', by: ["the endpoint's own credential"] })
  expect(JSON.stringify(report)).not.toContain('of-mine')
})

it('coxswain env --json prints the same report', async () => {
  const { code, out } = await coxswain(['env', 'claude', '--json', '--credentials', 'none'], {
    environment: { ANTHROPIC_API_KEY: 'sk-of-mine-1234' },
  })
  expect(code).toBe(0)
  const report = JSON.parse(out)
  expect(report.entries).toContainEqual({
    name: 'ANTHROPIC_API_KEY',
    fate: 'dropped',
    rule: 'credential_unused',
  })
  expect(report.payment).toEqual({ payer: 'nobody', by: [] })
  expect(out).not.toContain('of-mine')
})

it('coxswain env prints names and rules, never values', async () => {
  const environment = { CODEX_API_KEY: 'sk-of-mine-1234', CLAUDECODE: '1', SECRET_A: 'hush' }
  const { code, out } = await coxswain(['env', 'codex', '--scope', 'SECRET_A'], { environment })
  expect(code).toBe(0)
  expect(out).toMatch(/^kept +CODEX_API_KEY +credential/m)
  expect(out).toMatch(/^dropped +CLAUDECODE +agent/m)
  expect(out).toMatch(/^granted +SECRET_A/m)
  expect(out).toMatch(/^agent +An enclosing agent's marker or setting\.$/m)
  expect(out).toContain('Credentials: api-key (CODEX_API_KEY): used, billed by use.')
  expect(out).toContain('Would use: CODEX_API_KEY, billed by use.')
  expect(out).not.toMatch(/sk-of-mine|hush/)
})

it('coxswain record keeps a turn as a fixture and says what it replaced', async () => {
  const directory = join(folder, 'fixtures')
  const binary = await fakeCodex({ print: [started, turnStarted, said('My key is hush-hush.'), completed] })
  const { code, out, err } = await coxswain(
    ['record', 'codex', 'text', 'look', '--directory', directory, '--scope=SECRET_A=hush-hush', ...binary],
    {},
  )
  expect(code).toBe(0)
  expect(out).not.toContain('hush-hush')
  expect(readFileSync(join(directory, 'text.jsonl'), 'utf8')).toContain('My key is REDACTED_SECRET_A.')
  expect(readFileSync(join(directory, 'text.exit.json'), 'utf8')).toBe('{"exitCode":0,"signal":null}\n')
  expect(err).toContain('secret SECRET_A: 1 times, now REDACTED_SECRET_A')
})
