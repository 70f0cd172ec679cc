/** JSON.parse goes deeper than a recursion over what it gave, that of `JSON.stringify` included. What lies below this is not said. */
export const deepest = 400

/** The JSON of what others made up, however deep it is. */
export function toJson(value: unknown): string | undefined {
  return JSON.stringify(boundDepth(value))
}

/** The same value, or where it is too deep one whose depths are cut off. */
export function boundDepth<T>(value: T): T
export function boundDepth(value: unknown): unknown {
  return nestsTooDeep(value) ? cut(value, 0) : value
}

/** Asked of every record that has a value of unknown shape: it copies nothing. */
export function nestsTooDeep(value: unknown, depth = 0): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (depth > deepest) return true
  if (Array.isArray(value)) {
    for (const item of value) if (nestsTooDeep(item, depth + 1)) return true
    return false
  }
  for (const key in value) if (nestsTooDeep(Reflect.get(value, key), depth + 1)) return true
  return false
}

function cut(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (depth > deepest) return '[too deep]'
  if (Array.isArray(value)) return value.map((item) => cut(item, depth + 1))
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, cut(item, depth + 1)]))
}
