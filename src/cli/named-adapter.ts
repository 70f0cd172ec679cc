import type { Adapter } from '../adapters/adapter.ts'
import { adapters, getAdapter } from '../adapters/registry.ts'
import { closestName } from '../options/closest.ts'
import { UsageError } from './flags.ts'

/** The adapter with this id, or with the first word of it: 'codex' for 'codex-cli'. */
export function namedAdapter(name: string | undefined): Adapter {
  const ids = Object.keys(adapters)
  if (name === undefined) throw new UsageError('Name an adapter.', `There are ${ids.join(', ')}.`)
  const id = ids.find((each) => each === name || shortName(each) === name)
  if (id !== undefined) return getAdapter(id)
  const closest = closestName(name, [...ids, ...ids.map(shortName)])
  throw new UsageError(
    `There is no adapter "${name}".`,
    closest === undefined ? `There are ${ids.join(', ')}.` : `Did you mean ${closest}?`,
  )
}

export function shortName(id: string): string {
  return id.split('-')[0] ?? id
}
