import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { builtHost } from './built-host.ts'
import { echo, goodTurn, shell } from './probe.ts'

const built = builtHost('full-host')

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
