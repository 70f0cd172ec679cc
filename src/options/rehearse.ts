import type { Adapter, LaunchContext } from '../adapters/adapter.ts'
import type { LaunchMcpServer } from '../adapters/launch-options.ts'
import { type AgentError, isAgentError } from '../errors.ts'
import { type CheckedOptions, checkTurnOptions, onTransport } from './check.ts'
import type { TurnOptions } from './turn-options.ts'

/**
 * What would end a turn with these options before its CLI is started, on any machine: its own checks are made, and its adapter
 * plans a launch that is thrown away.
 *
 * @param version the CLI's; undefined: the newest that was tested
 */
export function rehearsedFault(
  adapter: Adapter,
  options: TurnOptions,
  version: string = adapter.version.tested,
): AgentError | undefined {
  try {
    const { checked } = onTransport(checkTurnOptions(options), version)
    const { launch: given, interactions, transport } = checked
    const launch = { ...given, mcpServers: listedServers(checked.mcpServers, options.tools?.allow, adapter) }
    const context = contextOf(version)
    if (transport === 'live' && adapter.live) {
      const approvals = interactions === 'default' ? launch.approvals : 'host'
      adapter.live.launch({ ...launch, approvals }, context)
    } else {
      adapter.structured.launch(launch, context)
    }
    return undefined
  } catch (error) {
    // Code of an adapter's may well fail where there is no home and no machine: that says nothing of the options.
    return isAgentError(error) ? error : undefined
  }
}

/** As if each server had listed what the options name of it. */
function listedServers(
  servers: CheckedOptions['mcpServers'],
  allow: readonly string[] = ['tool'],
  { nativeTools = [] }: Adapter,
): Record<string, LaunchMcpServer> {
  const isNative = (name: string) => nativeTools.some((tool) => tool.name === name)
  const tools = allow.filter((name) => !isNative(name)).map((name) => name.split('/').at(-1) ?? name)
  return Object.fromEntries(
    Object.entries(servers).map(([name, server]) => [name, { ...server, tools, hidden: [] }]),
  )
}

function contextOf(version: string): LaunchContext {
  return { version, home: '/home', directory: '/home', platform: process.platform, isRoot: false }
}
