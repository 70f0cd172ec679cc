import { spawn } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { build } from 'tsup'
import { afterAll, beforeAll, expect, test } from 'vitest'

const built = new URL(`../../.cache/environment-host-${process.pid}/`, import.meta.url).pathname
const key = 'sk-only-for-this-test-0123456789'

beforeAll(async () => {
  mkdirSync(built, { recursive: true })
  const entry = { host: new URL('./programs/environment-host.ts', import.meta.url).pathname }
  await build({ config: false, entry, outDir: built, format: 'esm', target: 'node20', silent: true })
})
afterAll(() => rmSync(built, { recursive: true, force: true }))

/** Of Linux: elsewhere nothing is known of the processes above. What a host says that got the key on its stdin, which shows nothing. */
async function ask(command: string, environment: Record<string, string>): Promise<string> {
  const child = spawn('/bin/sh', ['-c', command, process.execPath, `${built}host.js`], {
    env: { PATH: process.env.PATH, ...environment },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  child.stdin.end(key)
  let said = ''
  for await (const chunk of child.stdout) said += chunk
  return said.trim()
}

test('a key that came on stdin is shown nowhere', async () => {
  expect(await ask('exec "$0" "$1"', { OTHER_KEY: 'sk-only-for-this' })).toBe('nowhere')
})

test('a key in the environment that the host was started with is shown there, also after it was deleted', async () => {
  expect(await ask('exec "$0" "$1"', { HELD_KEY: key })).toBe(
    'HELD_KEY in the environment that this process was started with',
  )
})

test('so is one that only a process above was started with', async () => {
  expect(await ask('env -u HELD_KEY "$0" "$1"; true', { HELD_KEY: key })).toMatch(
    /^HELD_KEY in the environment that process \d+, one above this one, was started with$/,
  )
})

test('and one on a command line', async () => {
  expect(await ask(`exec "$0" "$1" --key=${key}`, {})).toMatch(
    /^the command line that (this process|process)/,
  )
})
