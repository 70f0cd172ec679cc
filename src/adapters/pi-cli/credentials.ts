import { asObject, asString, lookUp } from '../../protocol/narrow.ts'
import type { CredentialSet } from '../adapter.ts'
import type { SignInBilling } from '../home-declaration.ts'
import { piForwarding } from './exposure.ts'

function apiKey(name: string, ...variables: [string, ...string[]]): CredentialSet {
  const forwarding = piForwarding(name)
  return { name, variables, requires: [variables[0]], billing: 'api', ...(forwarding && { forwarding }) }
}

/** One set per provider, the variables as pi's own help names them (0.63.2 to 1.6.0). */
export const piCredentials: readonly CredentialSet[] = [
  apiKey('anthropic', 'ANTHROPIC_API_KEY'),
  { ...apiKey('anthropic-oauth', 'ANTHROPIC_OAUTH_TOKEN'), billing: 'subscription' },
  apiKey('anthropic-bearer', 'ANTHROPIC_AUTH_TOKEN'),
  apiKey('openai', 'OPENAI_API_KEY'),
  apiKey('google', 'GEMINI_API_KEY'),
  apiKey('openrouter', 'OPENROUTER_API_KEY'),
  {
    ...apiKey(
      'azure',
      'AZURE_OPENAI_API_KEY',
      'AZURE_OPENAI_BASE_URL',
      'AZURE_OPENAI_RESOURCE_NAME',
      'AZURE_OPENAI_API_VERSION',
      'AZURE_OPENAI_DEPLOYMENT_NAME_MAP',
    ),
  },
  {
    name: 'bedrock-key',
    variables: ['AWS_BEARER_TOKEN_BEDROCK', 'AWS_REGION'],
    requires: ['AWS_BEARER_TOKEN_BEDROCK'],
    billing: 'api',
  },
  {
    name: 'bedrock',
    variables: ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_SESSION_TOKEN', 'AWS_REGION'],
    requires: ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'],
    billing: 'api',
  },
  {
    name: 'bedrock-profile',
    variables: ['AWS_PROFILE', 'AWS_REGION'],
    requires: ['AWS_PROFILE'],
    billing: 'api',
  },
  {
    name: 'vertex',
    variables: ['GOOGLE_APPLICATION_CREDENTIALS', 'GOOGLE_CLOUD_PROJECT', 'GOOGLE_CLOUD_LOCATION'],
    requires: ['GOOGLE_CLOUD_PROJECT', 'GOOGLE_CLOUD_LOCATION'],
    billing: 'api',
  },
  apiKey('vertex-key', 'GOOGLE_CLOUD_API_KEY'),
  apiKey('deepseek', 'DEEPSEEK_API_KEY'),
  apiKey('nvidia', 'NVIDIA_API_KEY'),
  apiKey('mistral', 'MISTRAL_API_KEY'),
  apiKey('groq', 'GROQ_API_KEY'),
  apiKey('cerebras', 'CEREBRAS_API_KEY'),
  apiKey('xai', 'XAI_API_KEY'),
  apiKey('zai', 'ZAI_API_KEY'),
  apiKey('zai-cn', 'ZAI_CODING_CN_API_KEY'),
  apiKey('fireworks', 'FIREWORKS_API_KEY'),
  apiKey('together', 'TOGETHER_API_KEY'),
  apiKey('baseten', 'BASETEN_API_KEY'),
  apiKey('huggingface', 'HF_TOKEN'),
  apiKey('kimi', 'KIMI_API_KEY'),
  apiKey('moonshot', 'MOONSHOT_API_KEY'),
  apiKey('minimax', 'MINIMAX_API_KEY'),
  apiKey('minimax-cn', 'MINIMAX_CN_API_KEY'),
  apiKey('opencode', 'OPENCODE_API_KEY'),
  apiKey('vercel-ai-gateway', 'AI_GATEWAY_API_KEY'),
  apiKey('cloudflare', 'CLOUDFLARE_API_KEY', 'CLOUDFLARE_ACCOUNT_ID', 'CLOUDFLARE_GATEWAY_ID'),
  apiKey('ant-ling', 'ANT_LING_API_KEY'),
  apiKey('meta', 'META_API_KEY'),
  apiKey('radius', 'RADIUS_API_KEY'),
  apiKey('qwen-team', 'QWEN_TOKEN_PLAN_TEAM_API_KEY'),
  apiKey('qwen-team-cn', 'QWEN_TOKEN_PLAN_TEAM_CN_API_KEY'),
  apiKey('qwen-individual', 'QWEN_TOKEN_PLAN_INDIVIDUAL_API_KEY'),
  apiKey('qwen-individual-cn', 'QWEN_TOKEN_PLAN_INDIVIDUAL_CN_API_KEY'),
  apiKey('xiaomi', 'XIAOMI_API_KEY'),
  apiKey('xiaomi-plan-cn', 'XIAOMI_TOKEN_PLAN_CN_API_KEY'),
  apiKey('xiaomi-plan-ams', 'XIAOMI_TOKEN_PLAN_AMS_API_KEY'),
  apiKey('xiaomi-plan-sgp', 'XIAOMI_TOKEN_PLAN_SGP_API_KEY'),
  { name: 'github-copilot', variables: ['COPILOT_GITHUB_TOKEN'], billing: 'subscription' },
]

const billings: Readonly<Record<string, SignInBilling>> = { api_key: 'api', oauth: 'subscription' }

/**
 * auth.json holds one login per provider, an API key or an OAuth token (0.63.2 to 1.6.0). Which one counts, the model decides:
 * `provider/name` says it, and any other name leaves it to pi.
 */
export function piSignInBilling(content: unknown, model: string | undefined): SignInBilling {
  const logins = asObject(content)
  if (!logins) return 'unknown'
  const provider = model?.split('/')[0] ?? ''
  const those =
    model?.includes('/') && Object.hasOwn(logins, provider) ? [logins[provider]] : Object.values(logins)
  const found = new Set(those.map((login) => lookUp(billings, asString(asObject(login)?.type)) ?? 'unknown'))
  const [one] = found
  if (one === undefined) return 'none'
  return found.size > 1 ? 'mixed' : one
}
