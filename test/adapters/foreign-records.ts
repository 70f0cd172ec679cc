import { readdirSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { asObject } from '../../src/protocol/narrow.ts'
import { parseLine } from '../../src/protocol/records.ts'
import type { Json } from './driven-wire.ts'

const fixtures = new URL('../../fixtures/', import.meta.url)

/** One of these records, one of them with something in it replaced or left out, or one that nobody knows. */
export function foreignRecord(records: readonly Json[]): fc.Arbitrary<Json> {
  const record = fc.constantFrom(...records)
  const value = fc.option(fc.jsonValue({ maxDepth: 2 }), { nil: undefined })
  const choices = fc.array(fc.nat(12), { minLength: 1, maxLength: 4 })
  const mangling = fc.tuple(record, choices, value).map((parts) => mangled(...parts))
  const invented = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 }))
  return fc.oneof(
    { weight: 8, arbitrary: record },
    { weight: 4, arbitrary: mangling },
    { weight: 1, arbitrary: invented },
  )
}

/** The record with one value, somewhere in it, replaced or left out. */
function mangled(record: Json, choices: readonly number[], value: unknown): Json {
  const [choice = 0, ...rest] = choices
  const names = Object.keys(record)
  const name = names[choice % Math.max(1, names.length)]
  if (name === undefined) return record
  const inner = asObject(record[name])
  if (inner && rest.length > 0) return { ...record, [name]: mangled(inner, rest, value) }
  const { [name]: _, ...without } = record
  return value === undefined ? without : { ...without, [name]: value }
}

/** The records of an adapter's recordings, each kind once: its conversations and turns go by the same two names. */
export function recordedRecords(adapter: string, transport: 'structured' | 'live'): Json[] {
  const seen = new Map<string, Json>()
  for (const version of readdirSync(new URL(`${adapter}/`, fixtures))) {
    const folder = new URL(`${adapter}/${version}/`, fixtures)
    for (const name of readdirSync(folder)) {
      if (!name.endsWith('.jsonl') || name.startsWith('live-') !== (transport === 'live')) continue
      for (const record of namedAlike(readFileSync(new URL(name, folder), 'utf8'))) {
        const kind = kindOf(record)
        if (JSON.stringify(record).length < 20_000 && !seen.has(kind)) seen.set(kind, record)
      }
    }
  }
  return [...seen.values()]
}

function namedAlike(text: string): Json[] {
  const named = (pattern: RegExp, name: string, within: string) => {
    const found = pattern.exec(within)?.[1]
    return found === undefined ? within : within.replaceAll(found, name)
  }
  const whole = named(
    /"turn":\{"id":"([^"]+)"/,
    't1',
    named(/"(?:threadId|session_id|sessionId)":"([^"]+)"/, 's1', text),
  )
  return whole.split('\n').flatMap((line) => {
    const record = asObject(parseLine(line))
    const said = asObject(record?.msg) ?? record
    return said ? [said] : []
  })
}

function kindOf(record: Json): string {
  const inner = objectsIn([record.event, record.assistantMessageEvent, record.params])
  const items = [record, ...inner].flatMap(({ item, delta, tool_call }) =>
    objectsIn([item, delta, tool_call]),
  )
  const names = [record, ...inner, ...items].map((each) => [each.type, each.subtype, ...Object.keys(each)])
  return JSON.stringify([record.method, record.command, names])
}

function objectsIn(values: readonly unknown[]): Json[] {
  return values.map(asObject).filter((value) => value !== undefined)
}
