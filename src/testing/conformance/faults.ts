import type { AgentEvent } from '../../protocol/events.ts'
import { emptyLedger } from '../../protocol/ledger.ts'
import { asObject } from '../../protocol/narrow.ts'
import { checkTurns, completionOf } from '../guarantees.ts'
import {
  cleanExit,
  comparable,
  firstDifference,
  linesOf,
  type ReplaySetting,
  recordedIn,
  replayNow,
} from '../replay-now.ts'

/** How many bytes one promise may push through the wire; what is past it is left out evenly. */
const workBytes = 8 * 1024 * 1024

/**
 * Guarantee 7: a record that nobody knows, a line that is no JSON and JSON that is no object are each one counted notice and
 * change nothing else. Returns how that broke.
 */
export function checkUnknownRecords(setting: ReplaySetting, stdout: Uint8Array): string[] {
  const lines = linesOf(stdout)
  const undisturbed = replayNow(setting, lines)
  const before = withoutSaying(undisturbed)
  const strangers: [string, string, string][] = [
    [
      'an unknown record',
      '{"type":"coxswain_unknown","event":"coxswain_unknown","payload":[1]}',
      'unknown_record',
    ],
    ['JSON that is no object', '["coxswain",null]', 'unknown_record'],
    ['a line that is no JSON', 'npm warn coxswain: no such thing', 'line_invalid'],
  ]
  const breaches: string[] = []
  for (const place of spread(lines.length + 1, stdout.length, strangers.length)) {
    for (const [what, line, code] of strangers) {
      const events = replayNow(setting, [
        ...lines.slice(0, place).map(withNewline),
        Buffer.from(`${line}\n`),
        ...lines.slice(place),
      ])
      const where = `${what} before line ${place + 1}`
      const difference = firstDifference(withoutSaying(events), before)
      if (count(events, code) !== count(undisturbed, code) + 1) breaches.push(`${where}: not said once`)
      else if (difference !== undefined) breaches.push(`${where}: ${difference}`)
      if (breaches.length > 0) return breaches
    }
  }
  return breaches
}

function count(events: AgentEvent[], code: string): number {
  return events.filter((event) => event.type === 'notice' && event.code === code).length
}

/** Without the notices that were provoked, and without what counts them. */
function withoutSaying(events: AgentEvent[]): string[] {
  const kept = events.filter(
    (event) => event.type !== 'notice' || !/^unknown_record$|^line_invalid$/.test(event.code),
  )
  return comparable(
    kept.map((event) => ({ ...event, seq: 0, ...(event.type === 'completion' && { ledger: emptyLedger }) })),
  )
}

/**
 * The output ends early, between two records or inside one: still every guarantee, and no success that the CLI's own last
 * word does not back. Returns how that broke.
 */
export function checkTruncation(setting: ReplaySetting, stdout: Uint8Array): string[] {
  const lines = linesOf(stdout)
  for (const place of spread(lines.length, stdout.length / 2, 2)) {
    const next = lines[place] ?? new Uint8Array(0)
    const half = next.subarray(0, Math.floor(next.length / 2))
    for (const chunks of [lines.slice(0, place), [...lines.slice(0, place), half]]) {
      const { events, ended } = truncated(setting, chunks)
      const where = `the output ends ${chunks.length > place ? 'inside' : 'before'} line ${place + 1}`
      const [breach] = checkTurns(events, Buffer.concat(chunks))
      if (breach) return [`${where}: guarantee ${breach.guarantee}: ${breach.message}`]
      // What ends a turn of a live process may be a sum of records: its own tests say which.
      if (!ended && setting.transport !== 'live' && completionOf(events)?.status === 'success') {
        return [`${where}: success, though the wire had not seen the CLI's last word`]
      }
    }
  }
  return []
}

