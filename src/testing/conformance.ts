import { deepStrictEqual, fail, ok } from 'node:assert/strict'
import type { Adapter } from '../adapters/adapter.ts'
import type { AgentEvent } from '../protocol/events.ts'
import { checkChunkings } from './conformance/chunkings.ts'
import { checkContract, checkLaunch, checkReserved } from './conformance/contract.ts'
import { checkMangledRecords, checkTruncation, checkUnknownRecords } from './conformance/faults.ts'
import { snapshotOf } from './conformance/snapshot.ts'
import { type ExpectedTurn, type Fixture, readFixtures } from './fixtures.ts'
import { checkTurns, completionOf, turnsOf } from './guarantees.ts'
import { type ReplaySetting, replayByLine, replayNow } from './replay-now.ts'

/** Registers one test: vitest's, jest's and mocha's `it` will do. */
export type TestRunner = (name: string, run: () => void) => unknown

export interface ConformanceOptions {
  /**
   * The folder of this adapter's recordings, searched with the folders below it. Beside each `<case>.jsonl`:
   * `<case>.exit.json` {exitCode, signal} and `<case>.stderr` where they are not exit 0 and nothing; `<case>.expect.json`,
   * written by hand (see `ExpectedTurn`; a list where `live-<case>.jsonl` holds several turns); and `<case>.events.json`, written by `updateSnapshots` and reviewed.
   */
  fixtures: URL | string
  /** Default: `test` of node:test. */
  test?: TestRunner | undefined
}

/** The conformance suite: registers one test per promise that an adapter makes, each named after it. */
export function testAdapter(adapter: Adapter, options: ConformanceOptions): void {
  const test = options.test ?? nodeTest()
  const fixtures = readFixtures(options.fixtures)
  test(`${adapter.id}: the declaration is complete`, () => checkContract(adapter))
  test(`${adapter.id}: launch is pure, and keeps the prompt and secrets off argv`, () => checkLaunch(adapter))
  test(`${adapter.id}: reserved flags and settings are refused by name`, () => checkReserved(adapter))
  test(`${adapter.id}: there are fixtures`, () => {
    ok(fixtures.length > 0, `there is no .jsonl or .ndjson file in ${options.fixtures}`)
  })
  for (const fixture of fixtures) testFixture(adapter, fixture, test)
}

function testFixture(adapter: Adapter, fixture: Fixture, test: TestRunner): void {
  const { name, stdout, exit, transport, options, expected, snapshot } = fixture
  const setting: ReplaySetting = { adapter, exit, transport, ...(options && { options }) }
  const promise = (what: string, run: () => void) => test(`${adapter.id} ${name}: ${what}`, run)
  const holds = (check: (setting: ReplaySetting, stdout: Uint8Array) => string[]) => () => {
    const [breach] = check(setting, stdout)
    if (breach !== undefined) fail(breach)
  }

  promise('the guarantees hold', () => {
    const { events, lineOf } = replayByLine(setting, stdout)
    const breaches = checkTurns(events, stdout).map(
      ({ guarantee, message, seq }) =>
        `guarantee ${guarantee}: ${message}${seq === undefined ? '' : ` (event ${seq}, line ${lineOf[seq]})`}`,
    )
    deepStrictEqual(breaches, [])
  })
  promise('the turn went as a person wrote down', () => {
    ok(expected, `write ${name}.expect.json by hand: {"status","code"?,"text","tools","retracted"}`)
    const rows = expected.map(({ options: _options, ...row }) => row)
    deepStrictEqual(turnsOf(replayNow(setting, [stdout])).map(summaryOf), rows)
  })
  promise('the events are the reviewed ones', () => {
    ok(
      snapshot !== undefined,
      `there is no ${name}.events.json: write it with updateSnapshots() and review it`,
    )
    deepStrictEqual(JSON.parse(snapshotOf(replayNow(setting, [stdout]))), JSON.parse(snapshot))
  })
  promise('the same bytes give the same events, however they are cut', holds(checkChunkings))
  promise('what nobody knows is said and changes nothing', holds(checkUnknownRecords))
  promise('an output that ends early is no success', holds(checkTruncation))
  promise('records with missing or strange fields are not fatal', holds(checkMangledRecords))
}

/** A turn as a hand-written row tells it. */
export function summaryOf(events: readonly AgentEvent[]): Omit<ExpectedTurn, 'options'> {
  const completion = completionOf(events)
  const tools = new Map<string, { name: string; status: string }>()
  for (const event of events) {
    if (event.type !== 'tool') continue
    const tool = tools.get(event.toolId) ?? { name: event.name, status: 'open' }
    if (event.phase === 'end') tool.status = event.status
    tools.set(event.toolId, tool)
  }
  return {
    status: completion?.status ?? 'error',
    ...(completion?.error && { code: completion.error.code }),
    text: completion?.text ?? '',
    tools: [...tools.values()],
    retracted: events.flatMap((event) =>
      event.type === 'message' && event.status === 'retracted' ? [event.text] : [],
    ),
  }
}

/** Loaded late: a program that imports this module for something else gets no test runner started. */
function nodeTest(): TestRunner {
  const { test } = process.getBuiltinModule('node:test')
  return (name, run) => test(name, run)
}
