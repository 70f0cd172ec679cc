import { asArray, asObject } from '../../protocol/narrow.ts'
import type { CredentialSet } from '../adapter.ts'
import type { SignInBilling } from '../home-declaration.ts'
import { claudeForwarding } from './exposure.ts'

/** What the SDKs of AWS sign in with: keys, a profile, or what a machine or container was given. */
const aws = [
  'AWS_BEARER_TOKEN_BEDROCK',
  'AWS_ACCESS_KEY_ID',
  'AWS_SECRET_ACCESS_KEY',
  'AWS_SESSION_TOKEN',
  'AWS_PROFILE',
  'AWS_REGION',
  'AWS_DEFAULT_REGION',
  'AWS_CONFIG_FILE',
  'AWS_SHARED_CREDENTIALS_FILE',
  'AWS_WEB_IDENTITY_TOKEN_FILE',
  'AWS_ROLE_ARN',
  'AWS_ROLE_SESSION_NAME',
  'AWS_CONTAINER_CREDENTIALS_RELATIVE_URI',
  'AWS_CONTAINER_CREDENTIALS_FULL_URI',
  'AWS_CONTAINER_AUTHORIZATION_TOKEN',
  'AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE',
]

const google = ['GOOGLE_APPLICATION_CREDENTIALS', 'GOOGLE_CLOUD_PROJECT', 'GCLOUD_PROJECT']

/** A cloud's own set: turned on by a variable, and none of the credentials that Anthropic itself takes. */
function cloud(name: string, on: string, ...variables: string[]): CredentialSet {
  return { name, variables: [on, ...variables], requires: [on], switch: on, billing: 'api' }
}

/** The variables as the binaries of 1.0.124, 2.0.72 and 2.1.332 name them. */
export const claudeCredentials: readonly CredentialSet[] = [
  {
    name: 'api-key',
    variables: ['ANTHROPIC_API_KEY', 'ANTHROPIC_BASE_URL', 'ANTHROPIC_CUSTOM_HEADERS'],
    requires: ['ANTHROPIC_API_KEY'],
    billing: 'api',
    forwarding: claudeForwarding,
  },
  {
    name: 'auth-token',
    variables: ['ANTHROPIC_AUTH_TOKEN', 'ANTHROPIC_BASE_URL', 'ANTHROPIC_CUSTOM_HEADERS'],
    requires: ['ANTHROPIC_AUTH_TOKEN'],
    billing: 'api',
    forwarding: claudeForwarding,
  },
  {
    name: 'oauth',
    variables: ['CLAUDE_CODE_OAUTH_TOKEN'],
    billing: 'subscription',
    forwarding: claudeForwarding,
  },
  cloud(
    'bedrock',
    'CLAUDE_CODE_USE_BEDROCK',
    'CLAUDE_CODE_SKIP_BEDROCK_AUTH',
    'ANTHROPIC_BEDROCK_BASE_URL',
    'ANTHROPIC_SMALL_FAST_MODEL_AWS_REGION',
    ...aws,
  ),
  cloud(
    'bedrock-mantle',
    'CLAUDE_CODE_USE_MANTLE',
    'CLAUDE_CODE_SKIP_MANTLE_AUTH',
    'ANTHROPIC_BEDROCK_MANTLE_BASE_URL',
    ...aws,
  ),
  cloud(
    'anthropic-aws',
    'CLAUDE_CODE_USE_ANTHROPIC_AWS',
    'CLAUDE_CODE_SKIP_ANTHROPIC_AWS_AUTH',
    'ANTHROPIC_AWS_API_KEY',
    'ANTHROPIC_AWS_BASE_URL',
    'ANTHROPIC_AWS_WORKSPACE_ID',
    ...aws,
  ),
  cloud(
    'vertex',
    'CLAUDE_CODE_USE_VERTEX',
    'CLAUDE_CODE_SKIP_VERTEX_AUTH',
    'ANTHROPIC_VERTEX_BASE_URL',
    'ANTHROPIC_VERTEX_PROJECT_ID',
    'CLOUD_ML_REGION',
    ...google,
  ),
  cloud(
    'anthropic-google-cloud',
    'CLAUDE_CODE_USE_ANTHROPIC_GOOGLE_CLOUD',
    'CLAUDE_CODE_SKIP_ANTHROPIC_GOOGLE_CLOUD_AUTH',
    'ANTHROPIC_GOOGLE_CLOUD_BASE_URL',
    'ANTHROPIC_GOOGLE_CLOUD_PROJECT',
    'ANTHROPIC_GOOGLE_CLOUD_WORKSPACE_ID',
    ...google,
  ),
  cloud(
    'foundry',
    'CLAUDE_CODE_USE_FOUNDRY',
    'CLAUDE_CODE_SKIP_FOUNDRY_AUTH',
    'ANTHROPIC_FOUNDRY_API_KEY',
    'ANTHROPIC_FOUNDRY_AUTH_TOKEN',
    'ANTHROPIC_FOUNDRY_BASE_URL',
    'ANTHROPIC_FOUNDRY_RESOURCE',
    'AZURE_TENANT_ID',
    'AZURE_CLIENT_ID',
    'AZURE_CLIENT_SECRET',
  ),
]

/**
 * As seen in the requests of all three. A cloud that is turned on gets the request, and with Bedrock (1.0, 2.0) and Vertex (all
 * three) it would get Anthropic's key along with it.
 */
export const claudePrecedence: readonly (readonly string[])[] = [
  ['bedrock', 'bedrock-mantle', 'anthropic-aws', 'vertex', 'anthropic-google-cloud', 'foundry'],
  ['api-key', 'auth-token'],
  ['oauth'],
  ['sign-in'],
]

/** .credentials.json: claude takes its claude.ai token only if `user:inference` is among the scopes (all three). */
export function claudeSignInBilling(content: unknown): SignInBilling {
  const file = asObject(content)
  if (!file) return 'unknown'
  const scopes = asArray(asObject(file.claudeAiOauth)?.scopes)
  return scopes.includes('user:inference') ? 'subscription' : 'none'
}
