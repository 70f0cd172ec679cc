import { existsSync, readFileSync } from 'node:fs'
import { readdir, readFile, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { execa } from 'execa'
import { expect, inject, test } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))
const folder = inject('consumer')
const tarball = inject('tarball')

test('it stays small: most of it are the fixtures, which pack well', async () => {
  // 1.7 MB and 13 MB as this was written.
  expect((await stat(tarball)).size).toBeLessThan(2_500_000)
  const place = join(folder, 'node_modules/coxswain')
  const files = await readdir(place, { recursive: true })
  const sizes = await Promise.all(files.map(async (name) => (await stat(join(place, name))).size))
  expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(18_000_000)
})

test('publint finds nothing to say of the tarball', async () => {
  const result = await execa('npx', ['publint', 'run', tarball, '--strict'], {
    cwd: root,
    reject: false,
    all: true,
  })
  expect(result.all).toContain('All good!')
  expect(result.exitCode).toBe(0)
})

test('the types of every entry point resolve', async () => {
  const result = await execa('npx', ['attw', tarball, '--profile', 'esm-only', '--no-color'], {
    cwd: root,
    reject: false,
    all: true,
  })
  for (const entry of ['coxswain', 'coxswain/env', 'coxswain/bridge', 'coxswain/testing']) {
    expect(result.all).toMatch(new RegExp(`"${entry}" +│ 🟢 \\(ESM\\) +│ 🟢`))
  }
  expect(result.exitCode).toBe(0)
})

test('every entry point imports in an empty folder', async () => {
  const script = `
    const names = async (entry) => Object.keys(await import(entry)).sort()
    console.log(JSON.stringify({
      main: await names('coxswain'), env: await names('coxswain/env'), testing: await names('coxswain/testing'),
      bridge: await names('coxswain/bridge'),
    }))`
  const { stdout } = await execa('node', ['--input-type=module', '-e', script], { cwd: folder })
  const exported = JSON.parse(stdout)
  const environment = [
    'composeChildEnvironment',
    'deriveBridgeVariables',
    'environmentFingerprint',
    'grantEnvironment',
    'isScopedEnvironmentKey',
    'isSecretName',
    'scrubEnvironment',
  ]
  expect(exported.main).toEqual(
    [
      ...environment,
      'AgentError',
      'Transcript',
      'acpAgent',
      'adapters',
      'agentEventSchema',
      'asArray',
      'asBoolean',
      'asNumber',
      'asObject',
      'asString',
      'assembleText',
      'codeForStatus',
      'codeForText',
      'defineAdapter',
      'doctor',
      'errorCodes',
      'explainEnvironment',
      'getAdapter',
      'isAgentError',
      'nativeLimit',
      'openSession',
      'probeNativeShell',
      'replay',
      'resolveProfile',
      'resolveTransport',
      'runtimeProfileSchema',
      'shutdownAll',
      'startTurn',
    ].sort(),
  )
  expect(exported.env).toEqual([...environment, 'environmentRules'].sort())
  expect(exported.bridge).toEqual(['defineTool', 'startToolBridge'])
  expect(exported.testing).toEqual([
    'checkGuarantees',
    'cursorStandIn',
    'fakeCli',
    'fixturesFolder',
    'listFixtures',
    'longAnswer',
    'record',
    'replayFixture',
    'scenarios',
    'startModelServer',
    'testAdapter',
    'toolTurnAnswer',
    'updateSnapshots',
  ])
})

test('the command tells its version', async () => {
  const { stdout } = await execa('npx', ['coxswain', '--version'], { cwd: folder })
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  expect(stdout.trim()).toBe(version)
})

test.each([
  'README.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'docs/live.md',
  'docs/options.md',
  'docs/errors.md',
  'docs/performance.md',
  'docs/reference.md',
  'examples/browser-chat/README.md',
])('%s links to nothing that is not in the package', async (name) => {
  const place = join(folder, 'node_modules/coxswain', name)
  const text = await readFile(place, 'utf8')
  const links = [...text.matchAll(/\]\((?![a-z]+:)([^)#\s]*)(?:#([^)\s]+))?\)/g)]
  const missing = links.filter(([, target = '', heading]) => {
    const file = target === '' ? place : join(dirname(place), target)
    return !existsSync(file) || (heading !== undefined && !anchorsIn(file).includes(heading))
  })
  expect(missing).toEqual([])
})

/** What a heading is called in an address. */
function anchorsIn(file: string): string[] {
  return [...readFileSync(file, 'utf8').matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  )
}
