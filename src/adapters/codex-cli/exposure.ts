import type { JsonObject } from '../../protocol/narrow.ts'
import type { LaunchContext } from '../adapter.ts'
import type { Forwarding } from '../exposure.ts'
import { codexCan } from './versions.ts'

const openai = 'https://api.openai.com/v1'

/**
 * The built-in provider at another address: its requests and headers are those of a turn that is not forwarded (0.55, 0.113,
 * 0.120, 0.147, 0.171). What is missing is the list of models, which codex then does not fetch.
 */
export const codexForwarding: Forwarding = {
  target({ environment, version }) {
    const url = hasSetting(version) ? undefined : environment.OPENAI_BASE_URL?.trim()
    return { url: url || openai }
  },
}

export function forwardedSettings(context: LaunchContext): JsonObject {
  const url = addressIn(context)
  return url !== undefined && hasSetting(context.version) ? { openai_base_url: url } : {}
}

export function forwardedEnvironment(context: LaunchContext): Record<string, string> {
  const url = addressIn(context)
  return url === undefined || hasSetting(context.version) ? {} : { OPENAI_BASE_URL: url }
}

/**
 * What signs app-server in with the key, which it takes from no variable of its own (0.113 to 0.171): a provider that says where
 * the key stands.
 */
export function keyProvider(context: LaunchContext): JsonObject {
  if (!context.credentials?.includes('api-key')) return {}
  const provider = {
    name: 'coxswain',
    base_url: addressIn(context) ?? openai,
    wire_api: 'responses',
    env_key: 'CODEX_API_KEY',
  }
  return { model_provider: 'coxswain', model_providers: { coxswain: provider } }
}

function addressIn({ forwarders }: LaunchContext): string | undefined {
  return forwarders?.['api-key']
}

function hasSetting(version: string): boolean {
  return codexCan('baseUrlSetting', version) !== false
}
