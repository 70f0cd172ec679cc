import { expect, test } from 'vitest'
import { openSession } from '../../src/index.ts'
import { tinyCli } from '../tiny-cli.ts'
import { collect, gone, isAlive } from './probe.ts'
import { open, options, pidOf } from './tiny-sessions.ts'

test('two turns run in one process, each with its own numbers, session event and ledger', async () => {
  const session = await open()
  const first = await collect(session.send('say:One.'))
  const pid = pidOf(session)
  const second = await collect(session.send('say:Two.'))
  for (const events of [first, second]) {
    expect(events.map(({ seq, type }) => `${seq} ${type}`)).toEqual([
      '0 session',
      '1 delta',
      '2 message',
      '3 completion',
    ])
    expect(events.at(-1)).toMatchObject({
      status: 'success',
      exitCode: null,
      signal: null,
      ledger: { records: 2 },
    })
  }
  expect([first[0], second[0]]).toMatchObject([{ origin: 'new' }, { origin: 'resumed' }])
  expect(pidOf(session)).toBe(pid)
  expect(isAlive(pid)).toBe(true)
  await session.close()
  expect(await gone(pid)).toBe(true)
  expect(await session.closed).toBeUndefined()
})

test('a second prompt waits its turn, or is refused, as asked', async () => {
  const session = await open()
  const first = session.send('say:One. steerable')
  const second = session.send('say:Two.')
  expect(() => session.send('say:Three.', { busy: 'refuse' })).toThrowError(
    expect.objectContaining({ code: 'busy' }),
  )
  expect(await session.steer(' More.')).toEqual({ outcome: 'delivered' })
  expect(await first.text()).toBe('One. More.')
  expect(await second.text()).toBe('Two.')
  expect(await session.send('say:Four.', { busy: 'refuse' }).text()).toBe('Four.')
})

test('a steer that came too late is the next turn, ahead of what waits', async () => {
  const session = await open()
  const first = session.send('say:One. late')
  const waiting = session.send('say:Three.')
  const { outcome, turn } = await session.steer('Two.')
  expect(outcome).toBe('queued')
  expect(await first.text()).toBe('One.')
  expect((await collect(turn ?? first)).map((event) => event.type)).toEqual([
    'session',
    'delta',
    'message',
    'completion',
  ])
  expect(await waiting.text()).toBe('Three.')
})

test('an interrupt ends the running turn alone: the process, the conversation and the queue go on', async () => {
  const session = await open()
  const first = session.send('say:Half wait')
  const second = session.send('say:Two.')
  await new Promise((resolve) => first.once('delta', resolve))
  await session.interrupt()
  expect(await first.completion).toMatchObject({ status: 'interrupted', text: 'Half', exitCode: null })
  expect(await second.text()).toBe('Two.')
})

test('a waiting turn that is stopped never reaches the CLI', async () => {
  const session = await open()
  const first = session.send('say:One. steerable')
  const second = session.send('say:Two.')
  await second.interrupt()
  expect(await second.completion).toMatchObject({ status: 'interrupted', text: '', ledger: { records: 0 } })
  await session.steer('.')
  expect(await first.text()).toBe('One..')
})

test('fifty interrupts at any moment: each turn ends once, and the next one works', async () => {
  const session = await open()
  for (let round = 0; round < 50; round++) {
    const turn = session.send('say:Half call wait')
    if (round % 3 === 0) await new Promise((resolve) => turn.once('delta', resolve))
    if (round % 3 === 1) await new Promise((resolve) => setImmediate(resolve))
    await turn.interrupt()
    const completions = (await collect(turn)).filter((event) => event.type === 'completion')
    expect(completions).toMatchObject([{ status: 'interrupted' }])
  }
  expect(await session.send('say:Alive.').text()).toBe('Alive.')
})

test('a crash ends its turn and those that wait with an error, and the session says that it is gone', async () => {
  const session = await open()
  const turns = [session.send('say:Half die'), session.send('say:Two.')]
  const completions = await Promise.all(turns.map((turn) => turn.completion))
  expect(completions).toMatchObject([
    { status: 'error', text: 'Half', error: { code: 'crashed' }, exitCode: 3 },
    { status: 'error', text: '', error: { code: 'crashed' } },
  ])
  expect(await session.closed).toMatchObject({ code: 'crashed' })
  expect(() => session.send('say:Three.')).toThrowError(expect.objectContaining({ code: 'crashed' }))
})

test('close() ends what runs and what waits, and leaves no process', async () => {
  const session = await open()
  const running = session.send('say:Half wait')
  const waiting = session.send('say:Two.')
  await new Promise((resolve) => running.once('delta', resolve))
  const pid = pidOf(session)
  await session.close()
  expect(await running.completion).toMatchObject({ status: 'interrupted', text: 'Half' })
  expect(await waiting.completion).toMatchObject({ status: 'interrupted' })
  expect(isAlive(pid)).toBe(false)
  expect(() => session.send('say:x')).toThrowError(expect.objectContaining({ code: 'aborted' }))
})

test('a failed turn is that turn alone', async () => {
  const session = await open()
  expect(await session.send('fail').completion).toMatchObject({
    status: 'error',
    error: { code: 'overloaded' },
  })
  expect(await session.send('say:Two.').text()).toBe('Two.')
})

test('what the CLI asks is answered through the session', async () => {
  const session = await open({ approvals: 'host' })
  const turn = session.send('ask:a1')
  turn.once('interaction', () => void session.answer('a1', 'allow'))
  expect(await turn.text()).toBe('allow;')
  await expect(session.answer('a1', 'allow')).rejects.toMatchObject({ code: 'invalid_options' })
})

test('an aborted signal closes the session', async () => {
  const controller = new AbortController()
  const session = await open({ signal: controller.signal })
  const turn = session.send('say:Half wait')
  await new Promise((resolve) => turn.once('delta', resolve))
  controller.abort()
  expect(await turn.completion).toMatchObject({ status: 'interrupted' })
  expect(await session.closed).toBeUndefined()
  await expect(openSession({ ...options, signal: controller.signal })).rejects.toMatchObject({
    code: 'aborted',
  })
})

test.each<[string, Record<string, unknown>, string, RegExp]>([
  ['a handshake that the CLI refuses', { scope: { VAR_REFUSE: '1' } }, 'auth', /nobody is signed in/],
  ['a missing binary', { binary: '/nowhere/tiny' }, 'not_installed', /nowhere/],
  ['a prompt among the options', { prompt: 'x' }, 'invalid_options', /no option `prompt`/],
  ['the one-shot transport', { transport: 'structured' }, 'invalid_options', /structured/],
  ['an adapter without a live transport', { adapter: tinyCli() }, 'unsupported', /no live transport/],
])('%s rejects, and leaves nothing', async (_title, more, code, message) => {
  await expect(openSession({ ...options, ...more })).rejects.toMatchObject({
    code,
    message: expect.stringMatching(message),
  })
})

test('a wrong prompt or model is a fault of the caller', async () => {
  const session = await open()
  expect(() => session.send('  ')).toThrowError(expect.objectContaining({ code: 'invalid_options' }))
  await expect(session.setModel('')).rejects.toMatchObject({ code: 'invalid_options' })
})
