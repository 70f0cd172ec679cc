import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import {
  bye,
  collect,
  echo,
  gone,
  goodTurn,
  hello,
  isAlive,
  pidIn,
  said,
  say,
  scratchFile,
  script,
  shell,
  start,
} from './probe.ts'

/** Faults that users of such wrappers reported, by the id of the project's list. Each has an input of its own. */

test('A17: a last line that comes 300 ms after the exit, from a grandchild that holds the pipe, is read', async () => {
  const turn = start(shell(echo(hello, say('late'), said), `( sleep 0.3; ${echo(bye)} ) &`, 'exit 0'))
  expect(await turn.completion).toMatchObject({ status: 'success', text: 'late', exitCode: 0 })
})

test('A17: a fast exit does not lose the last line, newline or not', async () => {
  const turns = Array.from({ length: 8 }, () =>
    start(shell(echo(hello, say('quick'), said), `printf '%s' '${bye}'`)),
  )
  for (const turn of turns) expect(await turn.completion).toMatchObject({ status: 'success', text: 'quick' })
})

test('B02: a CLI that falls silent is ended by idleMs, keeps the text so far, and says which budget it was', async () => {
  const pid = scratchFile('pid')
  const turn = start(shell(echo(hello, say('so far'), said), `echo $$ > ${pid}`, 'exec sleep 1000'), {
    budgets: { idleMs: 300 },
  })
  expect(await turn.completion).toMatchObject({
    status: 'timeout',
    text: 'so far',
    error: { code: 'timeout', message: expect.stringContaining('budgets.idleMs') },
    evidence: { by: 'budget', detail: 'idleMs 300' },
  })
  expect(isAlive(await pidIn(pid))).toBe(false)
})

test('B04: a grandchild that keeps stdout open neither delays the end nor survives it', async () => {
  const pid = scratchFile('pid')
  const started = performance.now()
  const turn = start(shell(echo(...goodTurn), 'sleep 300 &', `echo $! > ${pid}`, 'exit 0'))
  expect(await turn.completion).toMatchObject({ status: 'success', exitCode: 0 })
  expect(performance.now() - started).toBeLessThan(2_500)
  expect(isAlive(await pidIn(pid))).toBe(false)
})

test('B05: any byte on stdout or stderr is no silence', async () => {
  const lines = Array.from({ length: 6 }, (_, index) =>
    [index % 2 === 0 ? 'printf . >&2' : echo('{"type":"heartbeat"}'), 'sleep 0.2'].join('\n'),
  )
  const turn = start(shell(echo(hello), ...lines, echo(say('alive'), said, bye)), {
    budgets: { idleMs: 900 },
  })
  expect(await turn.completion).toMatchObject({ status: 'success', text: 'alive' })
})

test('B08: plain text and exit 1 are an error that keeps the exit code and both outputs', async () => {
  const events = await collect(
    start(shell('echo "You have hit your limit"', 'echo "resets at noon" >&2', 'exit 1')),
  )
  expect(events).toMatchObject([
    { type: 'notice', code: 'line_invalid', message: expect.stringContaining('You have hit your limit') },
    { type: 'completion', status: 'error', exitCode: 1, stderrTail: 'resets at noon\n' },
  ])
})

test('B14: a CLI that does not exit after its last word is ended after lingerMs, and the success stands', async () => {
  const turn = start(shell(echo(...goodTurn), 'exec sleep 1000'), { budgets: { lingerMs: 200 } })
  const events = await collect(turn)
  expect(events.at(-2)).toMatchObject({ type: 'notice', code: 'lingered' })
  expect(events.at(-1)).toMatchObject({ status: 'success', signal: 'SIGTERM', evidence: { by: 'record' } })
  expect(events.filter((event) => event.type === 'notice')).toHaveLength(1)
})

test('B23: a CLI that never says a word is ended by firstEventMs', async () => {
  const turn = start(shell('echo starting >&2', 'exec sleep 1000'), { budgets: { firstEventMs: 300 } })
  expect(await turn.completion).toMatchObject({
    status: 'timeout',
    evidence: { by: 'budget', detail: 'firstEventMs 300' },
  })
})

test('C12: a failure before the first record is told in the words of stderr, without colours', async () => {
  const turn = start(shell("printf '\\033[31mNot inside a trusted directory.\\033[0m\\n' >&2", 'exit 1'))
  expect(await turn.completion).toMatchObject({
    status: 'error',
    exitCode: 1,
    error: { code: 'crashed', message: 'Not inside a trusted directory.' },
  })
})

test.each(['J01', 'J02'])('%s: a CLI that reads stdin to its end gets one', async () => {
  const turn = start(
    shell(
      'read_all=$(cat)',
      echo(hello),
      `printf '{"type":"say","text":"%s"}\\n' "$read_all"`,
      echo(said, bye),
    ),
  )
  expect(await turn.completion).toMatchObject({ status: 'success', text: 'hello' })
})

test('J03: a grandchild that ignores SIGTERM and holds stdout is gone after an abort', async () => {
  const pid = scratchFile('pid')
  const controller = new AbortController()
  const turn = start(
    shell(
      echo(hello),
      `sh -c 'trap "" TERM INT HUP; echo $$ > ${pid}; while :; do sleep 1; done' &`,
      'exec sleep 1000',
    ),
    { signal: controller.signal },
  )
  const grandchild = await pidIn(pid)
  controller.abort()
  expect(await turn.completion).toMatchObject({ status: 'interrupted', error: { code: 'aborted' } })
  expect(isAlive(grandchild)).toBe(false)
})

