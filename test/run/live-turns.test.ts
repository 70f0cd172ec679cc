import { expect, test } from 'vitest'
import { shutdownAll } from '../../src/run/live-turns.ts'
import { echo, hello, isAlive, pidIn, scratchFile, shell, start } from './probe.ts'

test('shutdownAll() ends what runs and what is only being launched, waits for it, and refuses new turns', async () => {
  const pid = scratchFile('pid')
  const running = start(shell(`echo $$ > ${pid}`, echo(hello), 'exec sleep 1000'))
  const child = await pidIn(pid)
  const launching = start(shell('exec sleep 1000'))
  await Promise.all([shutdownAll(), shutdownAll()])
  expect(isAlive(child)).toBe(false)
  for (const turn of [running, launching]) {
    expect(await turn.completion).toMatchObject({
      status: 'interrupted',
      evidence: { by: 'host', detail: 'shutdownAll()' },
    })
  }
  expect(() => start(shell('exit 0'))).toThrow('No turn starts any more')
  await shutdownAll()
})
