import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { doctor, explainEnvironment } from '../../src/index.ts'
import { completed, coxswain, fakeCodex, said, scratchFolder, started, turnStarted } from './terminal.ts'

const folder = scratchFolder('reports')
afterAll(() => rmSync(folder, { recursive: true }))

/** A home with a codex on PATH and a sign-in. */
function machine(version: string): Record<string, string> {
  const home = mkdtempSync(join(folder, 'home-'))
  mkdirSync(join(home, '.codex'))
  mkdirSync(join(home, 'bin'))
  writeFileSync(join(home, '.codex', 'auth.json'), '{}')
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
        signIn: [join(environment.HOME ?? '', '.codex/auth.json')],
        credentials: [],
        payer: 'sign-in',
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
    payer: 'api',
    credentials: [{ billing: 'api', variables: ['CODEX_API_KEY'], inUse: true }],
  })
  expect(JSON.stringify(report)).not.toContain('sk-of-mine')
})

it('doctor says what is wrong and what to do', async () => {
  const old = await doctor({ adapters: ['codex-cli'], environment: machine('0.20.0') })
  expect(old.adapters[0]).toMatchObject({ tested: 'too_old', problem: { code: 'unsupported_version' } })
  const none = await doctor({ adapters: ['claude-code'], environment: machine('0.171.0') })
  expect(none.adapters[0]).toMatchObject({ problem: { code: 'not_installed' }, payer: 'nobody' })
})

it('coxswain doctor lists every CLI; a named one that cannot be used is exit code 1', async () => {
  const environment = machine('0.171.0')
  const all = await coxswain(['doctor'], { environment })
  expect(all.code).toBe(0)
  for (const title of ['claude-code', 'codex-cli', 'cursor-cli', 'pi-cli'])
    expect(all.out).toContain(`(${title})`)
  expect(all.out).toContain('version     0.171.0, tested')
  expect((await coxswain(['doctor', 'codex'], { environment })).code).toBe(0)
  expect((await coxswain(['doctor', 'claude'], { environment })).code).toBe(1)
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

it('coxswain env prints names and rules, never values', async () => {
  const environment = { CODEX_API_KEY: 'sk-of-mine-1234', CLAUDECODE: '1', SECRET_A: 'hush' }
  const { code, out } = await coxswain(['env', 'codex', '--scope', 'SECRET_A'], { environment })
  expect(code).toBe(0)
  expect(out).toMatch(/^kept +CODEX_API_KEY +credential/m)
  expect(out).toMatch(/^dropped +CLAUDECODE +agent/m)
  expect(out).toMatch(/^granted +SECRET_A/m)
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
