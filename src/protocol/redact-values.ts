import { boundDepth, deepest } from './depth.ts'

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

/** Fields with words of a person or of a CLI, which wires shorten. */
const shortened: ReadonlySet<string> = new Set(['message', 'detail', 'hint'])

type Replace = (text: string) => string

export interface Hiding {
  text: Replace
  /** The same for a text whose end may have been cut off. */
  cut: Replace
}

/** An event, or a part of one, with every string redacted that is not structural; the same object if nothing changed. */
export function redactFields<T extends object>(part: T, hiding: Hiding): T {
  let changes: Record<string, unknown> | undefined
  for (const key in part) {
    if (structural.has(key)) continue
    const value: unknown = part[key]
    const clean = redactField(key, value, hiding)
    if (clean === value) continue
    changes ??= {}
    changes[key] = clean
  }
  return changes ? Object.assign({}, part, changes) : part
}

function redactField(key: string, value: unknown, hiding: Hiding): unknown {
  if (foreign.has(key)) return redactForeign(value, hiding.text)
  if (typeof value === 'string') return shortened.has(key) ? hiding.cut(value) : hiding.text(value)
  return redactKnown(value, hiding)
}

function redactKnown(value: unknown, hiding: Hiding): unknown {
  if (typeof value === 'string') return hiding.text(value)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return redactItems(value, (item) => redactKnown(item, hiding))
  return redactFields(value, hiding)
}

/** Any JSON value with every string and every key redacted; the same value if nothing changed. */
export function redactForeign<T>(value: T, replace: Replace): T
export function redactForeign(value: unknown, replace: Replace): unknown {
  return redactDeep(value, replace, 0)
}

/** The same object, or one whose foreign values are cut where they nest too deep. */
export function boundForeign<T extends object>(part: T): T {
  let changes: Record<string, unknown> | undefined
  for (const key in part) {
    if (!foreign.has(key)) continue
    const value: unknown = part[key]
    const bounded = boundDepth(value)
    if (bounded === value) continue
    changes ??= {}
    changes[key] = bounded
  }
  return changes ? Object.assign({}, part, changes) : part
}

function redactDeep(value: unknown, replace: Replace, depth: number): unknown {
  if (typeof value === 'string') return replace(value)
  if (typeof value !== 'object' || value === null) return value
  if (depth > deepest) return '[redacted:too deep]'
  if (Array.isArray(value)) return redactItems(value, (item) => redactDeep(item, replace, depth + 1))
  let changed = false
  const entries = Object.entries(value).map(([key, item]): [string, unknown] => {
    const cleanKey = replace(key)
    const cleanItem = redactDeep(item, replace, depth + 1)
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
