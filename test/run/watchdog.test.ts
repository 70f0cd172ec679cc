import { spawn } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { describe, expect, test } from 'vitest'
import { removeAbandonedHomes } from '../../src/run/home-owners.ts'
import { builtHost } from './built-host.ts'
import { gone, isAlive, pidIn, scratchFile, shell } from './probe.ts'

const built = builtHost('host')

/** A host with one turn that runs; resolves when the turn has said its first word. */
async function startHost(binary: string, how = 'wait', state = `${built}state`) {
  const host = spawn(process.execPath, [`${built}host.js`, binary, how], {
    env: { ...process.env, XDG_STATE_HOME: state },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const over = new Promise((resolve) => host.once('exit', (code, signal) => resolve(signal ?? code)))
  for await (const line of createInterface({ input: host.stdout })) if (line === 'session') break
  return { host, over }
}

describe.runIf(process.platform === 'linux').each([
  ['SIGKILL', 'wait', 'SIGKILL'],
  ['SIGTERM', 'wait', 'SIGTERM'],
  ['nothing', 'exit', 3],
  ['nothing', 'throw', 1],
] as const)('a host that ends by %s (%s)', (signal, how, end) => {
  test('leaves nothing of its turns behind', async () => {
    const [child, tool] = [scratchFile('pid'), scratchFile('pid')]
    const stubborn = `setsid sh -c 'trap "" TERM INT HUP; echo $$ > ${tool}; while :; do sleep 1; done' &`
    const hello = `echo '{"type":"hello","id":"a"}'`
    const wait = `while ! [ -s ${tool} ]; do sleep 0.01; done`
    const program = shell(`echo $$ > ${child}`, stubborn, wait, hello, 'exec sleep 1000')
    const state = `${built}state-${signal}-${how}`
    const { host, over } = await startHost(program, how, state)
    const pids = [await pidIn(child), await pidIn(tool)]
    expect(pids.map(isAlive)).toEqual(how === 'wait' ? [true, true] : expect.any(Array))
    if (signal !== 'nothing') host.kill(signal)
    expect(await over).toBe(end)
    expect(await Promise.all(pids.map((pid) => gone(pid, 8_000)))).toEqual([true, true])
    // The directory of the turn's files: the next start finds whose it was.
    const homes = `${state}/coxswain/homes/tiny-cli`
    if (signal === 'SIGKILL') expect(readdirSync(homes)).toHaveLength(2)
    await removeAbandonedHomes(homes)
    expect(readdirSync(homes).filter((name) => name !== '.removed')).toEqual([])
  })
})

test('a host whose turns are over ends by itself', async () => {
  const lines = ['{"type":"hello","id":"a"}', '{"type":"bye"}'].map((line) => `echo '${line}'`)
  const { over } = await startHost(shell(...lines))
  expect(await over).toBe(0)
})
