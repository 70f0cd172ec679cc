import { stringify } from 'smol-toml'
import { asObject, type JsonObject } from '../../protocol/narrow.ts'

/** Both, table by table; where both have a value it is that of `above`. */
export function merge(below: JsonObject, above: JsonObject): JsonObject {
  const merged = { ...below }
  for (const [key, value] of Object.entries(above)) {
    const lower = asObject(merged[key])
    const upper = asObject(value)
    merged[key] = lower && upper ? merge(lower, upper) : value
  }
  return merged
}

/** The first setting, by its path, to which `merge` would give another value than it has below. */
export function contradiction(below: JsonObject, above: JsonObject, prefix = ''): string | undefined {
  for (const [key, value] of Object.entries(below)) {
    if (!Object.hasOwn(above, key)) continue
    const lower = asObject(value)
    const upper = asObject(above[key])
    const path = `${prefix}${key}`
    if (lower && upper) {
      const within = contradiction(lower, upper, `${path}.`)
      if (within !== undefined) return within
    } else if (JSON.stringify(value) !== JSON.stringify(above[key])) return path
  }
  return undefined
}

/** Settings by dotted path, as `-c` takes them; a table with a key that no dotted path can hold stays whole. */
export function leaves(settings: JsonObject, prefix = ''): [string, unknown][] {
  return Object.entries(settings).flatMap(([key, value]): [string, unknown][] => {
    const nested = asObject(value)
    const isPlain = nested && Object.keys(nested).every((name) => /^[\w-]+$/.test(name))
    return isPlain ? leaves(nested, `${prefix}${key}.`) : [[`${prefix}${key}`, value]]
  })
}

export function inlineToml(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(inlineToml).join(', ')}]`
  const table = asObject(value)
  if (!table) return stringify({ value }).slice('value = '.length).trimEnd()
  const pairs = Object.entries(table).map(([key, inner]) => `${inlineToml(key)} = ${inlineToml(inner)}`)
  return `{ ${pairs.join(', ')} }`
}
