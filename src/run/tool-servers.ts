import type { CheckedMcpServer, LaunchMcpServer, ToolPolicy } from '../adapters/launch-options.ts'
import type { Secret } from '../env/secrets.ts'
import { AgentError, isAgentError, wordsOf } from '../errors.ts'
import type { BridgeTool } from '../options/bridge-tool.ts'
import type { CheckedOptions } from '../options/check.ts'
import {
  admitsServerTool,
  refuseCancelledNames,
  refuseUnknownNames,
  unknownDenials,
} from '../options/tool-policy.ts'

import type { TurnNotice } from './turn-notice.ts'

/** The servers of a turn's tools: asked for what they have, and the bridge running. */
export interface ToolServers {
  servers: Readonly<Record<string, LaunchMcpServer>>
  /** The routes of the bridge, for a shell that is to have them; none for any other. */
  variables: Readonly<Record<string, string>>
  /** Tokens that were made for them. */
  secrets: Secret[]
  notices: TurnNotice[]
  /** The bridge's token is good for nothing from then on, and its open calls are aborted. */
  close(): void
}

export interface ServerSurroundings {
  turnId: string
  /** For those that are started here: without anybody's credentials. */
  environment: Readonly<Record<string, string>>
  signal?: AbortSignal | undefined
}

const none: ToolServers = { servers: {}, variables: {}, secrets: [], notices: [], close: () => {} }

/** The name under which the model finds the tools of `bridge`. */
export const bridgeServer = 'bridge'

/**
 * Asks every server for its tools, before a model is: a CLI may go on without one that is down (claude does).
 *
 * @throws AgentError `mcp_unavailable`, naming the server; `invalid_options` for a name in `tools.allow` that nobody offers
 */
export async function openToolServers(
  checked: CheckedOptions,
  surroundings: ServerSurroundings,
): Promise<ToolServers> {
  const { adapter, launch, mcpServers, bridge, apiTransport } = checked
  const { tools: policy, cwd } = launch
  const isAsked = Object.keys(mcpServers).length > 0 || bridge.length > 0
  const isJudged = adapter.nativeTools !== undefined && (policy.allow !== undefined || policy.deny.length > 0)
  if (!isAsked && !isJudged) return none
  const own = bridge.length > 0 ? await openBridge(checked, surroundings) : undefined
  try {
    const asked = await Promise.all(
      Object.entries(mcpServers).map(
        async ([name, server]): Promise<[string, LaunchMcpServer]> => [
          name,
          launchServer(policy, name, server, await listTools(name, server, cwd, surroundings)),
        ],
      ),
    )
    const servers = Object.fromEntries([...(own ? [own.entry] : []), ...asked])
    const listed = listedBy(servers, bridge)
    const natives = (adapter.nativeTools ?? []).map(({ name }) => name)
    const known = [...natives, ...namesIn(listed)]
    refuseUnknownNames(policy, known)
    refuseCancelledNames(policy, listed, natives)
    return {
      servers,
      variables: (apiTransport === 'native_shell' && own?.variables) || {},
      secrets: own?.secrets ?? [],
      notices: [
        ...unknownDenials(policy, known).map((name) => ({
          level: 'warning' as const,
          code: 'tool_unknown',
          message: `tools.deny names ${JSON.stringify(name)}, which neither ${adapter.id} nor a server has.`,
        })),
        ...emptyNotices(policy, listed, servers),
      ],
      close: () => void own?.close(),
    }
  } catch (error) {
    void own?.close()
    throw error
  }
}

