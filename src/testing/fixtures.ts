import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import type { Adapter } from '../adapters/adapter.ts'
import { getAdapter } from '../adapters/registry.ts'
import { AgentError } from '../errors.ts'
import { closestName } from '../options/closest.ts'
import type { AgentEvent } from '../protocol/events.ts'
import type { WireOptions } from '../protocol/wire.ts'
import { replay } from '../run/replay.ts'
import { snapshotOf } from './conformance/snapshot.ts'
import { findRecordings, type Recording, readRecording, withoutEnding } from './recording.ts'
import { replayNow } from './replay-now.ts'

/** What a person wrote down of a fixture after reading it; no update touches it. */
export interface ExpectedTurn {
  status: 'success' | 'error' | 'interrupted' | 'timeout'
  /** The error's code; absent where there is none. */
  code?: string
  /** The completion's text. */
  text: string
  /** In the order in which they started. */
  tools: { name: string; status: string }[]
  /** The texts of the messages that were retracted. */
  retracted: string[]
  /** What the turn was asked, where the wire must know: `{ "resume": "…" }`. */
  options?: WireOptions
}

const optionalText = z.exactOptional(z.string())

const expectedTurnSchema: z.ZodType<ExpectedTurn> = z.strictObject({
  status: z.enum(['success', 'error', 'interrupted', 'timeout']),
  code: optionalText,
  text: z.string(),
  tools: z.array(z.strictObject({ name: z.string(), status: z.string() })),
  retracted: z.array(z.string()),
  options: z.exactOptional(
    z.strictObject({
      resume: optionalText,
      fork: z.exactOptional(z.boolean()),
      backgroundTasks: z.exactOptional(z.enum(['forbid', 'wait'])),
      model: optionalText,
      cwd: optionalText,
    }),
  ),
})

/** A live fixture of several turns has a row for each. */
const expectedTurnsSchema = z.union([expectedTurnSchema, z.array(expectedTurnSchema).min(1)])

/** What tells the transport of a fixture: `live-<case>.jsonl` is of a live process, which may have taken several turns. */
export function transportOf(name: string): 'structured' | 'live' {
  return basename(name).startsWith('live-') ? 'live' : 'structured'
}

export interface Fixture extends Recording {
  transport: 'structured' | 'live'
  /** Below the folder of fixtures, without the ending: '0.171.0/tool'. */
  name: string
  /** One row per turn. undefined: nobody wrote it yet. */
  expected: ExpectedTurn[] | undefined
  /** What the turn, or the first of them, was asked. */
  options: WireOptions | undefined
  /** The reviewed events; undefined: no snapshot yet. */
  snapshot: string | undefined
}

/** The fixtures below a folder, read from disk. */
export function readFixtures(folder: URL | string): Fixture[] {
  const root = toPath(folder)
  return findRecordings(root).map((path) => readFixture(root, path))
}

function readFixture(root: string, path: string): Fixture {
  const base = withoutEnding(path)
  const row = readIfThere(`${base}.expect.json`)
  const expected = row === undefined ? undefined : [expectedTurnsSchema.parse(JSON.parse(row))].flat()
  return {
    ...readRecording(path),
    name: relative(root, base).split(sep).join('/'),
    transport: transportOf(base),
    expected,
    options: expected?.[0]?.options,
    snapshot: readIfThere(`${base}.events.json`),
  }
}

/**
 * Writes the `.events.json` of every fixture below a folder anew, to be reviewed as a diff; nothing else is touched.
 *
 * @returns the names of the fixtures whose snapshot changed
 */
export function updateSnapshots(adapter: Adapter, folder: URL | string): string[] {
  return readFixtures(folder).flatMap((fixture) => {
    const { path, stdout, exit, transport, options } = fixture
    const setting = { adapter, exit, transport, ...(options && { options }) }
    const snapshot = snapshotOf(replayNow(setting, [stdout]))
    // The order of an object's keys is nobody's promise.
    if (
      fixture.snapshot !== undefined &&
      isDeepStrictEqual(JSON.parse(snapshot), JSON.parse(fixture.snapshot))
    )
      return []
    writeFileSync(`${withoutEnding(path)}.events.json`, snapshot)
    return [fixture.name]
  })
}

/** The folder of the fixtures that are published with this package. */
export function fixturesFolder(): string {
  const candidates = ['../fixtures', '../../fixtures'].map((path) =>
    fileURLToPath(new URL(path, import.meta.url)),
  )
  const found = candidates.find((path) => existsSync(path))
  if (found === undefined) throw new Error(`The fixtures are not at ${candidates.join(' or ')}.`)
  return found
}

/** The names of the published fixtures, as `replayFixture` takes them: 'codex-cli/0.171.0/tool'. */
export function listFixtures(): string[] {
  const root = fixturesFolder()
  return findRecordings(root).map((path) => relative(root, withoutEnding(path)).split(sep).join('/'))
}

/**
 * The events of a published fixture: a real turn without a CLI, for an orchestrator's own tests.
 *
 * @param name one of `listFixtures()`, such as 'codex-cli/0.171.0/tool'
 * @throws AgentError `invalid_options` where there is none of that name
 */
export function replayFixture(name: string): AsyncIterable<AgentEvent> {
  const root = fixturesFolder()
  const path = ['.jsonl', '.ndjson']
    .map((ending) => join(root, `${name}${ending}`))
    .find((each) => existsSync(each))
  if (path === undefined || relative(root, dirname(path)).startsWith('..')) {
    const closest = closestName(name, listFixtures())
    throw new AgentError('invalid_options', `There is no fixture "${name}".`, {
      hint: closest === undefined ? 'See listFixtures().' : `Did you mean "${closest}"?`,
    })
  }
  const { stdout, exit, transport, options } = readFixture(root, path)
  return replay({
    adapter: getAdapter(name.split('/')[0] ?? ''),
    stdout: [stdout],
    exit,
    transport,
    ...(options && { options }),
  })
}

function readIfThere(path: string): string | undefined {
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined
}

function toPath(place: URL | string): string {
  return typeof place === 'string' ? place : fileURLToPath(place)
}
