import { toJson } from './depth.ts'

/** Reads one field of a foreign record. Anything of another type counts as absent, so that no record is ever fatal. */

export type JsonObject = Record<string, unknown>

export function asObject(value: unknown): JsonObject | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as JsonObject)
    : undefined
}

export function asArray(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** What a message says: a list of blocks, or a text alone, as the Messages API takes it, too. undefined: neither. */
export function asContent(value: unknown): readonly unknown[] | undefined {
  if (typeof value === 'string') return [{ type: 'text', text: value }]
  return Array.isArray(value) ? value : undefined
}

export function asString(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

/** Whatever stands there, as a word. Not by `String`: an object's own `toString` may be anything, as may all that is foreign. */
export function asWord(value: unknown): string {
  return typeof value === 'string' ? value : (toJson(value) ?? 'undefined')
}

export function asNumber(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}

export function asBoolean(value: unknown): boolean | undefined {
  return typeof value === 'boolean' ? value : undefined
}

/** A line of a file: a whole number from 1. */
export function asLine(value: unknown): number | undefined {
  const line = asNumber(value)
  return line !== undefined && Number.isSafeInteger(line) && line >= 1 ? line : undefined
}

/** What a table has for a foreign word. What every object inherits ('constructor') is no entry of it. */
export function lookUp<Value>(
  table: Readonly<Record<string, Value>>,
  word: string | undefined,
): Value | undefined {
  return word !== undefined && Object.hasOwn(table, word) ? table[word] : undefined
}
