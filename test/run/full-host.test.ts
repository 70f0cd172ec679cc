import { execFile } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { promisify } from 'node:util'
import { build } from 'tsup'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { echo, goodTurn, shell } from './probe.ts'

// Inside the repository, so that the built files find their dependencies.
const built = new URL(`../../.cache/full-host-${process.pid}/`, import.meta.url).pathname

beforeAll(async () => {
  mkdirSync(built, { recursive: true })
  await build({
    config: false,
    entry: {
      host: new URL('./programs/full-host.ts', import.meta.url).pathname,
      'watchdog-process': new URL('../../src/run/watchdog-process.js', import.meta.url).pathname,
    },
    outDir: built,
    format: 'esm',
    target: 'node20',
    silent: true,
  })
})
afterAll(() => rmSync(built, { recursive: true, force: true }))

test('a host that can open no more files lives on: its turn tells the fault, the next turn is good', async () => {
  // Not so few that its modules, which are read side by side, could not be loaded.
  const command = `ulimit -n 512; exec "$0" "$1" "$2" 3`
  const program = shell(echo(...goodTurn))
  const { stdout } = await promisify(execFile)('/bin/sh', [
    '-c',
    command,
    process.execPath,
    `${built}host.js`,
    program,
  ])
  expect(JSON.parse(stdout)).toEqual([
    'error',
    'spawn_failed',
    'BINARY could not be started: EMFILE.',
    'success',
  ])
})
