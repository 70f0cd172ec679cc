import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { findVersion, judgeVersion } from '../../src/run/version.ts'
import { tinyCli } from '../tiny-cli.ts'
import { executable, gone, isAlive, pidIn, probe, scratchFile, shell, start } from './probe.ts'

const path = { PATH: '/usr/bin:/bin' }

function binary(file: string) {
  return { file, arguments: [], script: file }
}

function adapter(packages?: string[]) {
  return { version: { floor: '1.0.0', tested: '2.1.0', ...(packages && { packages }) } }
}

test("the version stands in the CLI's own package.json, found from the real file behind a link", async () => {
  const root = scratchFile('package')
  mkdirSync(join(root, 'dist/deep'), { recursive: true })
  writeFileSync(join(root, 'package.json'), '{"name":"@tiny/cli","version":"1.4.2"}')
  writeFileSync(join(root, 'dist/package.json'), '{"type":"module"}')
  const ran = scratchFile('ran')
  writeFileSync(join(root, 'dist/deep/cli'), `#!/bin/sh\ntouch ${ran}\n`, { mode: 0o755 })
  const link = scratchFile('link')
  symlinkSync(join(root, 'dist/deep/cli'), link)
  expect(await findVersion(adapter(['other', '@tiny/cli']), binary(link), path)).toBe('1.4.2')
  expect(() => readFileSync(ran)).toThrow('ENOENT')
})

test.each([
  ['tiny 1.2.3', '1.2.3'],
  ['v2.0.0-beta.1+7 (Tiny)', '2.0.0-beta.1+7'],
  ['2026.01.28-abc123', '2026.01.28-abc123'],
  ['no version here', 'unknown'],
])('a CLI that prints "%s" is version %s', async (printed, version) => {
  expect(await findVersion(adapter(), binary(shell(`echo "${printed}"`)), path)).toBe(version)
})

test('the version is asked for once, until the file changes', async () => {
  const count = scratchFile('count')
  const file = shell(`echo . >> ${count}`, 'echo 1.0.0')
  const asked = () => readFileSync(count, 'utf8').trim().split('\n').length
  await Promise.all([findVersion(adapter(), binary(file), path), findVersion(adapter(), binary(file), path)])
  expect(await findVersion(adapter(), binary(file), path)).toBe('1.0.0')
  expect(asked()).toBe(1)
  writeFileSync(file, `#!/bin/sh\necho . >> ${count}\necho 1.0.10\n`)
  expect(await findVersion(adapter(), binary(file), path)).toBe('1.0.10')
  expect(asked()).toBe(2)
})

test('a program that goes on after its first line is not waited for, and leaves nothing', async () => {
  const pid = scratchFile('pid')
  const program = shell(`setsid sleep 1000 & echo $! > ${pid}`, 'echo hello', 'sleep 1000')
  expect(await findVersion(adapter(), binary(program), path)).toBe('unknown')
  expect(await gone(await pidIn(pid))).toBe(true)
})

test('a file that cannot be run has no version', async () => {
  expect(await findVersion(adapter(), binary(executable('#!/nowhere/at/all\n')), path)).toBe('unknown')
})

const judged = { title: 'Tiny', install: 'npm install -g tiny', version: { floor: '1.0.0', tested: '2.1.0' } }

test('a version below the floor is refused', () => {
  expect(() => judgeVersion(judged, '0.9.9')).toThrow(
    expect.objectContaining({
      code: 'unsupported_version',
      message: 'Tiny 0.9.9 is too old: 1.0.0 is the oldest that works.',
      hint: 'Update it: npm install -g tiny.',
    }),
  )
})

test.each([
  ['1.0.0', undefined],
  ['2.1.0', undefined],
  ['2.1.1', 'version_untested'],
  ['unknown', 'version_unknown'],
])('version %s gives the notice %s', (version, code) => {
  expect(judgeVersion(judged, version)?.code).toBe(code)
})

test('a CLI without arguments for it is not started to tell its version, and nothing is said of that', async () => {
  const silent = { version: { ...adapter().version, arguments: [] } }
  const program = binary(executable('#!/bin/sh\nsleep 60\n'))
  expect(await findVersion(silent, program, path)).toBe('unknown')
  expect(
    judgeVersion({ ...judged, version: { ...judged.version, arguments: [] } }, 'unknown'),
  ).toBeUndefined()
})

test('a turn that is stopped while the version is asked for ends at once, and leaves nothing of it', async () => {
  const pid = scratchFile('pid')
  const stop = new AbortController()
  const slow = shell(`[ "$1" = --version ] && { echo $$ > ${pid}; exec sleep 300; }`)
  const { version } = tinyCli()
  const turn = start(slow, { adapter: { ...probe, version }, signal: stop.signal })
  const asked = await pidIn(pid)
  const stopped = performance.now()
  stop.abort()
  expect(await turn.completion).toMatchObject({ status: 'interrupted', error: { code: 'aborted' } })
  expect(performance.now() - stopped).toBeLessThan(2_000)
  expect(isAlive(asked)).toBe(false)
})

test('a stop does not take the version from another turn that waits for it', async () => {
  const go = scratchFile('go')
  const file = shell(`while ! [ -e ${go} ]; do sleep 0.01; done`, 'echo 1.2.3')
  const stop = new AbortController()
  const one = findVersion(adapter(), binary(file), path, stop.signal)
  const other = findVersion(adapter(), binary(file), path)
  stop.abort()
  expect(await one).toBe('unknown')
  writeFileSync(go, '')
  expect(await other).toBe('1.2.3')
  expect(await findVersion(adapter(), binary(file), path)).toBe('1.2.3')
})
