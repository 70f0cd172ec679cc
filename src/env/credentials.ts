import { AgentError, shortened } from '../errors.ts'
import type { Environment } from './report.ts'

/** A named group of variables that together sign a CLI in, as an adapter declares it. */
export interface CredentialVariables {
  name: string
  variables: readonly string[]
  /** Default: all `variables`. */
  requires?: readonly string[]
  /** A variable that turns the set on, and must hold `1`, `true`, `yes` or `on` for it. */
  switch?: string
  billing: 'api' | 'subscription'
  /** Default: both. */
  transports?: readonly ('structured' | 'live')[]
}

export type CredentialChoice =
  | 'inherit'
  | 'none'
  /** `set` may also be 'sign-in': the user's sign-in, and no variable. */
  | { set?: string | undefined; values?: Readonly<Record<string, string>> | undefined }

export interface CredentialRequest {
  /** The adapter's own sets. */
  sets: readonly CredentialVariables[]
  /** Ranks of set names, of which the first that is there counts; sets that it does not name have no rank. Default none. */
  precedence?: readonly (readonly string[])[] | undefined
  /** Default 'inherit'. */
  choice?: CredentialChoice | undefined
  transport?: 'structured' | 'live' | undefined
  /** The child talks to another endpoint, which must see neither an ambient key nor the user's sign-in. */
  hasEndpoint?: boolean | undefined
}

export interface SelectedCredentials {
  values: Record<string, string>
  /** The set of each variable in `values`. */
  setOf: Record<string, string>
  /** The sets in use, in the adapter's order. More than one: the CLI decides which one counts. */
  sets: string[]
  /** Sets that are there as well, but that the CLI would not use: they are kept from the child. */
  outranked: string[]
  /** Who pays for the sets in use; undefined when none is, 'mixed' when they disagree. */
  billing: 'api' | 'subscription' | 'mixed' | undefined
  /** Whether the user's sign-in may reach the child. */
  signIn: boolean
}

/** Stands for the user's sign-in where sets are named. */
export const signInName = 'sign-in'

/**
 * Chooses the credentials that a child gets. 'inherit' takes what the CLI would use in the user's terminal: every set that the
 * base environment completes, but for those that another one outranks. Values take only themselves; a set takes its values
 * first, then the base's.
 */
export function selectCredentials(base: Environment, request: CredentialRequest): SelectedCredentials {
  const choice = request.choice ?? 'inherit'
  const usable = request.sets.filter((set) => worksOn(set, request.transport))
  if (choice === 'none') return select([], {}, false)
  if (choice === 'inherit') {
    if (request.hasEndpoint === true) return select([], {}, false)
    const complete = usable.filter((set) => isComplete(set, base))
    const outranked = complete.filter((set) => isOutranked(set, complete, request.precedence ?? []))
    return {
      ...select(
        complete.filter((set) => !outranked.includes(set)),
        base,
        true,
      ),
      outranked: outranked.map((set) => set.name),
    }
  }
  if (request.hasEndpoint === true) {
    throw new AgentError('invalid_options', 'credentials and endpoint exclude each other.', {
      hint: 'Give the key for that address as endpoint.credential.',
    })
  }
  const values = choice.values ?? {}
  throwForeignValues(values, request.sets)
  if (choice.set === undefined) {
    if (Object.keys(values).length === 0) {
      throw new AgentError('invalid_options', 'credentials has neither a set nor values.', {
        hint: "Use 'inherit', 'none', { set } or { values }.",
      })
    }
    const given = usable.filter((set) => isComplete(set, values))
    if (given.length === 0) throwIncompleteValues(values, usable)
    return select(given, values, false)
  }
  if (choice.set === signInName) {
    if (Object.keys(values).length === 0) return select([], {}, true)
    throw new AgentError('invalid_options', 'credentials.values are no part of the set "sign-in".', {
      hint: 'Leave `values` out, or name another set.',
    })
  }
  const set = namedSet(choice.set, request)
  const merged = { ...base, ...values }
  const missing = requiredVariables(set).filter((name) => !hasValue(merged[name]))
  if (missing.length > 0) {
    throw new AgentError('auth', `The credential set "${set.name}" needs ${missing.join(', ')}.`, {
      hint: 'Set it in the environment, or give it in credentials.values.',
    })
  }
  if (!isSwitchedOn(set, merged)) {
    throw new AgentError('auth', `The credential set "${set.name}" needs ${set.switch} to be 1.`, {
      hint: 'Set it in the environment, or give it in credentials.values.',
    })
  }
  return select([set], merged, false)
}

