import { once } from 'node:events'
import { afterEach, describe, expect, it } from 'vitest'
import type { FakeCliScript, FakeStep } from '../../src/testing/fake-cli-script.ts'
import { fakeCli } from '../../src/testing.ts'
import { end, fake, make, run, start } from './running-fake-cli.ts'

afterEach(() => fake.remove())

describe('What it prints', () => {
  it.each<[string, FakeCliScript | FakeStep[], string]>([
    ['a string as a line', ['one'], 'one\n'],
    ['an object as JSON, with U+2028 raw', [{ print: { a: '\u2028' } }], '{"a":"\u2028"}\n'],
    ['several lines', [{ print: ['one', { two: 2 }] }], 'one\n{"two":2}\n'],
    ['CRLF everywhere', { newline: '\r\n', steps: [{ print: ['one', 'two'] }] }, 'one\r\ntwo\r\n'],
    ['CRLF in one place', ['one', { print: 'two', newline: '\r\n' }], 'one\ntwo\r\n'],
    ['a last line without a newline', ['one', { print: 'two', lastNewline: false }], 'one\ntwo'],
    ['a line cut in the middle', ['one', { print: { two: 2 }, keepBytes: 4 }], 'one\n{"tw'],
    ['the same again and again', [{ print: 'one', times: 3 }], 'one\none\none\n'],
    [
      'an oversized line that is made on the spot',
      [{ oversized: { bytes: 5, before: '{"a":"', after: '"}' } }],
      '{"a":"xxxxx"}\n',
    ],
  ])('%s', async (_what, script, stdout) => {
    expect((await run(script)).stdout.toString('utf8')).toBe(stdout)
  })

  it('bytes that are no text', async () => {
    expect([...(await run([{ base64: 'Q/8K' }])).stdout]).toEqual([0x43, 0xff, 0x0a])
  })

  it('an oversized line of 3 MB', async () => {
    const { stdout } = await run([{ oversized: { bytes: 3_000_000 } }])
    expect(stdout.length).toBe(3_000_001)
  })

  it('and on stderr', async () => {
    expect((await run([{ stderr: 'careful\n', times: 2 }])).stderr).toBe('careful\ncareful\n')
  })
})

describe('How it is cut', () => {
  const steps = (chunks: FakeCliScript['chunks']): FakeCliScript => ({
    steps: [{ print: ['a\u00e9', '\u{1f6a3}'] }],
    paceMs: 20,
    ...(chunks === undefined ? {} : { chunks }),
  })
  it.each<[string, FakeCliScript['chunks'], string[]]>([
    ['whole', undefined, ['a\u00c3\u00a9\n\u00f0\u009f\u009a\u00a3\n']],
    ['after every line', 'lines', ['a\u00c3\u00a9\n', '\u00f0\u009f\u009a\u00a3\n']],
    [
      'inside of every character',
      'inside-characters',
      ['a\u00c3', '\u00a9\n\u00f0', '\u009f', '\u009a', '\u00a3\n'],
    ],
    ['into pieces of three bytes', 3, ['a\u00c3\u00a9', '\n\u00f0\u009f', '\u009a\u00a3\n']],
    ['at given positions', [2, 5], ['a\u00c3', '\u00a9\n\u00f0', '\u009f\u009a\u00a3\n']],
  ])('%s', async (_what, chunks, expected) => {
    expect((await run(steps(chunks))).chunks).toEqual(expected)
  })
})

describe('How it ends', () => {
  it.each<[string, FakeStep[], number | null, string | null]>([
    ['with 0 when the steps are done', ['one'], 0, null],
    ['with the exit code asked for, and no further step', [{ exit: 3 }, 'never'], 3, null],
    ['by a signal of its own', [{ kill: 'SIGKILL' }, 'never'], null, 'SIGKILL'],
    ['by SIGTERM of its own', [{ kill: 'SIGTERM' }, 'never'], null, 'SIGTERM'],
  ])('%s', async (_what, steps, exitCode, signal) => {
    const ended = await run(steps)
    expect([ended.exitCode, ended.signal]).toEqual([exitCode, signal])
    expect(ended.stdout.toString()).not.toContain('never')
  })

  it('lingers until it is told to go', async () => {
    const child = await start(['last', { say: 'done' }, { linger: true }])
    const ended = end(child)
    await fake.seen('said', 'done')
    expect(child.exitCode).toBe(null)
    child.kill('SIGTERM')
    expect((await ended).signal).toBe('SIGTERM')
  })

  it('lingers with its stdout closed', async () => {
    const child = await start(['last', { closeStdout: true }, { linger: true }])
    child.stdout.resume()
    await once(child.stdout, 'end')
    expect(child.exitCode).toBe(null)
    child.kill('SIGKILL')
    await once(child, 'close')
  })

  it('ignores the signals it is told to, and says that they came', async () => {
    const child = await start({
      ignoreSignals: ['SIGINT', 'SIGTERM'],
      steps: [{ say: 'ready' }, { linger: true }],
    })
    const ended = end(child)
    await fake.seen('said', 'ready')
    child.kill('SIGINT')
    await fake.seen('signal', 'SIGINT')
    child.kill('SIGTERM')
    await fake.seen('signal', 'SIGTERM')
    child.kill('SIGKILL')
    expect((await ended).signal).toBe('SIGKILL')
  })

  it('goes when its folder is removed, whatever it ignores', async () => {
    const child = await start({ ignoreSignals: ['SIGTERM'], steps: [{ say: 'ready' }, { linger: true }] })
    const ended = end(child)
    await fake.seen('said', 'ready')
    await fake.remove()
    expect((await ended).exitCode).toBe(0)
  })
})

