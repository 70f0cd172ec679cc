import type { LaunchContext, PlannedFile } from '../adapter.ts'
import type { Forwarding } from '../exposure.ts'
import { json } from './endpoint.ts'

interface Provider {
  /** pi's own name for it. */
  id: string
  /** The one address of all its models, as 0.73.1 and 1.6.0 have it. */
  url: string
  /** pi goes by it when it decides on the form of the request. */
  tokenPrefix?: string
}

const anthropic = { id: 'anthropic', url: 'https://api.anthropic.com' }

/**
 * By set: the providers that were seen to work when models.json gives them another address (0.73.1, 1.6.0). The others have
 * several addresses, sign their requests, or speak an API that was not tried.
 */
const providers: Readonly<Record<string, Provider>> = {
  anthropic,
  'anthropic-oauth': { ...anthropic, tokenPrefix: 'sk-ant-oat01-' },
  'anthropic-bearer': anthropic,
  openai: { id: 'openai', url: 'https://api.openai.com/v1' },
  deepseek: { id: 'deepseek', url: 'https://api.deepseek.com' },
  groq: { id: 'groq', url: 'https://api.groq.com/openai/v1' },
  cerebras: { id: 'cerebras', url: 'https://api.cerebras.ai/v1' },
  xai: { id: 'xai', url: 'https://api.x.ai/v1' },
  zai: { id: 'zai', url: 'https://api.z.ai/api/coding/paas/v4' },
  huggingface: { id: 'huggingface', url: 'https://router.huggingface.co/v1' },
  moonshot: { id: 'moonshotai', url: 'https://api.moonshot.ai/v1' },
}

export function piForwarding(set: string): Forwarding | undefined {
  const provider = providers[set]
  if (!provider) return undefined
  const { url, tokenPrefix } = provider
  return {
    // A home of the caller's may have a models.json of its own.
    target: ({ hasPrivateHome }) => (hasPrivateHome ? { url } : undefined),
    ...(tokenPrefix !== undefined && { tokenPrefix }),
  }
}

/** The models.json that sends each provider's requests to its forwarder, where there is any. */
export function forwardedModels({ forwarders = {} }: LaunchContext): PlannedFile[] {
  const moved = Object.entries(forwarders).flatMap(([set, baseUrl]) => {
    const provider = providers[set]
    return provider ? [[provider.id, { baseUrl }] as const] : []
  })
  if (moved.length === 0) return []
  return [{ path: 'models.json', content: json({ providers: Object.fromEntries(moved) }) }]
}
