import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openSession, startTurn } from '../../src/index.ts'
import { collect, gone, isAlive, scratch, script } from './probe.ts'
import { open, options, pidOf } from './tiny-sessions.ts'

test('a CLI that says nothing fails the handshake after firstEventMs, and is gone', async () => {
  const pidFile = join(scratch, 'silent-pid')
  const silent = script(`import { readFileSync, writeFileSync } from 'node:fs'
writeFileSync(${JSON.stringify(pidFile)}, String(process.pid))
process.stdin.resume()
setInterval(() => {}, 1000)`)
  const opening = openSession({ ...options, binary: silent, budgets: { firstEventMs: 3_000 } })
  await expect(opening).rejects.toMatchObject({
    code: 'timeout',
    message: 'The CLI said nothing within 3000 ms of its start.',
  })
  expect(isAlive(Number(readFileSync(pidFile, 'utf8')))).toBe(false)
})

test('a CLI that ends before it takes a prompt fails with what it said, without secrets, and not to be tried again', async () => {
  const broken = script(`console.error('cannot find left-pad for s3cret-of-yours')
console.error('Run npm install first.')
process.exit(3)`)
  const scope = { SECRET_A: 's3cret-of-yours' }
  await expect(openSession({ ...options, binary: broken, scope })).rejects.toMatchObject({
    code: 'crashed',
    retryable: false,
    hint: 'Mend what it said on stderr: cannot find left-pad for [redacted:SECRET_A] | Run npm install first.',
  })
  const { adapter, binary: _, ...more } = options
  const turn = startTurn({ ...more, adapter, binary: broken, prompt: 'x', transport: 'live' })
  expect((await turn.completion).error).toMatchObject({
    code: 'crashed',
    retryable: false,
    hint: 'Mend what it said on stderr (`stderrTail`), or start its command by hand to see what it lacks.',
  })
})

test('an interrupt that the CLI does not answer ends the process, and the session says that it is gone', {
  timeout: 30_000,
}, async () => {
  const session = await open()
  const turn = session.send('say:Half hang')
  await new Promise((resolve) => turn.once('delta', resolve))
  const pid = pidOf(session)
  await session.interrupt()
  expect(await turn.completion).toMatchObject({ status: 'interrupted', text: 'Half', signal: 'SIGTERM' })
  expect(await session.closed).toMatchObject({ code: 'crashed' })
  expect(isAlive(pid)).toBe(false)
})

test('a CLI that ends a turn and owes an answer is not waited for for ever: the turn counts, the session is over', {
  timeout: 30_000,
}, async () => {
  const session = await open()
  const events = await collect(session.send('say:Done. owe'))
  expect(events).toContainEqual(expect.objectContaining({ type: 'notice', code: 'request_unanswered' }))
  expect(events.at(-1)).toMatchObject({ status: 'success', text: 'Done.', evidence: { by: 'record' } })
  expect(await session.closed).toMatchObject({ code: 'protocol' })
  expect(isAlive(pidOf(session))).toBe(false)
})

test('a process that dies between two turns closes the session, with why', async () => {
  const session = await open()
  await session.send('say:One.').completion
  process.kill(pidOf(session), 'SIGKILL')
  expect(await session.closed).toMatchObject({ code: 'crashed', message: expect.stringContaining('SIGKILL') })
  expect(() => session.send('say:Two.')).toThrowError(expect.objectContaining({ code: 'crashed' }))
})

test('a CLI that does not read its stdin any more ends the turn and the session, with bounded memory', {
  timeout: 60_000,
}, async () => {
  const session = await open()
  const turn = session.send('say:Half block')
  await new Promise((resolve) => turn.once('delta', resolve))
  const pid = pidOf(session)
  const megabyte = 'x'.repeat(1024 * 1024)
  const before = process.memoryUsage().rss
  let steers = 0
  for (; isAlive(pid) && steers < 400; steers++) {
    void session.steer(megabyte)
    await new Promise((resolve) => setImmediate(resolve))
  }
  expect(await turn.completion).toMatchObject({
    status: 'error',
    error: { code: 'protocol', message: 'The CLI does not read what is sent to it any more.' },
    text: 'Half',
  })
  expect(await session.closed).toMatchObject({ code: 'protocol' })
  expect(await gone(pid)).toBe(true)
  // 64 MiB wait at most, as text and as bytes; nothing of what came after them is kept.
  expect((process.memoryUsage().rss - before) / 1024 / 1024).toBeLessThan(400)
})

test('more than a slow iterator takes stays in the CLI, turn after turn', async () => {
  const session = await open()
  for (let round = 0; round < 2; round++) {
    let deltas = 0
    for await (const event of session.send('flood:30000')) {
      if (event.type === 'delta' && ++deltas % 5_000 === 0)
        await new Promise((resolve) => setTimeout(resolve, 5))
    }
    expect(deltas).toBe(30_000)
  }
})

test('twenty sessions side by side keep to themselves, and close() leaves none of their processes', {
  timeout: 60_000,
}, async () => {
  const sessions = await Promise.all(Array.from({ length: 20 }, () => openSession(options)))
  const texts = await Promise.all(
    sessions.map(async (session, number) => {
      const said: string[] = []
      for (let round = 0; round < 3; round++) {
        const events = await collect(session.send(`say:${number}-${round}`))
        expect(events.map(({ seq }) => seq)).toEqual([0, 1, 2, 3])
        said.push(...events.flatMap((event) => (event.type === 'message' ? [event.text] : [])))
      }
      return said
    }),
  )
  expect(texts).toEqual(sessions.map((_, number) => [0, 1, 2].map((round) => `${number}-${round}`)))
  const pids = sessions.map(pidOf)
  expect(new Set(pids).size).toBe(20)
  await Promise.all(sessions.map((session) => session.close()))
  expect(pids.filter(isAlive)).toEqual([])
})
