/**
 * Fields with words from closed sets, and ids, by which events are told apart and joined: they stay, also where a secret
 * happens to read like one. Streamed text is the event redactor's own.
 */
const structural: ReadonlySet<string> = new Set([
  'type',
  'phase',
  'status',
  'kind',
  'level',
  'code',
  'origin',
  'transport',
  'basis',
  'by',
  'decision',
  'stopReason',
  'priority',
  'messageId',
  'providerMessageId',
  'continues',
  'toolId',
  'parentToolId',
  'interactionId',
  'optionId',
  'sessionId',
  'inputDelta',
  'outputDelta',
])

/** Fields that hold what others made up: there every key and every string counts. */
const foreign: ReadonlySet<string> = new Set(['input', 'details', 'schema', 'structuredOutput', 'raw'])

/** JSON.parse goes deeper than a recursion can; what lies below this is not looked at, so it is not said. */
const deepest = 400

type Replace = (text: string) => string

/** An event, or a part of one, with every string redacted that is not structural; the same object if nothing changed. */
export function redactFields<T extends object>(part: T, replace: Replace): T {
  let changes: Record<string, unknown> | undefined
  for (const key in part) {
    if (structural.has(key)) continue
    const value: unknown = part[key]
    const clean = foreign.has(key) ? redactForeign(value, replace) : redactKnown(value, replace)
    if (clean === value) continue
    changes ??= {}
    changes[key] = clean
  }
  return changes ? Object.assign({}, part, changes) : part
}

function redactKnown(value: unknown, replace: Replace): unknown {
  if (typeof value === 'string') return replace(value)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return redactItems(value, (item) => redactKnown(item, replace))
  return redactFields(value, replace)
}

/** Any JSON value with every string and every key redacted; the same value if nothing changed. */
export function redactForeign(value: unknown, replace: Replace, depth = 0): unknown {
  if (typeof value === 'string') return replace(value)
  if (typeof value !== 'object' || value === null) return value
  if (depth > deepest) return '[redacted:too deep]'
  if (Array.isArray(value)) return redactItems(value, (item) => redactForeign(item, replace, depth + 1))
  let changed = false
  const entries = Object.entries(value).map(([key, item]): [string, unknown] => {
    const cleanKey = replace(key)
    const cleanItem = redactForeign(item, replace, depth + 1)
    if (cleanKey !== key || cleanItem !== item) changed = true
    return [cleanKey, cleanItem]
  })
  return changed ? Object.fromEntries(entries) : value
}

function redactItems(items: readonly unknown[], redact: (item: unknown) => unknown): readonly unknown[] {
  let changed = false
  const clean = items.map((item) => {
    const result = redact(item)
    if (result !== item) changed = true
    return result
  })
  return changed ? clean : items
}
