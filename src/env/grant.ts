import { AgentError, shortened } from '../errors.ts'
import { isScopedEnvironmentKey, scopedKeysInWords } from './policy.ts'

/**
 * What a caller grants to a child. Undefined is undeclared, `{}` is declared and grants nothing, and those two differ: see
 * `ScrubOptions.scopeDeclared` and `environmentFingerprint`.
 */
export type Scope = Readonly<Record<string, string | undefined>>

export interface Grant {
  declared: boolean
  /** What the child gets, by name. */
  granted: Record<string, string>
  /** Admitted names whose value is blank, which counts as absent: `${NAME:?}` in a shell must fail. */
  blank: string[]
}

/**
 * Admits what the caller declared. Throws `environment_key_refused` naming every name that is not admitted, and
 * `invalid_options` for a value that no process can be given.
 */
export function grantEnvironment(scope: Scope | undefined): Grant {
  const granted: Record<string, string> = {}
  const blank: string[] = []
  if (scope === undefined) return { declared: false, granted, blank }
  refuseScopeNames(refusedScope(scope))
  for (const [key, value = ''] of Object.entries(scope)) {
    const name = key.trim()
    if (typeof value !== 'string' || value.includes('\0')) {
      throw new AgentError(
        'invalid_options',
        `The value of scope.${shortened(name)} must be a string without NUL.`,
        {
          hint: 'Give it as text.',
        },
      )
    }
    if (value.trim() === '') blank.push(name)
    else granted[name] = value
  }
  return { declared: true, granted, blank }
}

/** Names of the scope that are not admitted. */
export function refusedScope(scope: Scope): string[] {
  return Object.keys(scope).filter((name) => !isScopedEnvironmentKey(name))
}

export function refuseScopeNames(names: readonly string[]): void {
  if (names.length === 0) return
  throw new AgentError(
    'environment_key_refused',
    `scope cannot grant ${names.map((name) => JSON.stringify(shortened(name))).join(', ')}.`,
    {
      hint: `Admitted are ${scopedKeysInWords}; the set is extended in isScopedEnvironmentKey (src/env/policy.ts), with a row in the contract test.`,
    },
  )
}