function truncated(setting: ReplaySetting, chunks: Uint8Array[]) {
  const turn = recordedIn(setting)
  const events = [...turn.start(setting.options)]
  let ended = turn.ended
  for (const chunk of chunks) {
    events.push(...turn.push(chunk))
    // It may be taken back when the CLI goes on, but it was said.
    ended ||= turn.ended
  }
  events.push(...turn.end(cleanExit))
  return { events, ended }
}

const strangeValues = [null, 7, 'text', [], {}, [[{}]], true]

/**
 * Records of a known type whose fields are missing or of another type: never an exception, and every guarantee. Returns how
 * that broke.
 */
export function checkMangledRecords(setting: ReplaySetting, stdout: Uint8Array): string[] {
  const lines = linesOf(stdout)
  const seen = new Set<string>()
  const manglings = lines.flatMap((line, place) =>
    manglingsOf(line).flatMap((mangled) => {
      const shape = shapeOf(mangled)
      if (seen.has(shape)) return []
      seen.add(shape)
      return [{ place, mangled: JSON.stringify(mangled) }]
    }),
  )
  for (const index of spread(manglings.length, stdout.length, 4)) {
    const mangling = manglings[index]
    if (!mangling) continue
    const { place, mangled } = mangling
    const chunks = [...lines.slice(0, place), Buffer.from(`${mangled}\n`), ...lines.slice(place + 1)]
    const where = `line ${place + 1} as ${mangled.length > 200 ? `${mangled.slice(0, 200)}…` : mangled}`
    const events = replayNow(setting, chunks)
    const completion = completionOf(events)
    if (completion?.evidence.by === 'host') return [`${where}: ${completion.error?.message}`]
    // Counts that were mangled contradict each other: that is the record's fault.
    const breach = checkTurns(events, Buffer.concat(chunks)).find(({ guarantee }) => guarantee !== 8)
    if (breach) return [`${where}: guarantee ${breach.guarantee}: ${breach.message}`]
  }
  return []
}

/** The record with one field at a time, at any depth down to 3, missing or of another type. */
function manglingsOf(line: Uint8Array): Record<string, unknown>[] {
  let record: Record<string, unknown> | undefined
  try {
    record = asObject(JSON.parse(new TextDecoder().decode(line)))
  } catch {
    return []
  }
  return record ? manglings(record, 3) : []
}

/** What tells one kind of record from another: names of fields, types of values, and the words that say a kind. */
function shapeOf(value: unknown): string {
  return JSON.stringify(value, (key, inner: unknown) => {
    if (typeof inner === 'number') return 0
    if (typeof inner === 'string') return /type$|^role$|^status$|^stop/i.test(key) ? inner : ''
    return inner
  })
}

function manglings(record: Record<string, unknown>, depth: number): Record<string, unknown>[] {
  return Object.entries(record).flatMap(([key, value], index) => {
    const { [key]: _left, ...without } = record
    const strange = strangeValues[(index + depth) % strangeValues.length]
    const inside = depth > 1 ? inner(value, depth - 1).map((each) => ({ ...record, [key]: each })) : []
    return [without, { ...record, [key]: strange }, ...inside]
  })
}

function inner(value: unknown, depth: number): unknown[] {
  const [first] = Array.isArray(value) ? value : []
  const object = asObject(first)
  if (object) return manglings(object, depth).map((each) => [each])
  const own = asObject(value)
  return own ? manglings(own, depth) : []
}

function withNewline(line: Uint8Array): Uint8Array {
  return line.at(-1) === 0x0a ? line : Buffer.concat([line, Buffer.from('\n')])
}

/** The places from 0 to below `count` that the work allows, evenly spread, the first and the last among them. */
function spread(count: number, bytesEach: number, timesEach: number): number[] {
  const affordable = Math.max(4, Math.floor(workBytes / ((bytesEach + 1_000) * timesEach)))
  if (count <= affordable) return Array.from({ length: count }, (_, index) => index)
  return Array.from({ length: affordable }, (_, index) =>
    Math.round((index * (count - 1)) / (affordable - 1)),
  )
}
