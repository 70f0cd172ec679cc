import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { type AgentEvent, startTurn, type Turn, type TurnOptions } from '../../src/index.ts'
import { type FakeCli, fakeCli } from '../../src/testing/fake-cli.ts'
import type { FakeCliScript, FakeStep } from '../../src/testing/fake-cli-script.ts'
import { checkGuarantees } from '../../src/testing/guarantees.ts'
import { noticeCodes, prints, spokenClis } from './fault-table-clis.ts'
import { collect, executable, isAlive, scratch } from './probe.ts'

/**
 * The faults that wrappers of such CLIs were found to fail, one row each, on every adapter. What frames and waits is this process,
 * and Node's versions differ in it, so test/real/fault-table.test.ts runs this file once more on Node 24.
 */

const fakes: FakeCli[] = []
afterEach(() => Promise.all(fakes.splice(0).map((fake) => fake.remove())))

const text = 'port\u2028star\u2029board, Åland 日本語 🧭'
const prompt8MB = 'All hands on deck. '.repeat(442_000)

describe.each(spokenClis)(`$adapter, on Node ${process.versions.node}`, (cli) => {
  const { hello, says, bye } = cli
  const good = prints(hello, says('Aye.'), bye)

  async function fakeThat(steps: FakeStep[], script: Partial<FakeCliScript> = {}): Promise<FakeCli> {
    const fake = await fakeCli({ version: cli.version, steps, ...script })
    fakes.push(fake)
    return fake
  }

  function start(
    { binary }: { binary: string | [string, string] },
    options: Partial<TurnOptions> = {},
  ): Turn {
    return startTurn({
      adapter: cli.adapter,
      transport: 'structured',
      prompt: 'Report.',
      binary,
      cwd: scratch,
      environment: {
        PATH: process.env.PATH,
        HOME: process.env.HOME,
        ANTHROPIC_API_KEY: 'dummy-1',
        CODEX_API_KEY: 'dummy-2',
        CURSOR_API_KEY: 'dummy-3',
      },
      home: { directory: join(scratch, `home-${cli.adapter}`) },
      credentialExposure: 'visible',
      // One CLI asks before nothing, and a turn that denies says so.
      approvals: 'approve-all',
      conversations: { directory: join(scratch, 'talks') },
      ...options,
    })
  }

  /** All events of a turn, which have to keep the guarantees whatever happened, and the last of them. */
  async function run(steps: FakeStep[], script: Partial<FakeCliScript> = {}, options = {}) {
    const events = await collect(start(await fakeThat(steps, script), options))
    expect(checkGuarantees(events)).toEqual([])
    return { events, completion: events.at(-1), notices: noticeCodes(events) }
  }

  test('raw U+2028 and U+2029 in a record are part of it', async () => {
    const { events, completion } = await run(prints(hello, says(text), bye))
    expect(events.flatMap((event) => (event.type === 'delta' ? [event] : []))).toMatchObject([
      { text, contentDelta: cli.contentDelta },
    ])
    expect(completion).toMatchObject({ status: 'success', text, ledger: { invalid: 0, unknown: 0 } })
  })

  test('a line that is no JSON is said, and the turn goes on', async () => {
    const { completion, notices } = await run(prints(hello, ['npm warn: the hull is old'], says('Aye.'), bye))
    expect(notices).toEqual(['line_invalid'])
    expect(completion).toMatchObject({ status: 'success', text: 'Aye.', ledger: { invalid: 1 } })
  })

  test('a record of an unknown type is said, and the turn goes on', async () => {
    const { completion, notices } = await run(
      prints(hello, [{ type: 'semaphore_hoisted', flags: 3 }], says('Aye.'), bye),
    )
    expect(notices).toEqual(['unknown_record'])
    expect(completion).toMatchObject({ status: 'success', text: 'Aye.', ledger: { unknown: 1 } })
  })

  test('a CLI that exits before it has read 8 MB of stdin ends the turn with its own exit', async () => {
    const { completion } = await run(
      [{ stderr: 'error: no wind today\n' }, { exit: 3 }],
      { stdin: 'ignore' },
      { prompt: prompt8MB },
    )
    expect(completion).toMatchObject({
      status: 'error',
      exitCode: 3,
      stderrTail: 'error: no wind today\n',
      error: { message: expect.stringContaining('no wind today') },
    })
  })

  test('a CLI that answers without having read its 8 MB of stdin has answered', async () => {
    const { completion } = await run(good, { stdin: 'ignore' }, { prompt: prompt8MB })
    expect(completion).toMatchObject({ status: 'success', text: 'Aye.', exitCode: 0 })
  })

  test.each([
    ['nothing at all', [], ''],
    ['a greeting', prints(hello), ''],
    ['an answer', prints(hello, says('Aye.')), 'Aye.'],
  ])('exit 0 without a terminal record, after %s, is no success', async (_what, steps, answer) => {
    const { completion } = await run(steps)
    expect(completion).toMatchObject({
      status: 'error',
      text: answer,
      exitCode: 0,
      error: { code: 'protocol' },
      evidence: { by: 'exit' },
    })
  })

  test.each(cli.errors)('%s and then exit 0 is an error', async (_what, records) => {
    const { completion } = await run(prints(hello, records))
    expect(completion).toMatchObject({
      status: 'error',
      exitCode: 0,
      error: { message: expect.stringContaining('out of rope') },
    })
  })

  test('characters that are cut between two reads arrive whole', async () => {
    const { completion } = await run(prints(hello, says(text), bye), { chunks: 'inside-characters' })
    expect(completion).toMatchObject({ status: 'success', text, ledger: { invalid: 0 } })
  })

  describe.each([
    ['in the group of the CLI', false],
    ['in a session of its own', true],
  ])('a grandchild %s, which holds the pipe, is gone with the CLI', (_where, ownSession) => {
    const steps = [...prints(hello), { grandchild: { ownSession } }, { linger: true }] satisfies FakeStep[]

    test('after an abort', async () => {
      const fake = await fakeThat(steps)
      const abort = new AbortController()
      const turn = start(fake, { signal: abort.signal })
      const events: AgentEvent[] = []
      for await (const event of turn) {
        events.push(event)
        if (event.type !== 'session') continue
        await fake.seen('grandchild')
        abort.abort()
      }
      expect(checkGuarantees(events)).toEqual([])
      expect(events.at(-1)).toMatchObject({ status: 'interrupted', error: { code: 'aborted' } })
      expect(await stillAlive(fake)).toEqual([])
    })

    test('after the loop was left', async () => {
      const fake = await fakeThat(steps)
      const turn = start(fake)
      for await (const event of turn) {
        if (event.type !== 'session') continue
        await fake.seen('grandchild')
        break
      }
      // Leaving the loop has waited for the end: nothing is awaited in between.
      expect(await stillAlive(fake)).toEqual([])
      expect(await turn.completion).toMatchObject({ status: 'interrupted', evidence: { by: 'host' } })
    })

    test('after a success', async () => {
      const fake = await fakeThat([...prints(hello, says('Aye.'), bye), { grandchild: { ownSession } }])
      expect(await start(fake).completion).toMatchObject({ status: 'success', text: 'Aye.' })
      expect(await stillAlive(fake)).toEqual([])
    })
  })

  test('a CLI that ignores the polite signals is gone when the loop has been left', async () => {
    const fake = await fakeThat([...prints(hello), { say: 'deaf' }, { linger: true }], {
      ignoreSignals: ['SIGINT', 'SIGTERM'],
    })
    const turn = start(fake)
    for await (const event of turn) {
      if (event.type !== 'session') continue
      await fake.seen('said', 'deaf')
      break
    }
    expect(await turn.completion).toMatchObject({ status: 'interrupted', signal: 'SIGKILL' })
  })

  test('a CLI that lingers after its last word is ended, and its success stands', async () => {
    const fake = await fakeThat([...good, { say: 'done' }, { linger: true }])
    const events = await collect(start(fake, { budgets: { lingerMs: 200 } }))
    expect(checkGuarantees(events)).toEqual([])
    expect(noticeCodes(events)).toEqual(['lingered'])
    expect(events.at(-1)).toMatchObject({ status: 'success', text: 'Aye.', evidence: { by: 'record' } })
  })

  test.each([
    ['does not exist', '/nowhere/bin/cli', 'not_installed'],
    ['is a directory', scratch, 'not_executable'],
    ['may not be executed', executable('no program', 0o644), 'not_executable'],
    ['names an interpreter that is not there', executable('#!/nowhere/sh\n'), 'not_executable'],
  ])('a binary that %s is one error that names it', async (_what, binary, code) => {
    const [completion, ...more] = await collect(start({ binary }))
    expect(more).toEqual([])
    expect(completion).toMatchObject({
      type: 'completion',
      status: 'error',
      error: { code, message: expect.stringContaining(binary) },
      evidence: { by: 'spawn' },
    })
  })
})

/** The pids of the CLI and its grandchild that are still there. */
async function stillAlive(fake: FakeCli): Promise<number[]> {
  const { pid, parent } = await fake.seen('grandchild')
  return [pid, parent].filter(isAlive)
}
