import { AgentError } from '../../errors.ts'
import { mcpName } from '../../protocol/mcp-names.ts'
import type { JsonObject } from '../../protocol/narrow.ts'
import type { LaunchContext } from '../adapter.ts'
import type { LaunchMcpServer, LiveLaunchOptions } from '../launch-options.ts'
import { refuseToolNames } from '../tool-names.ts'
import { codexCan } from './versions.ts'

/** Variables with the headers of servers, which may be secrets: codex takes them from there, and its tools never see them. */
export const serverVariablePrefix = 'COXSWAIN_MCP_'

type Servers = Pick<LiveLaunchOptions, 'mcpServers'>

/** Long enough for a server to start on a busy machine. */
const startupSeconds = 60
/** What limits a call is the bridge, and `budgets.toolMs`: codex's own limit is a minute or two. */
const callSeconds = 86_400

/** The tables of `[mcp_servers]`. A key that a version does not know is ignored there (0.55.0, 0.113.0). */
export function serverSettings(options: LiveLaunchOptions, context: LaunchContext): JsonObject {
  const servers = Object.entries(options.mcpServers)
  if (servers.length === 0) return {}
  if (codexCan('tellsToolsApart', context.version) === false) refuseTwins(options)
  const tables = servers.map(([name, server]): [string, JsonObject] => [
    name,
    {
      ...transportOf(name, server, headerVariables(options), context),
      required: true,
      enabled_tools: [...server.tools],
      startup_timeout_sec: startupSeconds,
      tool_timeout_sec: callSeconds,
      ...(options.approvals !== 'host' && granted(server, context)),
      // Each is offered to the model by its name: neither behind `tool_search` nor only in the JavaScript of the newest models.
      omit_tools_from: ['code_mode', 'deferred'],
    },
  ])
  return { mcp_servers: Object.fromEntries(tables) }
}

/** Under `never` most calls are refused without it (from 0.117.0 on): "requires approval". The caller granted them; a host is asked. */
function granted({ tools }: LaunchMcpServer, { version }: LaunchContext): JsonObject {
  const approve = 'approve'
  if (codexCan('approvesToolsOfServer', version) !== false) return { default_tools_approval_mode: approve }
  return { tools: Object.fromEntries(tools.map((name) => [name, { approval_mode: approve }])) }
}

function refuseTwins({ mcpServers }: Servers): void {
  const offered = Object.entries(mcpServers).map(
    ([name, server]) => [name, { ...server, hidden: [] }] as const,
  )
  refuseToolNames(Object.fromEntries(offered), { cli: 'codex-cli', nameOf: mcpName })
}

export function serverEnvironment(options: Servers): Record<string, string> {
  return Object.fromEntries(headerVariables(options).map(({ variable, value }) => [variable, value]))
}

interface HeaderVariable {
  server: string
  header: string
  variable: string
  value: string
}

function headerVariables({ mcpServers }: Servers): HeaderVariable[] {
  const headers = Object.entries(mcpServers).flatMap(([server, given]) =>
    Object.entries((given.type === 'http' ? given.headers : undefined) ?? {}).map(([header, value]) => ({
      server,
      header,
      value,
    })),
  )
  return headers.map((each, index) => ({ ...each, variable: `${serverVariablePrefix}HEADER_${index}` }))
}

function transportOf(
  name: string,
  server: LaunchMcpServer,
  headers: readonly HeaderVariable[],
  { home }: LaunchContext,
): JsonObject {
  if (server.type === 'http') {
    const own = headers.filter((header) => header.server === name)
    return {
      url: server.url,
      ...(own.length > 0 && {
        env_http_headers: Object.fromEntries(own.map(({ header, variable }) => [header, variable])),
      }),
    }
  }
  const { command, args = [], env = {} } = server
  const hasVariables = Object.keys(env).length > 0
  if (hasVariables && home === undefined) {
    throw new AgentError(
      'unsupported',
      `codex-cli does not support mcpServers.${name}.env with home: 'user': it would stand on the command line.`,
      { hint: 'Use a private home, where it is written into a file.' },
    )
  }
  return { command, args, ...(hasVariables && { env }) }
}
