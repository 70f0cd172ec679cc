/** JSON.parse goes deeper than a recursion over what it gave, that of `JSON.stringify` included. What lies below this is not said. */
export const deepest = 400

/** The JSON of what others made up, however deep it is. */
export function toJson(value: unknown): string | undefined {
  return JSON.stringify(boundDepth(value))
}

/** The same value, or where it is too deep one whose depths are cut off. */
export function boundDepth<T>(value: T): T
export function boundDepth(value: unknown): unknown {
  return cut(value, 0)
}

function cut(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (depth > deepest) return '[too deep]'
  if (Array.isArray(value)) {
    const items = value.map((item) => cut(item, depth + 1))
    return items.some((item, index) => item !== value[index]) ? items : value
  }
  let changed = false
  const entries = Object.entries(value).map(([key, item]): [string, unknown] => {
    const bounded = cut(item, depth + 1)
    if (bounded !== item) changed = true
    return [key, bounded]
  })
  return changed ? Object.fromEntries(entries) : value
}
