import type { Adapter } from '../adapters/adapter.ts'
import { invalid } from './faults.ts'
import type { ParsedOptions } from './schema.ts'
import { capabilitiesOn, type TransportChoice } from './transport.ts'

/** @throws AgentError `invalid_options` for a server of the turn with a name that is another's */
export function refuseServerNames(
  adapter: Adapter,
  transport: TransportChoice['transport'],
  { mcpServers = {}, bridge = [] }: ParsedOptions,
): void {
  const names = Object.keys(mcpServers)
  if (bridge.length > 0 && names.includes('bridge')) {
    throw invalid('`mcpServers.bridge` has the name of the server of `bridge`', 'Give it another name.')
  }
  const { reservedServers } = capabilitiesOn(adapter, transport)
  const taken = names.find((name) => reservedServers.includes(name))
  if (taken === undefined) return
  throw invalid(
    `\`mcpServers.${taken}\` has a name that ${adapter.id} keeps for a server of its own, so that it would leave this one out`,
    'Give it another name.',
  )
}
