import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { afterEach, describe, expect, it } from 'vitest'
import { end, fake, make, run, start } from './running-fake-cli.ts'

afterEach(() => fake.remove())

describe('Its grandchild', () => {
  it('holds the stdout pipe after the exit, and prints a late line', async () => {
    const child = await start(['last', { grandchild: { lateLine: { late: true } } }])
    const lines: string[] = []
    child.stdout.on('data', (chunk) => lines.push(String(chunk)))
    await once(child, 'exit')
    while (lines.join('') !== 'last\n{"late":true}\n') await once(child.stdout, 'data')
    expect(child.stdout.readableEnded).toBe(false)
    await fake.remove()
    await once(child, 'close')
  })

  it('prints its late line when the test says so', async () => {
    const child = await start([{ grandchild: { lateLine: 'late', lateAfter: 'tide' } }, { linger: true }])
    await fake.seen('grandchild')
    await fake.go('tide')
    expect(String((await once(child.stdout, 'data'))[0])).toBe('late\n')
    child.kill('SIGKILL')
    await once(child, 'exit')
  })

  it('does not hold the pipe where it need not', async () => {
    const ended = await run(['last', { grandchild: { holdsStdout: false } }])
    expect(ended.stdout.toString()).toBe('last\n')
    expect(isAlive((await fake.seen('grandchild')).pid)).toBe(true)
  })

  it('ignores what it is told to ignore', async () => {
    await run([{ grandchild: { holdsStdout: false, ignoreSignals: ['SIGTERM'] } }])
    const { pid } = await fake.seen('grandchild')
    process.kill(pid, 'SIGTERM')
    expect(await fake.seen('signal')).toEqual({ what: 'signal', name: 'SIGTERM', pid })
    expect(isAlive(pid)).toBe(true)
  })

  it.each<[boolean, string]>([
    [false, ''],
    [true, 'late\n'],
  ])('with ownSession %s, says after the death of its group: %j', async (ownSession, expected) => {
    const grandchild = { ownSession, lateLine: 'late', lateAfter: 'tide' }
    await make({ steps: [{ grandchild }, { linger: true }] })
    const [node, file] = fake.binary
    const child = spawn(node, [file], { detached: true, stdio: ['ignore', 'pipe', 'ignore'] })
    const said: string[] = []
    child.stdout.on('data', (chunk) => said.push(String(chunk)))
    const [exited, closed] = [once(child, 'exit'), once(child, 'close')]
    await fake.seen('grandchild')
    process.kill(-(child.pid ?? 0), 'SIGKILL')
    await exited
    await fake.go('tide')
    // Both held the pipe: it is closed when both are gone.
    await (ownSession ? once(child.stdout, 'data') : closed)
    expect(said.join('')).toBe(expected)
  })

  it.each<[boolean, string | undefined]>([
    [false, 'here'],
    [true, undefined],
  ])('with bareEnvironment %s has the variable MARK as %s', async (bareEnvironment, mark) => {
    await run([{ grandchild: { bareEnvironment, holdsStdout: false } }])
    expect((await fake.seen('grandchild')).env.MARK).toBe(mark)
  })

  it('dies with the folder', async () => {
    const child = await start([{ grandchild: { ownSession: true, ignoreSignals: ['SIGTERM'] } }])
    const closed = end(child)
    await fake.seen('grandchild')
    await fake.remove()
    await closed
  })
})

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
