import { expect, test } from 'vitest'
import {
  bye,
  collect,
  echo,
  executable,
  goodTurn,
  hello,
  isAlive,
  pidIn,
  said,
  scratch,
  scratchFile,
  script,
  shell,
  start,
} from './probe.ts'

test('J08: a missing binary is not_installed and named', async () => {
  const events = await collect(start('/nowhere/tiny'))
  expect(events).toMatchObject([
    {
      type: 'completion',
      seq: 0,
      status: 'error',
      error: {
        code: 'not_installed',
        message: 'The binary /nowhere/tiny does not exist.',
        hint: expect.any(String),
      },
      evidence: { by: 'spawn', detail: 'not_installed' },
    },
  ])
})

test('J08: a binary that is not on PATH is not_installed and named', async () => {
  const turn = start('tiny-that-nobody-has', { environment: { PATH: scratch, HOME: scratch } })
  expect(await turn.completion).toMatchObject({
    error: { code: 'not_installed', message: 'The binary "tiny-that-nobody-has" is not on PATH.' },
  })
})

test('J08: a file that is not executable is not_executable and named', async () => {
  const file = executable('no program', 0o644)
  const { error } = await start(file).completion
  expect(error).toMatchObject({ code: 'not_executable', message: `${file} is not an executable file.` })
})

test('J08: a file that the system cannot run is not_executable', async () => {
  const { error } = await start(executable('#!/nowhere/interpreter\n')).completion
  expect(error).toMatchObject({ code: 'not_executable', hint: expect.stringContaining('interpreter') })
})

test('J08: a missing cwd is named, not the binary', async () => {
  const { error } = await start(shell('exit 0'), { cwd: '/nowhere/at/all' }).completion
  expect(error).toMatchObject({
    code: 'invalid_options',
    message: 'The working directory /nowhere/at/all does not exist.',
  })
})

test.each([
  ['nothing', undefined, 'The turn was stopped by its caller (abort signal).'],
  ['a text', 'the tab\nwas closed. ', 'The turn was stopped: the tab was closed (abort signal).'],
  ['an error', new Error('no more room'), 'The turn was stopped: no more room (abort signal).'],
  ['what is neither', { why: 'x' }, 'The turn was stopped by its caller (abort signal).'],
])('what abort() was given is said: %s', async (_, reason, message) => {
  const turn = start(shell(echo(...goodTurn)), { signal: AbortSignal.abort(reason) })
  expect((await turn.completion).error).toMatchObject({ code: 'aborted', message })
})

test('J09: an abort before the start, twice, and after the end give one completion each', async () => {
  const aborted = AbortSignal.abort()
  expect(await collect(start(shell(echo(...goodTurn)), { signal: aborted }))).toMatchObject([
    { type: 'completion', status: 'interrupted', evidence: { by: 'host', detail: 'abort signal' } },
  ])

  const controller = new AbortController()
  const early = start(shell(echo(...goodTurn)), { signal: controller.signal })
  controller.abort()
  controller.abort()
  expect(await collect(early)).toMatchObject([{ type: 'completion', status: 'interrupted' }])

  const late = new AbortController()
  const finished = start(shell(echo(...goodTurn)), { signal: late.signal })
  const events = await collect(finished)
  late.abort()
  await finished.interrupt()
  expect(events.filter((event) => event.type === 'completion')).toHaveLength(1)
  expect(await finished.completion).toMatchObject({ status: 'success' })
})

test('J09: an abort in the first event ends the turn with one completion and leaves no child', async () => {
  const controller = new AbortController()
  const pid = scratchFile('pid')
  const turn = start(shell(`echo $$ > ${pid}`, echo(hello), 'exec sleep 1000'), {
    signal: controller.signal,
  })
  const events = []
  for await (const event of turn) {
    events.push(event.type)
    controller.abort()
  }
  expect(events).toEqual(['session', 'completion'])
  expect(isAlive(await pidIn(pid))).toBe(false)
})

test('L01: a prompt past every limit of argv arrives whole on stdin', async () => {
  const prompt = '- @/etc/passwd '.repeat(70_000)
  const turn = start(
    script(`
      let bytes = 0
      process.stdin.on('data', (chunk) => (bytes += chunk.length))
      process.stdin.on('end', () => {
        console.log('${hello}')
        console.log(JSON.stringify({ type: 'say', text: bytes + ' ' + process.argv.slice(2).join(' ') }))
        console.log('${said}\\n${bye}')
      })
    `),
    { prompt },
  )
  expect(await turn.completion).toMatchObject({ text: '1050000 --json' })
})

test('L02: a spawn that throws (E2BIG) is a completion like any other', async () => {
  const events = await collect(start(shell('exit 0'), { arguments: ['a'.repeat(3_000_000)] }))
  expect(events).toMatchObject([
    {
      type: 'completion',
      status: 'error',
      error: { code: 'spawn_failed', message: expect.stringContaining('E2BIG') },
      evidence: { by: 'spawn', detail: 'spawn_failed' },
      exitCode: null,
    },
  ])
})

test('L07: Windows is refused before a binary is looked for', () => {
  const platform = Object.getOwnPropertyDescriptor(process, 'platform') ?? {}
  Object.defineProperty(process, 'platform', { ...platform, value: 'win32' })
  try {
    expect(() => start('claude')).toThrow(
      expect.objectContaining({
        code: 'unsupported',
        message: 'Coxswain does not run on Windows.',
        hint: 'Use Linux or macOS; on Windows, WSL.',
      }),
    )
  } finally {
    Object.defineProperty(process, 'platform', platform)
  }
})