function select(
  sets: readonly CredentialVariables[],
  source: Environment,
  signIn: boolean,
): SelectedCredentials {
  const values: Record<string, string> = {}
  const setOf: Record<string, string> = {}
  for (const set of sets) {
    for (const name of set.variables) {
      const value = source[name]
      if (value === undefined || value.trim() === '' || Object.hasOwn(values, name)) continue
      values[name] = value
      setOf[name] = set.name
    }
  }
  const payers = new Set(sets.map((set) => set.billing))
  const [payer] = payers
  return {
    values,
    setOf,
    sets: sets.map((set) => set.name),
    outranked: [],
    billing: payers.size > 1 ? 'mixed' : payer,
    signIn,
  }
}

function worksOn(set: CredentialVariables, transport: 'structured' | 'live' = 'structured'): boolean {
  return set.transports === undefined || set.transports.includes(transport)
}

export function requiredVariables(set: CredentialVariables): readonly string[] {
  return set.requires ?? set.variables
}

function isComplete(set: CredentialVariables, source: Environment): boolean {
  return requiredVariables(set).every((name) => hasValue(source[name])) && isSwitchedOn(set, source)
}

/** As claude reads its CLAUDE_CODE_USE_*: '0', 'false' and 'enabled' turn nothing on (1.0.124 to 2.1.332). */
function isSwitchedOn(set: CredentialVariables, source: Environment): boolean {
  return set.switch === undefined || /^\s*(?:1|true|yes|on)\s*$/i.test(source[set.switch] ?? '')
}

function isOutranked(
  set: CredentialVariables,
  complete: readonly CredentialVariables[],
  precedence: readonly (readonly string[])[],
): boolean {
  const rank = rankOf(set.name, precedence)
  return complete.some((other) => rankOf(other.name, precedence) < rank)
}

/** NaN, which is neither before nor after anything, for a name without a rank. */
export function rankOf(name: string, precedence: readonly (readonly string[])[]): number {
  const rank = precedence.findIndex((names) => names.includes(name))
  return rank < 0 ? Number.NaN : rank
}

/** A blank key is worse than none: cursor answers "invalid API key" to it. */
function hasValue(value: string | undefined): boolean {
  return value !== undefined && value.trim() !== ''
}

function namedSet(name: string, request: CredentialRequest): CredentialVariables {
  const set = request.sets.find((candidate) => candidate.name === name)
  if (!set) {
    const known = [...request.sets.map((candidate) => candidate.name), signInName].join(', ')
    throw new AgentError(
      'invalid_options',
      `There is no credential set "${shortened(name)}". Known here: ${known}.`,
      {
        hint: 'Name one of these in credentials.set.',
      },
    )
  }
  if (!worksOn(set, request.transport)) {
    throw new AgentError(
      'unsupported',
      `The credential set "${name}" does not work on the ${request.transport ?? 'structured'} transport.`,
      { hint: `It works on: ${set.transports?.join(', ')}.` },
    )
  }
  return set
}

function throwForeignValues(
  values: Readonly<Record<string, string>>,
  sets: readonly CredentialVariables[],
): void {
  const known = new Set(sets.flatMap((set) => set.variables))
  const foreign = Object.keys(values).filter((name) => !known.has(name))
  if (foreign.length > 0) {
    throw new AgentError(
      'environment_key_refused',
      `credentials.values cannot hold ${foreign.map((name) => JSON.stringify(shortened(name))).join(', ')}: not a credential of this adapter.`,
      {
        hint: `Its own are: ${[...known].join(', ') || 'none'}. Grant others with scope, as SECRET_* or VAR_*.`,
      },
    )
  }
  const broken = Object.entries(values).filter(
    ([, value]) => typeof value !== 'string' || value.includes('\0'),
  )
  if (broken.length > 0) {
    throw new AgentError(
      'invalid_options',
      `credentials.values.${broken.map(([name]) => name).join(', ')} must be a string without NUL.`,
      { hint: 'Give it as text.' },
    )
  }
}

function throwIncompleteValues(
  values: Readonly<Record<string, string>>,
  sets: readonly CredentialVariables[],
): never {
  const given = Object.keys(values).join(', ')
  const needs = sets.map((set) => `${set.name} (${requiredVariables(set).join(', ')})`).join('; ')
  throw new AgentError('auth', `credentials.values (${given}) completes no credential set.`, {
    hint: `The sets and what each needs: ${needs}.`,
  })
}
