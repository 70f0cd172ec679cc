import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { AgentError } from '../errors.ts'
import { present } from '../options/present.ts'
import { asObject } from '../protocol/narrow.ts'
import type { FakeCliScript } from './fake-cli-script.ts'

/** One line of what a fake CLI and its grandchildren did, in order. */
export type FakeCliLogEntry =
  /** It was started, but not to tell its version. `argv` without the interpreter and the file. */
  | { what: 'started'; argv: string[]; cwd: string; env: Record<string, string> }
  /** All of stdin was read. */
  | { what: 'stdin'; text: string; bytes: number }
  /** A step `say`. */
  | { what: 'said'; name: string }
  | { what: 'grandchild'; pid: number; parent: number; env: Record<string, string> }
  /** A signal came that it ignores. */
  | { what: 'signal'; name: string; pid: number }

export interface FakeCli extends AsyncDisposable {
  /** For `TurnOptions.binary`. */
  readonly binary: [string, string]
  /** Everything so far. */
  log(): Promise<FakeCliLogEntry[]>
  /** Resolves with the first log entry of a kind (and name), as soon as there is one; rejects after `withinMs`, default 10,000. */
  seen<What extends FakeCliLogEntry['what']>(
    what: What,
    name?: string,
    withinMs?: number,
  ): Promise<Extract<FakeCliLogEntry, { what: What }>>
  /** Lets a step `waitFor` of that name go on. */
  go(name: string): Promise<void>
  /** Removes its folder, which ends whatever of it is still running. */
  remove(): Promise<void>
}

/**
 * Makes a fake CLI: a program that prints what the script says, with the faults that it asks for, whatever the arguments. It works
 * with every adapter, as long as the lines are that CLI's own, and with `spawn` alone.
 *
 * @throws AgentError `invalid_options` (as a rejection) for a step that is none
 */
export async function fakeCli(script: FakeCliScript): Promise<FakeCli> {
  const played = complete(script)
  const directory = await mkdtemp(join(tmpdir(), 'coxswain-fake-cli-'))
  // A launcher of its own: callers may remember a version by its file.
  const launcher = join(directory, 'fake-cli.mjs')
  const program = new URL('./fake-cli-process.js', import.meta.url).href
  const call = `playFakeCli(${JSON.stringify(directory)}, ${JSON.stringify(launcher)})`
  await writeFile(join(directory, 'script.json'), JSON.stringify(played))
  await writeFile(launcher, `import { playFakeCli } from ${JSON.stringify(program)}\nawait ${call}\n`)

  async function log(): Promise<FakeCliLogEntry[]> {
    const text = await readFile(join(directory, 'log.jsonl'), 'utf8').catch(() => '')
    const whole = text.slice(0, text.lastIndexOf('\n') + 1)
    return whole.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]))
  }

  async function seen<What extends FakeCliLogEntry['what']>(
    what: What,
    name?: string,
    withinMs = 10_000,
  ): Promise<Extract<FakeCliLogEntry, { what: What }>> {
    const isWanted = (entry: FakeCliLogEntry): entry is Extract<FakeCliLogEntry, { what: What }> =>
      entry.what === what && (name === undefined || ('name' in entry && entry.name === name))
    for (const deadline = Date.now() + withinMs; Date.now() < deadline; await wait(10)) {
      const entry = (await log()).find(isWanted)
      if (entry) return entry
    }
    const said = (await log()).map((entry) => ('name' in entry ? `${entry.what} ${entry.name}` : entry.what))
    throw new Error(
      `The fake CLI did not get to "${name ?? what}" within ${withinMs} ms; so far: ${said.join(', ') || 'nothing'}.`,
    )
  }

  const remove = () => rm(directory, { recursive: true, force: true })
  return {
    binary: [process.execPath, launcher],
    log,
    seen,
    async go(name) {
      if (existsSync(directory)) await writeFile(join(directory, `go-${name}`), '')
    },
    remove,
    [Symbol.asyncDispose]: remove,
  }
}

const kindsOfSteps =
  'print base64 oversized stderr tell say waitFor waitMs closeStdout grandchild linger kill exit'.split(' ')

/** A step that the program would pass over in silence makes a test that tests nothing. */
function refuseWrongSteps(steps: unknown): void {
  const hint = `A step is a text, or an object with one of ${kindsOfSteps.join(', ')}.`
  if (!Array.isArray(steps)) {
    throw new AgentError('invalid_options', 'The script of a fake CLI has no list of `steps`.', { hint })
  }
  for (const [index, step] of steps.entries()) {
    if (typeof step === 'string') continue
    const keys = Object.keys(asObject(step) ?? {})
    if (keys.filter((key) => kindsOfSteps.includes(key)).length === 1) continue
    const what = asObject(step) ? `has ${keys.join(', ') || 'nothing'}` : `is ${String(step)}`
    throw new AgentError('invalid_options', `Step ${index} of the fake CLI does nothing known: it ${what}.`, {
      hint,
    })
  }
}

/** Fills in the defaults, so that they stand in one place. */
function complete(script: FakeCliScript): object {
  refuseWrongSteps(script.steps)
  const steps = script.steps.map((step) => {
    if (typeof step === 'string') return { print: step }
    if ('oversized' in step) return { oversized: { before: '', after: '', ...present(step.oversized) } }
    if (!('grandchild' in step)) return step
    return {
      grandchild: {
        holdsStdout: true,
        ownSession: false,
        ignoreSignals: [],
        lateAfter: 'parent-gone',
        ...present(step.grandchild),
      },
    }
  })
  return {
    version: '1.0.0',
    versionArguments: ['--version'],
    stdin: 'read',
    ignoreSignals: [],
    newline: '\n',
    paceMs: 2,
    ...present(script),
    steps,
  }
}
