import { AgentError } from '../../errors.ts'
import type { LaunchContext, PlannedFile } from '../adapter.ts'
import type { LaunchMcpServer, LiveLaunchOptions } from '../launch-options.ts'
import { json } from './endpoint.ts'
import { projectServersFile, readSettings } from './project.ts'
import { toolGuard } from './tool-guard.ts'
import { piNamesOf, type ServerTools } from './tool-names.ts'
import { piHas, piHasSince } from './versions.ts'

type Options = Pick<LiveLaunchOptions, 'tools' | 'mcpServers' | 'projectConfiguration' | 'home'>

/** How long a call may take: pi gives up after one minute otherwise. A turn's own `budgets.toolMs` is for less. In seconds. */
const callSeconds = 24 * 60 * 60

/** pi gives up on a server that is down within two seconds; one that it has to start can take its time. */
const patienceMs = { http: 10_000, stdio: 45_000 }

export interface PlannedServers {
  files: PlannedFile[]
  arguments: string[]
  /** As pi calls them. */
  toolNames: string[]
}

/** The servers of the turn, of which each admitted tool is offered as it is; nothing else of them is. */
export function planServers(options: Options, context: LaunchContext): PlannedServers {
  const { mcpServers, tools } = options
  const { version, home } = context
  const servers = Object.entries(mcpServers)
  if (tools.mode !== 'native') refuseWithout(version)
  if (servers.length === 0) {
    // What an earlier turn left in a home that is kept.
    const isKept = typeof options.home === 'object' && home !== undefined && piHas('mcp', version)
    return { files: isKept ? [serversFile([])] : [], arguments: [], toolNames: [] }
  }
  if (home === undefined) {
    throw new AgentError('unsupported', "pi-cli cannot use `mcpServers` or `bridge` with home: 'user'.", {
      hint: 'pi reads its MCP servers from its configuration directory: leave `home` out.',
    })
  }
  refuseNames(
    servers.map(([name]) => name),
    context,
    options.projectConfiguration,
  )
  const wanted = wantedTools(mcpServers)
  const guard = toolGuard(wanted, tools.mode === 'mcp_only')
  return {
    files: [serversFile(servers), guard],
    arguments: ['-e', 'builtin:mcp', '-e', `${context.directory}/${guard.path}`],
    toolNames: Object.keys(wanted),
  }
}

/** By pi's name for it, how long each tool that is offered may take to come. */
function wantedTools(mcpServers: Options['mcpServers']): Record<string, number> {
  const listed: ServerTools = Object.fromEntries(
    Object.entries(mcpServers).map(([name, { tools, hidden }]) => [name, [...tools, ...hidden]] as const),
  )
  const names = [...piNamesOf(listed)]
  return Object.fromEntries(
    names.flatMap(([piName, { server, name }]) => {
      const of = mcpServers[server]
      return of?.tools.includes(name) ? [[piName, patienceMs[of.type]]] : []
    }),
  )
}

function refuseWithout(version: string): void {
  if (piHas('mcp', version)) return
  throw new AgentError(
    'unsupported',
    `pi-cli ${version} speaks no MCP: \`mcpServers\`, \`bridge\` and the tool modes that go with them need ${piHasSince('mcp')}.`,
    { hint: "Update pi, or use tools.mode 'native'." },
  )
}

/** To pi, names that differ in nothing but - and _ are one; of two such the project's counts. */
function refuseNames(
  names: readonly string[],
  { surroundings }: LaunchContext,
  project: Options['projectConfiguration'],
): void {
  const ofProject = project === 'trust' ? projectServers(surroundings?.consulted[projectServersFile]) : []
  const alike = (name: string) => name.replaceAll('-', '_')
  for (const [index, name] of names.entries()) {
    const twin = names.slice(index + 1).find((other) => alike(other) === alike(name))
    if (twin !== undefined) {
      throw new AgentError(
        'invalid_options',
        `pi-cli cannot tell the MCP servers ${name} and ${twin} apart.`,
        {
          hint: 'Call one of them otherwise: to pi, - and _ are the same.',
        },
      )
    }
    const taken = ofProject.find((other) => alike(other) === alike(name))
    if (taken !== undefined) {
      throw new AgentError(
        'unsupported',
        `The project's ${projectServersFile} has an MCP server ${taken}, which pi-cli would take for this turn's ${name}.`,
        {
          hint: 'Call this one otherwise (the tools of `bridge` are served as "bridge"), or do not trust the project.',
        },
      )
    }
  }
}

function projectServers(text: string | undefined): string[] {
  const servers = readSettings(text)?.mcpServers
  return typeof servers === 'object' && servers !== null ? Object.keys(servers) : []
}

function serversFile(servers: readonly (readonly [string, LaunchMcpServer])[]): PlannedFile {
  const entries = servers.map(([name, server]) => [name, entryOf(name, server)] as const)
  return { path: 'mcp.json', content: json({ mcpServers: Object.fromEntries(entries) }) }
}

/** `hidden` but for the admitted ones, so that none comes to it while the turn runs. */
function entryOf(name: string, server: LaunchMcpServer): object {
  const exposure = {
    exposure: 'hidden',
    toolExposure: Object.fromEntries([
      ...server.hidden.map((tool) => [tool, 'hidden'] as const),
      ...server.tools.map((tool) => [tool, 'direct'] as const),
    ]),
    timeout: callSeconds,
  }
  if (server.type === 'http') {
    return { type: 'http', url: server.url, headers: literals(server.headers), ...exposure }
  }
  const words = [server.command, ...(server.args ?? [])]
  const moved = words.find((word) => word === '~' || /^~[/\\]/.test(word))
  if (moved !== undefined) {
    throw new AgentError(
      'unsupported',
      `pi-cli would put the home directory in the place of ~ in "${moved}" of the MCP server ${name}.`,
      { hint: 'Write the path out.' },
    )
  }
  const { command, args = [] } = server
  return { type: 'stdio', command, args, env: literals(server.env), ...exposure }
}

/** pi puts variables in the place of `$NAME`, and runs a value that begins with `!`: `$$` and `$!` stand for these themselves. */
function literals(values: Readonly<Record<string, string>> = {}): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      value.replaceAll('$', '$$$$').replace(/^!/, () => '$!'),
    ]),
  )
}