describe('Its stdin', () => {
  it('is read to the end and told', async () => {
    const ended = await run([{ waitFor: 'stdin-end' }, { tell: ['stdin'] }], 'h\u00e9llo\nyou')
    expect(JSON.parse(ended.stdout.toString())).toEqual({ type: 'fake_cli', stdin: 'h\u00e9llo\nyou' })
    expect(await fake.seen('stdin')).toEqual({ what: 'stdin', text: 'h\u00e9llo\nyou', bytes: 10 })
  })

  it('moves it on, line by line', async () => {
    const child = await start([{ waitFor: 'stdin-line' }, 'first', { waitFor: 'stdin-line' }, 'second'])
    const ended = end(child)
    child.stdin.write('1\n')
    await once(child.stdout, 'data')
    child.stdin.write('2\n')
    expect((await ended).chunks).toEqual(['first\n', 'second\n'])
  })

  it('takes every line only once', async () => {
    const line = { waitFor: 'stdin-line' }
    const child = await start([line, line, 'two lines', line, 'a third'])
    const ended = end(child)
    child.stdin.end('1\n2\n')
    await once(child.stdout, 'data')
    await fake.seen('stdin')
    child.kill('SIGKILL')
    expect((await ended).stdout.toString()).toBe('two lines\n')
  })

  it.each<[string, FakeCliScript]>([
    ['never read before the exit', { stdin: 'ignore', steps: [{ waitMs: 50 }, 'done'] }],
    ['closed at once', { stdin: 'close', steps: [{ say: 'closed' }, { waitMs: 50 }, 'done'] }],
  ])('%s, breaks the pipe of whoever sends 8 MB', async (_what, script) => {
    const ended = await run(script, 'x'.repeat(8_000_000))
    expect(ended.stdinError).toMatch(/EPIPE|ECONNRESET/)
    expect([ended.exitCode, ended.stdout.toString()]).toEqual([0, 'done\n'])
  })
})

describe('What it got', () => {
  it('is printed as a record', async () => {
    const ended = await run([{ tell: ['argv', 'cwd', 'env'] }], '', ['--json', '-'])
    const told = JSON.parse(ended.stdout.toString())
    expect(told.argv).toEqual(['--json', '-'])
    expect(told.cwd).toBe(process.cwd())
    expect(told.env.MARK).toBe('here')
  })

  it('is in the log, also when nothing is printed', async () => {
    await run([], '', ['exec'])
    expect(await fake.seen('started')).toMatchObject({ argv: ['exec'], env: { MARK: 'here' } })
  })
})

describe('Its version', () => {
  it.each<[string, FakeCliScript, string[], string]>([
    ['1.0.0 by default', { steps: ['turn'] }, ['--version'], '1.0.0\n'],
    [
      'the one it is given',
      { version: '2.1.332 (Claude Code)', steps: [] },
      ['--version'],
      '2.1.332 (Claude Code)\n',
    ],
    ['asked for in another way', { versionArguments: ['-v'], steps: ['turn'] }, ['-v'], '1.0.0\n'],
    ['not told in the midst of other arguments', { steps: ['turn'] }, ['-p', '--version'], 'turn\n'],
  ])('is %s', async (_what, script, argv, stdout) => {
    expect((await run(script, '', argv)).stdout.toString()).toBe(stdout)
  })

  it('leaves no trace of having been asked', async () => {
    await run([], '', ['--version'])
    expect(await fake.log()).toEqual([])
  })
})

it('waits until the test lets it go on', async () => {
  const child = await start([{ say: 'ready' }, { waitFor: 'tide' }, 'gone on'])
  const ended = end(child)
  await fake.seen('said', 'ready')
  await fake.go('tide')
  expect((await ended).stdout.toString()).toBe('gone on\n')
})

it.each<[string, unknown, string]>([
  ['a word that is none', [{ prnt: 'x' }], 'Step 0 of the fake CLI does nothing known: it has prnt.'],
  [
    'two things at once',
    ['x', { kill: 'SIGKILL', exit: 1 }],
    'Step 1 of the fake CLI does nothing known: it has kill, exit.',
  ],
  ['nothing at all', [null], 'Step 0 of the fake CLI does nothing known: it is null.'],
  ['no list', undefined, 'The script of a fake CLI has no list of `steps`.'],
])('refuses a step that it would pass over in silence: %s', async (_title, steps, message) => {
  const script: object = { steps }
  await expect(fakeCli(script as Parameters<typeof fakeCli>[0])).rejects.toMatchObject({
    code: 'invalid_options',
    message,
    hint: expect.stringContaining('print, base64'),
  })
})

it('says what it did not get to', async () => {
  await make({ steps: [] })
  await expect(fake.seen('said', 'nothing', 30)).rejects.toThrow(
    'The fake CLI did not get to "nothing" within 30 ms; so far: nothing.',
  )
})
