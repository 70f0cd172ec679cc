import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { SignInBilling } from '../adapters/home-declaration.ts'
import { rankOf, requiredVariables, signInName } from '../env/credentials.ts'
import { AgentError } from '../errors.ts'
import type { TurnPlan } from './plan-turn.ts'
import { findSignIn, type SignInFile } from './sign-in.ts'

/** What a turn would be billed to. */
export interface Payment {
  /** 'unknown': something is there, or may be, that does not tell; 'nobody': no credential reaches the child. */
  payer: 'api' | 'subscription' | 'mixed' | 'unknown' | 'nobody'
  /** The credentials that decide, by name: variables, "the user's sign-in", the endpoint's own. Several: any of them may count. */
  by: string[]
}

interface Candidate {
  /** A set's name, or 'sign-in'. */
  name: string
  by: string[]
  billing: Payment['payer']
}

/** Who would pay for a turn of this plan, as far as names, the adapter's order and the kind of sign-in tell. */
export function paymentOf(plan: TurnPlan, signIn: readonly SignInFile[] = findSignIn(plan)): Payment {
  const { adapter, launch } = plan.checked
  if (launch.endpoint) return { payer: 'api', by: ["the endpoint's own credential"] }
  const candidates = topRanked(
    [...setsOf(plan), ...signInsOf(plan, signIn), ...settingsOf(plan)],
    adapter.credentialPrecedence ?? [],
  )
  const payers = new Set(candidates.map((candidate) => candidate.billing))
  const [one = 'nobody'] = payers
  const payer = payers.size < 2 ? one : payers.has('unknown') ? 'unknown' : 'mixed'
  return { payer, by: [...new Set(candidates.flatMap((candidate) => candidate.by))] }
}

function setsOf({ checked, composed }: TurnPlan): Candidate[] {
  return checked.adapter.credentials
    .filter(({ name }) => composed.credentials.sets.includes(name))
    .map((set) => ({ name: set.name, by: [...requiredVariables(set)], billing: set.billing }))
}

function signInsOf({ checked, composed, home }: TurnPlan, files: readonly SignInFile[]): Candidate[] {
  const { signInElsewhere, signInBilling } = checked.adapter.home
  const candidate = (billing: SignInBilling): Candidate[] =>
    billing === 'none' ? [] : [{ name: signInName, by: ["the user's sign-in"], billing }]
  const found = files.flatMap(({ billing }) => candidate(billing))
  // The user's own settings can name another provider, a helper or a keychain, and no rank is known for that.
  if (home.directory === undefined) {
    return [...found, { name: 'settings', by: ["what the user's own settings say"], billing: 'unknown' }]
  }
  if (found.length > 0 || signInElsewhere !== true || !composed.credentials.signIn) return found
  return candidate(signInBilling?.(undefined, checked.launch.model) ?? 'unknown')
}

/** Their `env`, `apiKeyHelper` and the like outdo what the turn was given (claude 2.0.72, 2.1.332). */
function settingsOf({ checked }: TurnPlan): Candidate[] {
  const { payingSettings } = checked.adapter.home
  const { home, cwd, projectConfiguration } = checked.launch
  if (!payingSettings) return []
  const kept = typeof home === 'object' ? payingSettings.home.map((name) => join(home.directory, name)) : []
  const folders = projectConfiguration === 'trust' ? foldersOfProject(cwd) : []
  const trusted = folders.flatMap((folder) => payingSettings.project.map((name) => join(folder, name)))
  return [...kept, ...trusted]
    .filter((path) => existsSync(path))
    .map((path) => ({ name: 'settings', by: [`what ${path} says`], billing: 'unknown' }))
}

/** The working directory and those above it, up to the repository's root; without one, itself alone. */
function foldersOfProject(cwd: string): string[] {
  const folders = [cwd]
  for (let folder = cwd; !existsSync(join(folder, '.git')); ) {
    const above = dirname(folder)
    if (above === folder) return [cwd]
    folders.push(above)
    folder = above
  }
  return folders
}

/** Those of the first rank that is there, and those without a rank. */
function topRanked(candidates: Candidate[], precedence: readonly (readonly string[])[]): Candidate[] {
  return candidates.filter(({ name }) => {
    const rank = rankOf(name, precedence)
    return !candidates.some((other) => rankOf(other.name, precedence) < rank)
  })
}

/** Throws `billing_mismatch` where a turn would be, or may be, billed to other than its option `billing` allows. */
export function demandBilling(plan: TurnPlan): void {
  const { adapter, billing } = plan.checked
  if (billing === 'any') return
  const { payer, by } = paymentOf(plan)
  if (payer === billing) return
  const use = `${adapter.title} would use ${by.join(' and ')}`
  const why = {
    api: `${use}, billed by use`,
    subscription: `${use}, billed to a subscription`,
    mixed: `${use}; one of them is billed by use, and which one counts cannot be told`,
    unknown: `${use}, which does not tell who pays`,
    nobody: `no credential reaches ${adapter.title}`,
  }
  throw new AgentError('billing_mismatch', `billing: '${billing}' cannot be kept: ${why[payer]}.`, {
    hint: hintFor(plan, billing),
  })
}

function hintFor(plan: TurnPlan, billing: 'api' | 'subscription'): string {
  const { adapter, launch } = plan.checked
  if (launch.endpoint) return 'Leave `endpoint` out, or `billing`: what an endpoint bills is not known here.'
  if (launch.home === 'user') return "Take a private home, which leaves the user's own settings out."
  if (settingsOf(plan).length > 0) {
    return "Remove that, take a private home, or leave projectConfiguration at 'ignore'."
  }
  const sets = adapter.credentials.filter((set) => set.billing === billing).map(({ name }) => name)
  const names = [...(billing === 'subscription' ? [signInName] : []), ...sets.slice(0, 3)]
  const some = names.map((name) => `{ set: '${name}' }`).join(' or ')
  return some === ''
    ? `${adapter.title} has no credential that is billed so: leave \`billing\` out.`
    : `Choose one in \`credentials\`, such as ${some}; \`coxswain doctor\` tells what is there.`
}
