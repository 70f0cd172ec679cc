import {
  type CredentialChoice,
  type CredentialVariables,
  requiredVariables,
  selectCredentials,
} from './credentials.ts'
import { grantEnvironment, type Scope } from './grant.ts'
import { isPlainName } from './policy.ts'
import type { Environment, EnvironmentReportEntry } from './report.ts'
import { refusedInheritance, type ScrubOptions, scrubEnvironment, throwRefusedInheritance } from './scrub.ts'

export interface ComposeOptions extends Omit<ScrubOptions, 'scopeDeclared'> {
  /** The base to scrub: usually `process.env`. */
  environment: Environment
  /** What the caller grants. Undefined is undeclared; `{}` is declared and grants nothing. */
  scope?: Scope | undefined
  /** The adapter's own credential sets. Default none. */
  sets?: readonly CredentialVariables[] | undefined
  /** Ranks of those sets' names: the first that is there counts, and lower ones are kept from the child. Default none. */
  precedence?: readonly (readonly string[])[] | undefined
  /** Default 'inherit'. */
  credentials?: CredentialChoice | undefined
  /** Default 'structured'. */
  transport?: 'structured' | 'live' | undefined
  /** true: the child talks to another endpoint, so neither an ambient key nor the user's sign-in reaches it. */
  hasEndpoint?: boolean | undefined
  /** What the adapter and the runner set on top: the home's variable, the turn's mark, the endpoint. */
  set?: Readonly<Record<string, string>> | undefined
}

export interface ComposedCredentials {
  /** The sets in use. More than one: the CLI decides which one counts. */
  sets: string[]
  /** Sets that are there as well, but that the CLI would not use: they are kept from the child. */
  outranked: string[]
  /** The variables that passed as credentials. */
  names: string[]
  /** Who pays, as far as variables tell: undefined when no set is in use. */
  billing: 'api' | 'subscription' | 'mixed' | undefined
  /** Whether a private home may link the user's sign-in. */
  signIn: boolean
}

export interface ComposedEnvironment {
  /** The child's whole environment. */
  environment: Record<string, string>
  /** One entry per name, names and rules only. */
  report: EnvironmentReportEntry[]
  credentials: ComposedCredentials
}

/**
 * Builds a child's environment: scrub the base, grant the scope, add this adapter's own credentials, then what is set on top.
 * Throws `environment_key_refused` for a name that `scope`, `inherit` or `credentials.values` cannot have, `auth` for a
 * credential set that lacks a value, `invalid_options` and `unsupported` for a set that is not there or not usable.
 */
export function composeChildEnvironment(options: ComposeOptions): ComposedEnvironment {
  const sets = options.sets ?? []
  const grant = grantEnvironment(options.scope)
  throwRefusedInheritance(refusedCredentials(options.inherit ?? [], options))
  const scrubbed = scrubEnvironment(options.environment, { ...options, scopeDeclared: grant.declared })
  const selected = selectCredentials(options.environment, {
    sets,
    precedence: options.precedence,
    choice: options.credentials,
    transport: options.transport,
    hasEndpoint: options.hasEndpoint,
  })

  const environment = scrubbed.environment
  const report = new Map(scrubbed.report.map((entry) => [entry.name, entry]))
  const put = (name: string, value: string, entry: Omit<EnvironmentReportEntry, 'name'>) => {
    environment[name] = value
    report.set(name, { name, ...entry })
  }
  for (const [name, value] of Object.entries(grant.granted))
    put(name, value, { fate: 'granted', rule: 'granted' })
  for (const name of grant.blank) {
    delete environment[name]
    report.set(name, { name, fate: 'absent', rule: 'blank' })
  }
  // Where the caller said which credentials to use, the others go, also where nothing in the name tells what they are.
  const isOpen = (options.credentials ?? 'inherit') === 'inherit' && options.hasEndpoint !== true
  const outranked = sets.filter((set) => selected.outranked.includes(set.name))
  const unusedRule = (name: string) =>
    outranked.some(({ variables }) => variables.includes(name)) ? 'credential_outranked' : 'credential_unused'
  for (const name of credentialNames(sets)) {
    const entry = report.get(name)
    if (entry === undefined || (isOpen && entry.fate === 'kept')) continue
    delete environment[name]
    report.set(name, { name, fate: 'dropped', rule: unusedRule(name) })
  }
  for (const [name, value] of Object.entries(selected.values)) {
    const set = selected.setOf[name]
    put(name, value, { fate: 'kept', rule: 'credential', ...(set !== undefined && { set }) })
  }
  for (const [name, value] of Object.entries(options.set ?? {}))
    put(name, value, { fate: 'set', rule: 'set' })

  return {
    environment,
    report: [...report.values()],
    credentials: {
      sets: selected.sets,
      outranked: selected.outranked,
      names: Object.keys(selected.values),
      billing: selected.billing,
      signIn: selected.signIn,
    },
  }
}

/** Names in `inherit` that can never pass, the adapter's own credentials among them: `credentials` decides on those. */
export function refusedCredentials(inherit: readonly string[], options: ComposeOptions): string[] {
  const refused = new Set([...refusedInheritance(inherit, options), ...credentialNames(options.sets ?? [])])
  return inherit.filter((name) => refused.has(name))
}

/** AWS_REGION goes with credentials without being one; AWS_PROFILE, where a set requires it, is one. */
function credentialNames(sets: readonly CredentialVariables[]): string[] {
  const required = new Set(sets.flatMap(requiredVariables))
  const all = new Set(sets.flatMap((set) => set.variables))
  return [...all].filter((name) => required.has(name) || !isPlainName(name))
}
