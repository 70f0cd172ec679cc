import type { ConsideredSet } from '../env/considered-credentials.ts'
import type { Payment } from '../run/billing.ts'
import type { SignInFile } from '../run/sign-in.ts'

const whyNot = {
  outranked: 'not used: another goes before it',
  incomplete: 'not used: it lacks',
  not_chosen: 'not used: not chosen',
}

/** One credential set, in words. */
export function setWords({ set, billing, variables, inUse, why, missing = [] }: ConsideredSet): string {
  const fate = why === undefined ? '' : `; ${[whyNot[why], ...missing].join(' ')}`
  return `${set} (${variables.join(', ')}): ${inUse ? 'used, ' : ''}billed ${payerWords[billing]}${fate}`
}

const payerWords = { api: 'by use', subscription: 'to a subscription' }

const kinds: Record<SignInFile['billing'], string> = {
  api: 'an API key, billed by use',
  subscription: 'a subscription',
  mixed: 'several logins, billed differently',
  unknown: 'of a kind that is not known',
  none: 'signs nobody in',
}

export function signInWords({ path, billing }: SignInFile): string {
  return `${path}: ${kinds[billing]}`
}

/** Who pays, in words. */
export function paymentWords({ payer, by }: Payment): string {
  const what = by.join(' and ')
  switch (payer) {
    case 'api':
    case 'subscription':
      return `${what}, billed ${payerWords[payer]}`
    case 'mixed':
      return `${what}: either may count, and they are billed differently`
    case 'unknown':
      return what === '' ? 'cannot be told' : `${what}, which does not tell who pays`
    case 'nobody':
      return 'nobody: no credential reaches it'
  }
}
