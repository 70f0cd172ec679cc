import { refuseScopeNames } from '../env/grant.ts'
import { AgentError } from '../errors.ts'

/** Where the caller chooses the names. */
const named = ['scope', 'credentials', 'mcpServers', 'endpoint', 'configuration'] as const

/**
 * Refuses a property called `__proto__`, as JSON.parse makes one: what checks shapes leaves it out without a word, and what is
 * left out in silence was not refused.
 */
export function refuseHiddenNames(options: unknown): void {
  if (!isObject(options)) return
  for (const option of named) {
    const path = pathOfHidden(ownValue(options, option), option, new Set())
    if (path === undefined) continue
    if (path === 'scope.__proto__') refuseScopeNames(['__proto__'])
    throw new AgentError('invalid_options', `The option \`${path}\` is wrong: this can be no name.`, {
      hint: 'Leave it out.',
    })
  }
}

function pathOfHidden(value: unknown, path: string, seen: Set<object>): string | undefined {
  if (!isObject(value) || seen.has(value)) return undefined
  seen.add(value)
  for (const key of Object.keys(value)) {
    if (key === '__proto__') return `${path}.__proto__`
    const found = pathOfHidden(ownValue(value, key), `${path}.${key}`, seen)
    if (found !== undefined) return found
  }
  return undefined
}

function ownValue(value: object, key: string): unknown {
  return Object.getOwnPropertyDescriptor(value, key)?.value
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