test('J05: 8 MB of output that nobody iterates do not block the CLI', async () => {
  const turn = start(
    script(`
      console.log('${hello}')
      const line = JSON.stringify({ type: 'say', text: 'x'.repeat(1000) })
      for (let index = 0; index < 8000; index++) console.log(line)
      console.log('${said}\\n${bye}')
    `),
  )
  await new Promise((resolve) => turn.once('session', resolve))
  const completion = await turn.completion
  expect(completion).toMatchObject({ status: 'success', ledger: { records: 8_003 } })
  expect(completion.text).toHaveLength(8_000_000)
})

test('J05: a turn that nobody iterates or waits for can still be aborted', async () => {
  const controller = new AbortController()
  const pid = scratchFile('pid')
  start(
    script(`
    import { writeFileSync } from 'node:fs'
    writeFileSync('${pid}', process.pid + '\\n')
    const line = JSON.stringify({ type: 'say', text: 'x'.repeat(1000) })
    const flood = () => process.stdout.write(line + '\\n', () => setImmediate(flood))
    flood()
  `),
    { signal: controller.signal },
  )
  const child = await pidIn(pid)
  controller.abort()
  expect(await gone(child)).toBe(true)
})

test('J06: a CLI that exits before it has read a long prompt fails with its own exit, not with EPIPE', async () => {
  const turn = start(shell('echo "no such session" >&2', 'exit 3'), { prompt: 'a'.repeat(8_000_000) })
  expect(await turn.completion).toMatchObject({
    status: 'error',
    exitCode: 3,
    error: { code: 'crashed', message: 'no such session' },
  })
})

test('a CLI that never reads an 8 MB prompt but answers is heard out', async () => {
  const turn = start(shell(echo(...goodTurn)), { prompt: 'a'.repeat(8_000_000) })
  expect(await turn.completion).toMatchObject({ status: 'success', text: 'All well.' })
})

test('a CLI that never reads stdin and never ends can be stopped', async () => {
  const turn = start(shell(echo(hello), 'exec sleep 1000'), { prompt: 'a'.repeat(8_000_000) })
  for await (const event of turn) if (event.type === 'session') break
  expect(await turn.completion).toMatchObject({ status: 'interrupted' })
})

test('exit 0 without a terminal record is no success', async () => {
  expect(await start(shell(echo(hello, say('cut'), said))).completion).toMatchObject({
    status: 'error',
    text: 'cut',
    exitCode: 0,
    error: { code: 'protocol', retryable: true },
  })
})

test('a CLI that something else kills has crashed', async () => {
  expect(await start(shell(echo(hello), 'kill -KILL $$')).completion).toMatchObject({
    status: 'error',
    signal: 'SIGKILL',
    error: { code: 'crashed' },
    evidence: { by: 'signal', detail: 'SIGKILL' },
  })
})

test('a bad exit after a good record does not undo it, and is said', async () => {
  const events = await collect(start(shell(echo(...goodTurn), 'exit 7')))
  expect(events.at(-2)).toMatchObject({ type: 'notice', code: 'exit_after_success' })
  expect(events.at(-1)).toMatchObject({ status: 'success', exitCode: 7 })
})

test('U+2028 and a character cut between two writes arrive as they are', async () => {
  const turn = start(
    script(`
      const line = Buffer.from(JSON.stringify({ type: 'say', text: 'é\u2028中🧭' }).replace('\\\\u2028', '\u2028') + '\\n')
      const write = (bytes) => new Promise((resolve) => process.stdout.write(bytes, () => setTimeout(resolve, 5)))
      await write('${hello}\\n')
      for (const byte of line) await write(Buffer.from([byte]))
      await write('${said}\\n${bye}\\n')
    `),
  )
  expect(await turn.completion).toMatchObject({ status: 'success', text: 'é\u2028中🧭' })
})

test('a line that is no JSON and a record nobody knows are notices', async () => {
  const events = await collect(start(shell(echo(hello, 'npm warn old', '{"type":"new"}', bye))))
  expect(events.map((event) => (event.type === 'notice' ? event.code : event.type))).toEqual([
    'session',
    'line_invalid',
    'unknown_record',
    'empty_answer',
    'completion',
  ])
})

test.runIf(process.platform === 'linux')(
  'the program sees the composed environment and its mark, nothing else',
  async () => {
    const seen = scratchFile('environ')
    const turn = start(shell(`tr '\\0' '\\n' < /proc/$$/environ > ${seen}`, echo(...goodTurn)), {
      environment: { PATH: process.env.PATH, OPENAI_API_KEY: 'sk-1', CLAUDECODE: '1', LANG: 'C' },
      scope: { VAR_A: 'a' },
    })
    await turn.completion
    const names = readFileSync(seen, 'utf8')
      .trim()
      .split('\n')
      .map((line) => line.split('=')[0])
    expect(names.sort()).toEqual(['COXSWAIN_TURN', 'LANG', 'PATH', 'TINY_HOME', 'VAR_A'])
  },
)
