import type { Adapter } from '../adapters/adapter.ts'
import type { Capabilities } from '../adapters/capabilities.ts'
import { getAdapter } from '../adapters/registry.ts'
import { isAtLeast } from '../adapters/version-order.ts'
import { AgentError } from '../errors.ts'
import { notYet } from './not-yet.ts'
import type { AdapterId, TurnOptions } from './turn-options.ts'

export interface TransportChoice {
  transport: 'structured' | 'live' | 'tmux'
  /** One sentence. */
  reason: string
  /** What a user should know of the choice: a fallback, for instance. */
  notice?: string
}

/** The options that decide on a transport. */
export type TransportOptions = {
  [Option in 'transport' | 'liveInput' | 'approvals']?: TurnOptions[Option] | undefined
} & { credentials?: 'inherit' | 'none' | { set?: string | undefined } | undefined }

/**
 * What `transport: 'auto'` means for this adapter, these options and this version of the CLI. Pure.
 *
 * What only a CLI that listens while it works can do takes the live transport; otherwise the one that streams more does, and
 * the one-shot one where both stream alike. Without a version the CLI counts as new enough.
 *
 * @throws AgentError `invalid_options` for an unknown adapter and for what contradicts itself, `unsupported` for what this CLI or
 *   this version of it cannot do
 */
export function resolveTransport(
  adapter: AdapterId | Adapter,
  options: TransportOptions = {},
  version?: string,
): TransportChoice {
  const resolved = typeof adapter === 'string' ? getAdapter(adapter) : adapter
  const { id, live } = resolved
  if (options.transport === 'tmux') notYet("transport: 'tmux'", "'auto', 'structured' and 'live'")
  const need = needOf(options)
  if (resolved.liveOnly) {
    if (options.transport === 'structured') throw withoutStructured(id)
    return { transport: 'live', reason: `${id} has no other.` }
  }
  if (options.transport === 'structured') {
    if (need !== undefined) throw contradiction(need)
    return { transport: 'structured', reason: 'It was asked for.' }
  }
  const isAsked = options.transport === 'live'
  if (!live) {
    if (isAsked || need !== undefined) throw withoutLive(id, need ?? "transport: 'live'")
    return { transport: 'structured', reason: `${id} has no other.` }
  }
  if (version !== undefined && isAtLeast(version, live.floor) === false) {
    if (isAsked || need !== undefined) throw tooOld(id, version, live.floor, need ?? "transport: 'live'")
    const reason = `The live transport of ${id} needs version ${live.floor}.`
    return streamsMore(resolved)
      ? { transport: 'structured', reason, notice: fallback(id, version, live.floor) }
      : { transport: 'structured', reason }
  }
  if (isAsked) return { transport: 'live', reason: 'It was asked for.' }
  if (need !== undefined)
    return { transport: 'live', reason: `${need} takes a CLI that listens while it works.` }
  if (onlyStructured(resolved, options)) {
    return {
      transport: 'structured',
      reason: 'The credential set that was asked for works on the structured transport only.',
    }
  }
  return streamsMore(resolved)
    ? { transport: 'live', reason: `${id} streams its answer token by token on this transport only.` }
    : { transport: 'structured', reason: `${id} streams as much on its one-shot protocol.` }
}

/** What the adapter can honour on this transport. */
export function capabilitiesOn(adapter: Adapter, transport: TransportChoice['transport']): Capabilities {
  if (transport !== 'live') return adapter.capabilities
  return { ...adapter.capabilities, ...adapter.live?.capabilities }
}

/** The option that only the live transport can honour, as it is written. */
function needOf({ liveInput, approvals }: TransportOptions): string | undefined {
  if (liveInput === 'required') return "liveInput: 'required'"
  if (approvals === 'host') return "approvals: 'host'"
  return typeof approvals === 'function' ? 'approvals as a callback' : undefined
}

function streamsMore(adapter: Adapter): boolean {
  const { streams } = adapter.capabilities
  return streams.text === 'block' && capabilitiesOn(adapter, 'live').streams.text === 'token'
}

function onlyStructured(adapter: Adapter, { credentials }: TransportOptions): boolean {
  const name = typeof credentials === 'object' ? credentials.set : undefined
  const set = adapter.credentials.find((candidate) => candidate.name === name)
  return set?.transports !== undefined && !set.transports.includes('live')
}

function fallback(id: string, version: string, floor: string): string {
  return `${id} ${version} streams no answer token by token: its live transport needs ${floor} or newer.`
}

function contradiction(need: string): AgentError {
  return new AgentError('invalid_options', `transport: 'structured' cannot be combined with ${need}.`, {
    hint: "Leave `transport` out, or ask for 'live'.",
  })
}

function withoutLive(id: string, need: string): AgentError {
  return new AgentError('unsupported', `${id} has no live transport, which ${need} takes.`, {
    hint: 'Leave the option out, or use another adapter.',
  })
}

function withoutStructured(id: string): AgentError {
  return new AgentError('unsupported', `${id} has no one-shot protocol.`, {
    hint: "Leave `transport` out, or ask for 'live'.",
  })
}

function tooOld(id: string, version: string, floor: string, need: string): AgentError {
  return new AgentError(
    'unsupported',
    `${id} ${version} has no live transport that works, which ${need} takes: that needs ${floor} or newer.`,
    { hint: 'Update the CLI, or leave the option out.' },
  )
}
