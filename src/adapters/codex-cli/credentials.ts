import { asObject, asString, lookUp } from '../../protocol/narrow.ts'
import type { CredentialSet } from '../adapter.ts'
import type { SignInBilling } from '../home-declaration.ts'
import { codexForwarding } from './exposure.ts'

/**
 * OPENAI_API_KEY alone does not sign codex in (0.55 to 0.171). CODEX_ACCESS_TOKEN is a token of a ChatGPT workspace: 0.171 takes
 * it before auth.json, 0.55 and 0.113 do not know it.
 */
export const codexCredentials: readonly CredentialSet[] = [
  {
    name: 'api-key',
    variables: ['CODEX_API_KEY'],
    billing: 'api',
    forwarding: codexForwarding,
  },
  { name: 'access-token', variables: ['CODEX_ACCESS_TOKEN'], billing: 'subscription' },
]

/** As seen in the requests of 0.55, 0.113 and 0.171. */
export const codexPrecedence: readonly (readonly string[])[] = [['api-key'], ['access-token', 'sign-in']]

const modes: Readonly<Record<string, SignInBilling>> = {
  apikey: 'api',
  bedrockapikey: 'api',
  bedrockaccesskeys: 'api',
  chatgpt: 'subscription',
  chatgptauthtokens: 'subscription',
  agentidentity: 'subscription',
  personalaccesstoken: 'subscription',
}

/**
 * auth.json holds a key or the tokens of a ChatGPT login, and may say in `auth_mode` which of them counts: 0.113 and 0.171 go by
 * that, while 0.55 takes the key wherever there is one.
 */
export function codexSignInBilling(content: unknown): SignInBilling {
  const file = asObject(content)
  if (!file) return 'unknown'
  const hasKey = (asString(file.OPENAI_API_KEY) ?? '') !== ''
  const hasTokens = asObject(file.tokens) !== undefined
  const mode = asString(file.auth_mode)
  if (mode === undefined) return hasKey ? 'api' : hasTokens ? 'subscription' : 'none'
  const billing = lookUp(modes, mode.toLowerCase().replace(/[^a-z]/g, '')) ?? 'unknown'
  return billing === 'subscription' && hasKey ? 'mixed' : billing
}
