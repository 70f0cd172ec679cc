import type { Adapter } from '../adapters/adapter.ts'
import { requiredVariables } from '../env/credentials.ts'
import type { TurnPlan } from './plan-turn.ts'
import { heldSignIn } from './sign-in.ts'
import type { TurnNotice } from './turn-notice.ts'

/**
 * What a consumer should know of a child's credentials before it starts: that there is none, so that the turn can only fail,
 * or that there are several, so that one of them pays without having been chosen. Names, never values.
 */
export function credentialNotice(plan: TurnPlan): TurnNotice | undefined {
  const { adapter, launch } = plan.checked
  const { sets, outranked } = plan.composed.credentials
  if (launch.endpoint) return undefined
  const signedIn = heldSignIn(plan) !== undefined
  if (sets.length === 0 && !signedIn) return mayHaveAnother(plan) ? undefined : missing(adapter)
  const there = [...sets, ...outranked]
  const count = there.length + (signedIn ? 1 : 0)
  if (count < 2 || adapter.credentialOrder === undefined) return undefined
  const names = adapter.credentials.filter(({ name }) => there.includes(name)).flatMap(requiredVariables)
  const all = [...names, ...(signedIn ? ["the user's sign-in"] : [])].join(' and ')
  return {
    level: 'warning',
    code: 'credentials_several',
    message: `For ${adapter.title} there are ${all}. ${adapter.credentialOrder} To choose, name a set in credentials.set.`,
  }
}

/** The user's own home, what the CLI keeps in a keychain, and the CLI's own settings may hold one that nobody sees from here. */
function mayHaveAnother({ checked, composed, home }: TurnPlan): boolean {
  const { adapter, launch } = checked
  if (home.directory === undefined || Object.keys(launch.configuration).length > 0) return true
  if (adapter.home.signInElsewhere === true && composed.credentials.signIn) return true
  return adapter.credentials.length === 0
}

function missing(adapter: Adapter): TurnNotice {
  const names = adapter.credentials.flatMap(requiredVariables)
  const some = names.length > 3 ? `${names.slice(0, 3).join(', ')}, ...` : names.join(', ')
  return {
    level: 'warning',
    code: 'credentials_missing',
    message: `No credential reaches ${adapter.title}: no variable of its own (${some}) and no sign-in. Sign in with it, or give one in \`credentials\`.`,
  }
}
