import type { Adapter } from '../adapters/adapter.ts'
import { getAdapter } from '../adapters/registry.ts'
import { notYet } from './not-yet.ts'
import type { TurnOptions } from './turn-options.ts'

export interface TransportChoice {
  transport: 'structured' | 'live' | 'tmux'
  /** One sentence. */
  reason: string
  /** What a user should know of the choice: a fallback, for instance. */
  notice?: string
}

/** The options that can ask for a transport. */
export type TransportOptions = {
  [Option in 'transport' | 'liveInput' | 'approvals']?: TurnOptions[Option] | undefined
}

/**
 * What `transport: 'auto'` means for this adapter, these options and this version of the CLI. Pure.
 *
 * @throws AgentError `invalid_options` for an unknown adapter, `unsupported` for what only a live transport could honour
 */
export function resolveTransport(
  adapter: string | Adapter,
  options: TransportOptions = {},
  _version?: string,
): TransportChoice {
  const { id } = typeof adapter === 'string' ? getAdapter(adapter) : adapter
  refuseLive(options)
  return {
    transport: 'structured',
    reason:
      options.transport === 'structured'
        ? 'It was asked for.'
        : `${id} is driven over its one-shot structured protocol: this version of coxswain has no other.`,
  }
}

/** Refuses what needs a CLI that listens while it works. */
export function refuseLive({ transport, liveInput, approvals }: TransportOptions): void {
  if (transport === 'live' || transport === 'tmux') {
    notYet(`transport: '${transport}'`, "'auto' and 'structured'")
  }
  if (liveInput === 'required') notYet("liveInput: 'required'", "'none' and 'optional'")
  if (approvals === 'host') notYet("approvals: 'host'", "'deny', 'auto' and 'approve-all'")
  if (typeof approvals === 'function') {
    notYet('approvals as a callback', "'deny', 'auto' and 'approve-all'")
  }
}
