import type { ComposedCredentials } from './compose.ts'
import { type CredentialVariables, requiredVariables } from './credentials.ts'
import type { Environment } from './report.ts'

/** One credential set of an adapter that is there, or half there: names, never values. */
export interface ConsideredSet {
  set: string
  billing: 'api' | 'subscription'
  /** Those of its variables that have a value. */
  variables: string[]
  inUse: boolean
  /** Why it is not: another set goes before it, it lacks something, or the options (or an endpoint) leave it out. */
  why?: 'outranked' | 'incomplete' | 'not_chosen'
  /** What it lacks; only with 'incomplete'. */
  missing?: string[]
}

/** The sets that the base environment, or the options, say something of, with what became of each. */
export function considerSets(
  base: Environment,
  sets: readonly CredentialVariables[],
  credentials: ComposedCredentials,
): ConsideredSet[] {
  const isThere = (name: string) => (base[name] ?? '').trim() !== '' || credentials.names.includes(name)
  return sets.flatMap((set) => {
    const required = requiredVariables(set)
    const inUse = credentials.sets.includes(set.name)
    if (!inUse && !required.some(isThere)) return []
    const missing = required.filter((name) => !isThere(name))
    const { name, billing, variables } = set
    const found = { set: name, billing, variables: variables.filter(isThere), inUse }
    if (inUse) return [found]
    if (credentials.outranked.includes(name)) return [{ ...found, why: 'outranked' as const }]
    if (missing.length > 0) return [{ ...found, why: 'incomplete' as const, missing }]
    return [{ ...found, why: 'not_chosen' as const }]
  })
}
