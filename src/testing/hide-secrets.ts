import type { Secret } from '../env/secrets.ts'
import { asObject, type JsonObject } from '../protocol/narrow.ts'
import { redactForeign } from '../protocol/redact-values.ts'
import { SecretMatcher } from '../protocol/secret-matcher.ts'
import type { Replaced } from './neutral.ts'

/**
 * Takes the secrets out of recorded bytes: in every form that the redactor knows, and in lines of JSON also where a secret is
 * cut across the strings of several records. Everything else stays byte for byte, but that a record with a piece of a secret is
 * written anew.
 */
export function hideSecrets(
  bytes: Uint8Array,
  secrets: readonly Secret[],
): { bytes: Uint8Array; replaced: Replaced[] } {
  const recorded = Buffer.from(bytes)
  const decoded = recorded.toString('utf8')
  // Latin-1 has one character for each byte; then a secret must have its bytes for characters, too.
  const isText = Buffer.from(decoded, 'utf8').equals(recorded)
  const encoding = isText ? 'utf8' : 'latin1'
  const hidden = secrets.map(({ name, value }) => ({
    name,
    value: isText ? value : Buffer.from(value).toString('latin1'),
  }))
  const matcher = new SecretMatcher(hidden, recordedMark)
  if (matcher.isEmpty) return { bytes, replaced: [] }
  const before = isText ? decoded : recorded.toString('latin1')
  const whole = matcher.replace(before)
  const text = whole.split('\n').some(isRecord) ? withoutPieces(whole, matcher) : whole
  return { bytes: Buffer.from(text, encoding), replaced: countMarks(before, text, secrets) }
}

function recordedMark(name: string): string {
  return `REDACTED_${name}`
}

function isRecord(line: string): boolean {
  return line.startsWith('{')
}

/** Whole secrets are gone already: what is left is in pieces. */
function withoutPieces(text: string, matcher: SecretMatcher): string {
  const lines = text.split('\n')
  const records = lines.map(parse)
  const changed = new Set<number>()
  for (const isDistinct of [false, true]) {
    for (const strings of joinedStrings(records, isDistinct)) hidePieces(strings, matcher, changed)
  }
  return lines
    .map((line, index) => {
      const record = records[index]
      if (!record) return line
      // A record that repeats the whole message so far can end in the beginning of a secret.
      const clean = redactForeign(record, (value) => matcher.replaceCut(value))
      return changed.has(index) || clean !== record ? JSON.stringify(clean) : line
    })
    .join('\n')
}

function parse(line: string): JsonObject | undefined {
  if (!isRecord(line)) return undefined
  try {
    return asObject(JSON.parse(line))
  } catch {
    return undefined
  }
}

/** A string in a record. */
interface StringPlace {
  record: number
  value: string
  put(value: string): void
}

/**
 * The strings that make one text together: those at the same place of their records and, with `isDistinct`, in records with the
 * same ids, for several texts can come at once.
 */
function joinedStrings(records: readonly (JsonObject | undefined)[], isDistinct: boolean): StringPlace[][] {
  const groups = new Map<string, StringPlace[]>()
  records.forEach((parsed, record) => {
    if (!parsed) return
    const ids = isDistinct ? idsIn(parsed).join() : ''
    const visit = (holder: JsonObject | unknown[], path: string) => {
      for (const [key, value] of Object.entries(holder)) {
        const place = `${path}/${key}`
        if (typeof value === 'string') {
          const group = groups.get(place + ids) ?? []
          groups.set(place + ids, group)
          group.push({ record, value, put: (text) => Reflect.set(holder, key, text) })
        } else if (Array.isArray(value)) visit(value, place)
        else if (typeof value === 'object' && value !== null) visit(asObject(value) ?? {}, place)
      }
    }
    visit(parsed, '')
  })
  return [...groups.values()].filter((group) => group.length > 1)
}

/** What tells texts apart: not the id of a record itself. */
function idsIn(record: JsonObject): string[] {
  return Object.entries(record).flatMap(([key, value]) => {
    const inner = asObject(value)
    if (inner) return idsIn(inner)
    const isId = /(?:id|index)$/i.test(key) && !/uuid|^id$/i.test(key)
    return isId ? [`${key}=${String(value)}`] : []
  })
}

/** The first piece of a secret becomes the mark, the others go. */
function hidePieces(strings: readonly StringPlace[], matcher: SecretMatcher, changed: Set<number>): void {
  const matches = matcher.matches(strings.map(({ value }) => value).join(''))
  if (matches.length === 0) return
  let start = 0
  for (const { record, value, put } of strings) {
    const end = start + value.length
    let text = ''
    let from = start
    for (const match of matches) {
      if (match.end <= start || match.start >= end) continue
      text += value.slice(from - start, Math.max(match.start - start, 0))
      if (match.start >= start) text += match.replacement
      from = Math.min(match.end, end)
    }
    text += value.slice(from - start)
    if (text !== value) {
      put(text)
      changed.add(record)
    }
    start = end
  }
}

function countMarks(before: string, after: string, secrets: readonly Secret[]): Replaced[] {
  return [...new Set(secrets.map(({ name }) => name))].flatMap((name) => {
    const by = recordedMark(name)
    const count = after.split(by).length - before.split(by).length
    return count > 0 ? [{ what: `secret ${name}`, by, count }] : []
  })
}
