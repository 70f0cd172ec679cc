import type { Issue } from '../errors.ts'
import { issueAt } from './issues.ts'

const deepest = 100
const mostValues = 500_000

/** What was read, without the places that `issues` tells of. */
export interface PlainData {
  value: unknown
  issues: Issue[]
}

type IsApart = (path: readonly string[]) => boolean

/**
 * A copy of what a caller gave, read once: what is checked is then what is used, whatever getters and proxies would say the
 * second time. Only plain objects and lists hold data; of an instance of a class nobody knows which of its fields are meant.
 *
 * @param isApart where the path leads to what is no data (an adapter, a signal): it is taken as it is
 */
export function readPlainData(value: unknown, isApart: IsApart = () => false): PlainData {
  const reader = new Reader(isApart)
  const copy = reader.read(value, [])
  return { value: copy, issues: reader.issues }
}

/** Neither an array nor an instance of a class; an object of another realm or without a prototype is plain, too. */
export function isPlainObject(value: unknown): value is object {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || (typeof prototype === 'object' && Object.getPrototypeOf(prototype) === null)
}

/** What code of the caller's makes of a question; undefined where it throws. */
export function guarded<Result>(ask: () => Result): Result | undefined {
  try {
    return ask()
  } catch {
    return undefined
  }
}

/** Where in plain data a function or the like stands, which JSON leaves out without a word; undefined: nowhere. */
export function unsaidIn(value: unknown): string[] | undefined {
  if (typeof value === 'object' && value !== null) {
    for (const [key, field] of Object.entries(value)) {
      const found = unsaidIn(field)
      if (found) return [key, ...found]
    }
    return undefined
  }
  const isSaid = ['string', 'boolean', 'undefined', 'object'].includes(typeof value) || Number.isFinite(value)
  return isSaid ? undefined : []
}

class Reader {
  readonly issues: Issue[] = []
  readonly #isApart: IsApart
  readonly #within = new Set<object>()
  #count = 0

  constructor(isApart: IsApart) {
    this.#isApart = isApart
  }

  read(value: unknown, path: readonly string[]): unknown {
    if (typeof value !== 'object' || value === null || this.#isApart(path)) return value
    if (this.#within.has(value)) return this.#fault(path, 'contains itself', 'Take the circle out.')
    if (path.length > deepest) {
      return this.#fault(path, `is nested more than ${deepest} deep`, 'Make it flatter.')
    }
    this.#within.add(value)
    const copy = this.#copy(value, path)
    this.#within.delete(value)
    return copy
  }

  #copy(value: object, path: readonly string[]): unknown {
    const kind = guarded(() => (Array.isArray(value) ? 'list' : isPlainObject(value) ? 'object' : 'instance'))
    if (kind === 'instance') {
      return this.#fault(
        path,
        'is an instance of a class, and a plain object is expected',
        'Give its fields as { ... }.',
      )
    }
    const keys = guarded(() => Object.keys(value))
    if (kind === undefined || keys === undefined) return this.#unreadable(path)
    if (kind === 'list' && keys.length !== guarded(() => Reflect.get(value, 'length'))) {
      return this.#fault(path, 'is a list with holes or with names in it', 'Give a list of values.')
    }
    this.#count += keys.length
    if (this.#count > mostValues) {
      return this.#fault(path, 'is too large', `Give at most ${mostValues} values.`)
    }
    const copy: object = kind === 'list' ? [] : {}
    for (const key of keys) {
      const inner = [...path, key]
      const read = guarded((): { field: unknown } => ({ field: Reflect.get(value, key) }))
      const field = read ? this.read(read.field, inner) : this.#unreadable(inner)
      // `__proto__` is a name like any other here.
      Object.defineProperty(copy, key, { value: field, enumerable: true, configurable: true, writable: true })
    }
    return copy
  }

  #unreadable(path: readonly string[]): undefined {
    return this.#fault(path, 'cannot be read: a getter or a proxy there throws', 'Give plain values.')
  }

  #fault(path: readonly string[], message: string, fix: string): undefined {
    this.issues.push({ ...issueAt(path, message), fix })
    return undefined
  }
}
