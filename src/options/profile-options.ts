import type { Adapter } from '../adapters/adapter.ts'
import { isAgentError } from '../errors.ts'
import { present } from './present.ts'
import type { RuntimeProfile } from './profile.ts'
import { capabilitiesOn, resolveTransport, type TransportChoice } from './transport.ts'
import type { TurnOptions } from './turn-options.ts'

/** The part of a turn's options that a profile decides on. */
export type ProfileOptions = Pick<
  TurnOptions,
  'transport' | 'liveInput' | 'approvals' | 'tools' | 'systemPrompt' | 'apiTransport' | 'network' | 'sandbox'
>

/** A profile in the words of a turn's options, for one CLI. */
export function optionsOf(
  profile: RuntimeProfile,
  adapter: Adapter,
  version: string | undefined,
): ProfileOptions {
  const { transport, liveInput, approvals, agentTools, apiTransport, systemPrompt } = profile
  const { enabled, additionalBridge = [] } = profile.tools
  const named = [...(enabled ?? []), ...additionalBridge].map((name) => name.trim())
  const allow = enabled && named.filter((name) => name !== '')
  const { sandbox } = capabilitiesOn(adapter, likelyTransport(profile, adapter, version))
  const prompt =
    typeof systemPrompt === 'string' ? { append: systemPrompt } : systemPrompt && present(systemPrompt)
  return {
    transport,
    liveInput,
    approvals,
    tools: { mode: agentTools.mode, ...(allow && { allow }) },
    ...(prompt && { systemPrompt: prompt }),
    // A sandbox lets a shell out to the loopback only where it is told to.
    ...(apiTransport.mode === 'native_shell' && {
      apiTransport: 'native_shell' as const,
      network: true,
      ...(sandbox.includes('workspace-write') &&
        approvals !== 'approve-all' && { sandbox: 'workspace-write' as const }),
    }),
  }
}

/** Where the profile's own cannot be had, which is said elsewhere, the one that can do the most. */
export function likelyTransport(
  { transport, liveInput, approvals }: RuntimeProfile,
  adapter: Adapter,
  version: string | undefined,
): TransportChoice['transport'] {
  try {
    return resolveTransport(adapter, { transport, liveInput, approvals }, version).transport
  } catch (error) {
    if (!isAgentError(error)) throw error
    return adapter.live ? 'live' : 'structured'
  }
}
