import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { collect, echo, goodTurn, hello, isAlive, pidIn, scratchFile, script, shell, start } from './probe.ts'

const stubborn = `trap "" TERM INT HUP`

/** Ways in which a tool's processes get out of sight, each with its pid in a file. */
const hiding: Record<string, (pid: string) => string> = {
  'in the group of the child': (pid) => `sh -c 'echo $$ > ${pid}; exec sleep 1000' &`,
  'in a session of its own': (pid) => `setsid sh -c 'echo $$ > ${pid}; exec sleep 1000' &`,
  'in a session of its own, ignoring SIGTERM': (pid) =>
    `setsid sh -c '${stubborn}; echo $$ > ${pid}; while :; do sleep 1; done' &`,
  'whose parents are gone': (pid) =>
    `setsid sh -c 'setsid sh -c "echo \\$\\$ > ${pid}; exec sleep 1000" & exit 0' &`,
  'with an empty environment': (pid) => `env -i setsid sh -c 'echo $$ > ${pid}; exec sleep 1000' &`,
  'stopped in its tracks': (pid) => `setsid sh -c 'echo $$ > ${pid}; kill -STOP $$; sleep 1000' &`,
}

describe.runIf(process.platform === 'linux').each(Object.keys(hiding))('a process %s', (kind) => {
  const hide = hiding[kind]

  test('is gone after an abort', async () => {
    const pid = scratchFile('pid')
    const turn = start(shell(hide?.(pid) ?? '', echo(hello), 'exec sleep 1000'))
    const hidden = await pidIn(pid)
    await turn.interrupt()
    expect(await turn.completion).toMatchObject({ status: 'interrupted' })
    expect(isAlive(hidden)).toBe(false)
  })

  test('is gone after a success', async () => {
    const pid = scratchFile('pid')
    const turn = start(
      shell(hide?.(pid) ?? '', `while ! [ -s ${pid} ]; do sleep 0.01; done`, echo(...goodTurn), 'sleep 0.1'),
    )
    expect(await turn.completion).toMatchObject({ status: 'success', exitCode: 0 })
    expect(isAlive(await pidIn(pid))).toBe(false)
  })
})

test('the ladder goes on to SIGKILL for a child that ignores every other signal', async () => {
  const pid = scratchFile('pid')
  const turn = start(shell(stubborn, `echo $$ > ${pid}`, 'while :; do sleep 1; done'))
  const child = await pidIn(pid)
  await turn.interrupt()
  expect(await turn.completion).toMatchObject({ status: 'interrupted', signal: 'SIGKILL' })
  expect(isAlive(child)).toBe(false)
})

test('a CLI that needs a moment to clean up after the first signal gets it', async () => {
  const pid = scratchFile('pid')
  const turn = start(
    shell(`trap 'sleep 0.5; exit 42' TERM`, `echo $$ > ${pid}`, 'while :; do sleep 0.05; done'),
  )
  await pidIn(pid)
  await turn.interrupt()
  expect(await turn.completion).toMatchObject({ status: 'interrupted', exitCode: 42 })
})

test('a process that keeps forking does not get away', async () => {
  const pid = scratchFile('pid')
  const turn = start(
    shell(
      `setsid sh -c '${stubborn}; while :; do (setsid sleep 1000 &); echo $$ > ${pid}; sleep 0.02; done' &`,
      echo(hello),
      'exec sleep 1000',
    ),
  )
  const parent = await pidIn(pid)
  await delay(100)
  await turn.interrupt()
  expect(isAlive(parent)).toBe(false)
})

test('leaving the loop ends the child and all it started, and resolves after the completion', async () => {
  const pid = scratchFile('pid')
  const turn = start(
    shell(`setsid sh -c 'echo $$ > ${pid}; exec sleep 1000' &`, echo(hello), 'exec sleep 1000'),
  )
  const hidden = await pidIn(pid)
  for await (const event of turn) if (event.type === 'session') break
  expect(isAlive(hidden)).toBe(false)
  expect(await turn.completion).toMatchObject({
    status: 'interrupted',
    stopReason: 'cancelled',
    error: { code: 'aborted' },
    evidence: { by: 'host', detail: 'the loop was left' },
  })
})

test('disposing ends the child', async () => {
  const pid = scratchFile('pid')
  const turn = start(shell(`echo $$ > ${pid}`, echo(hello), 'exec sleep 1000'))
  const child = await pidIn(pid)
  await turn[Symbol.asyncDispose]()
  expect(isAlive(child)).toBe(false)
  expect(await turn.completion).toMatchObject({ status: 'interrupted' })
})

test('another turn of the same host is left alone', async () => {
  const [one, other] = [scratchFile('pid'), scratchFile('pid')]
  const stopped = start(shell(`echo $$ > ${one}`, 'exec sleep 1000'))
  const running = start(shell(`setsid sh -c 'echo $$ > ${other}; exec sleep 1000' &`, 'exec sleep 1000'))
  await pidIn(one)
  const kept = await pidIn(other)
  await stopped.interrupt()
  expect(isAlive(kept)).toBe(true)
  await running.interrupt()
  expect(isAlive(kept)).toBe(false)
})

test('what the CLI says after the first signal is still read, and the stop stands', async () => {
  const turn = start(
    script(`
      process.on('SIGTERM', () => {
        process.stdout.write('{"type":"say","text":"stopping"}\\n{"type":"said"}\\n{"type":"bye"}\\n', () => process.exit(0))
      })
      setInterval(() => {}, 1000)
      console.log('${hello}')
    `),
  )
  turn.once('session', () => void turn.interrupt())
  expect(await turn.completion).toMatchObject({ status: 'interrupted', text: 'stopping', exitCode: 0 })
})

test('a stop after the last word only hurries the end: the success stands', async () => {
  let turn: ReturnType<typeof start> | undefined
  const hear = (chunk: Uint8Array) => {
    if (String(chunk).includes('bye')) setTimeout(() => void turn?.interrupt(), 20)
  }
  turn = start(shell(echo(...goodTurn), 'exec sleep 1000'), {}, { stdout: hear })
  const events = await collect(turn)
  expect(events.filter((event) => event.type === 'notice')).toEqual([])
  expect(events.at(-1)).toMatchObject({ status: 'success', signal: 'SIGTERM' })
})

test('a stop after the exit does not take the place of the crash', async () => {
  let turn: ReturnType<typeof start> | undefined
  const stop = () => void turn?.interrupt()
  turn = start(shell(echo(hello), 'sleep 2 &', 'exit 5'), {}, { exit: () => setTimeout(stop, 20) })
  expect(await turn.completion).toMatchObject({ status: 'error', exitCode: 5, error: { code: 'crashed' } })
})

test.runIf(process.platform === 'linux')(
  'a pipe held by a process that nobody can find does not hold the turn',
  async () => {
    const pid = scratchFile('pid')
    // Neither the mark nor a parent nor the session tells whose it is.
    const lost = `env -i setsid sh -c '(sleep 30 & echo $! > ${pid})'`
    const started = performance.now()
    const turn = start(shell(lost, `while ! [ -s ${pid} ]; do sleep 0.01; done`, echo(...goodTurn)))
    expect(await turn.completion).toMatchObject({ status: 'success', exitCode: 0 })
    expect(performance.now() - started).toBeLessThan(6_000)
    process.kill(await pidIn(pid), 'SIGKILL')
  },
)
