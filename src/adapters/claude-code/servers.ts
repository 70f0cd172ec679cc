import { posix } from 'node:path'
import type { LaunchContext, PlannedFile } from '../adapter.ts'
import type { LaunchMcpServer, LiveLaunchOptions } from '../launch-options.ts'
import { claudeCredentials } from './credentials.ts'
import { claudeHas } from './versions.ts'

const serversFile = 'mcp-servers.json'

interface ServerShare {
  arguments?: string[]
  environment?: Record<string, string>
  files?: PlannedFile[]
}

/** The MCP servers of the turn, in a file: their headers and variables may be secrets. */
export function serverShare(options: LiveLaunchOptions, context: LaunchContext): ServerShare {
  const servers = Object.entries(options.mcpServers)
  if (servers.length === 0) return {}
  const entries = servers.map(([name, server]) => [name, entryOf(server, options, context)])
  const mcpServers = Object.fromEntries(entries)
  return {
    arguments: ['--mcp-config', posix.join(context.directory, serversFile)],
    environment: {
      // 2.0.72 has a command that takes the place of the servers' tools.
      ENABLE_EXPERIMENTAL_MCP_CLI: 'false',
      // 2.1.332 gives up a call after 60 s without a header of an answer, and after 300 s without news of it.
      MCP_TOOL_TIMEOUT: '100000000',
      CLAUDE_CODE_MCP_TOOL_IDLE_TIMEOUT: '0',
      ...cacheOfTheTurn(options, context),
    },
    files: [{ path: serversFile, content: `${JSON.stringify({ mcpServers }, undefined, 2)}\n` }],
  }
}

/**
 * Older ones write the headers of each server as they are into a log below the user's own cache directory, where they outlive the
 * turn. On macOS nothing moves that directory.
 */
function cacheOfTheTurn(
  { mcpServers }: LiveLaunchOptions,
  { version, directory }: LaunchContext,
): Record<string, string> {
  if (claudeHas('hidesServerHeaders', version)) return {}
  const hasHeaders = Object.values(mcpServers).some(
    (server) => server.type === 'http' && Object.keys(server.headers ?? {}).length > 0,
  )
  return hasHeaders ? { XDG_CACHE_HOME: posix.join(directory, 'cache') } : {}
}

function entryOf(server: LaunchMcpServer, options: LiveLaunchOptions, context: LaunchContext): object {
  if (server.type === 'http') {
    const rounds = claudeHas('expandsHeadersTwice', context.version) === false ? 1 : 2
    const headers = valuesOf(server.headers, (value) => literal(value, rounds))
    return { type: 'http', url: literal(server.url), headers }
  }
  return {
    type: 'stdio',
    command: literal(server.command),
    args: (server.args ?? []).map((word) => literal(word)),
    env: { ...withoutCredentials(options, context), ...valuesOf(server.env, (value) => literal(value)) },
  }
}

/** claude gives such a server all that it has itself: what signs claude in is not the server's. */
function withoutCredentials(
  { endpoint }: LiveLaunchOptions,
  { credentials = [] }: LaunchContext,
): Record<string, string> {
  const sets = claudeCredentials.filter(({ name }) => credentials.includes(name))
  const names = endpoint ? ['ANTHROPIC_API_KEY'] : sets.flatMap(({ variables }) => variables)
  return Object.fromEntries(names.map((name) => [name, '']))
}

/** claude replaces `${NAME}` and `${NAME:-default}`: by a `$` that is the default of a name that nothing has. */
function literal(value: string, rounds = 1): string {
  return value.replaceAll('${', () => `$${'{COXSWAIN_DOLLAR:-$}'.repeat(rounds)}{`)
}

function valuesOf(
  values: Readonly<Record<string, string>> = {},
  change: (value: string) => string,
): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value)]))
}