async function openBridge(
  { bridge: tools, launch: { tools: policy }, budgets, log }: CheckedOptions,
  { turnId }: ServerSurroundings,
) {
  // The turn's own budget for a tool is not to be cut short by the bridge's.
  const callTimeoutMs = Math.max(60_000, budgets.toolMs ?? 0)
  // What speaks MCP is not loaded by a host that has no need of it.
  const { startToolBridge } = await import('../bridge/tool-bridge.ts')
  const names = tools.map(({ name }) => name)
  const offered = names.filter((name) => admitsServerTool(policy, bridgeServer, name))
  const bridge = await startToolBridge({ tools, callTimeoutMs, ...(log && { log }) })
  // It is closed with the turn or the session, however long that lasts.
  const session = bridge.openSession({ sessionId: turnId, tools: offered, lifetimeMs: Infinity })
  const server: LaunchMcpServer = {
    type: 'http',
    url: session.mcpUrl,
    headers: { Authorization: `Bearer ${session.token}` },
    tools: offered,
    // It does not list the others.
    hidden: [],
  }
  return {
    entry: [bridgeServer, server] as const,
    variables: session.variables,
    secrets: [{ name: 'BRIDGE_TOKEN', value: session.token }],
    close: () => bridge.close(),
  }
}

async function listTools(
  name: string,
  server: CheckedMcpServer,
  cwd: string,
  { environment, signal }: ServerSurroundings,
): Promise<string[]> {
  const { listServerTools } = await import('../bridge/probe-server.ts')
  try {
    const listed = await listServerTools(server, { environment, cwd, signal })
    // Two of one name are one to every CLI.
    return [...new Set(listed.map((tool) => tool.name))]
  } catch (error) {
    if (signal?.aborted) throw error
    throw new AgentError('mcp_unavailable', `The MCP server ${name} is not available: ${wordsOf(error)}`, {
      hint: `${(isAgentError(error) && error.hint) || 'Start it, or correct its entry in `mcpServers`.'} The CLI was not started.`,
      cause: error,
    })
  }
}

function launchServer(
  policy: ToolPolicy,
  name: string,
  server: CheckedMcpServer,
  listed: readonly string[],
): LaunchMcpServer {
  const isOffered = (tool: string) => admitsServerTool(policy, name, tool)
  return {
    ...server,
    tools: listed.filter(isOffered),
    hidden: listed.filter((tool) => !isOffered(tool)),
  }
}

/** All that each server has, also what the policy does not let through. */
function listedBy(
  servers: ToolServers['servers'],
  bridge: readonly BridgeTool[],
): Record<string, readonly string[]> {
  const entries = Object.entries(servers).map(([server, { tools, hidden }]): [string, readonly string[]] => [
    server,
    [...tools, ...hidden],
  ])
  const own = bridge.map(({ name }) => name)
  return Object.fromEntries([...entries, ...(own.length > 0 ? [[bridgeServer, own] as const] : [])])
}

function namesIn(listed: Readonly<Record<string, readonly string[]>>): string[] {
  return Object.entries(listed).flatMap(([server, tools]) =>
    tools.flatMap((tool) => [tool, `${server}/${tool}`]),
  )
}

/** Servers that are of no use to the model are hardly what was meant. */
function emptyNotices(
  { mode, allow }: ToolPolicy,
  listed: Readonly<Record<string, readonly string[]>>,
  servers: ToolServers['servers'],
): TurnNotice[] {
  const notice = (message: string): TurnNotice => ({ level: 'warning', code: 'no_tools', message })
  const names = Object.keys(servers)
  const empty = names.filter((name) => listed[name]?.length === 0)
  if (names.length === 0) return []
  const offersNone = Object.values(servers).every(({ tools }) => tools.length === 0)
  if (!offersNone) return empty.map((name) => notice(`The MCP server ${name} lists no tool.`))
  const lacking = mode === 'mcp_only' ? 'no tool at all' : 'no tool of its MCP servers'
  const why =
    empty.length === names.length
      ? `${empty.join(' and ')} ${empty.length === 1 ? 'lists' : 'list'} none`
      : allow
        ? 'tools.allow names none'
        : 'tools.deny leaves none'
  return [notice(`The model has ${lacking}: ${why}.`)]
}
