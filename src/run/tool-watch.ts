import type { Adapter } from '../adapters/adapter.ts'
import type { LaunchMcpServer, ToolPolicy } from '../adapters/launch-options.ts'
import { admitsNativeTool, admitsServerTool } from '../options/tool-policy.ts'
import type { Stop } from '../protocol/completion.ts'
import type { McpServerState, WireEvent } from '../protocol/events.ts'
import { mcpName, splitMcpName } from '../protocol/mcp-names.ts'
import type { CompletionStatement } from '../protocol/outcome.ts'
import type { TurnPlan } from './plan-turn.ts'
import type { PreparedTurn } from './prepare.ts'

/** What a turn's tools are judged by. */
export interface ToolRules {
  adapter: Adapter
  policy: ToolPolicy
  /** What was listed before the start. Absent, as in a replay: the names alone decide. */
  servers?: Readonly<Record<string, LaunchMcpServer>>
  /** The servers of a trusted project are there as well. */
  projectServers: boolean
}

type Said = Exclude<WireEvent, CompletionStatement>

/** Hears what a turn's CLI says of tools, and ends the turn at the first that its policy excludes. */
export type ToolWatch = (event: Said) => void

/** What the tools of a turn that runs are judged by. */
export function toolRulesOf({ checked }: TurnPlan, { mcpServers }: PreparedTurn): ToolRules {
  const { adapter, launch } = checked
  return {
    adapter,
    policy: launch.tools,
    servers: mcpServers,
    projectServers: launch.projectConfiguration === 'trust' && launch.tools.mode !== 'mcp_only',
  }
}

/** undefined: the policy excludes nothing. */
export function watchTools(rules: ToolRules, violate: (stop: Stop) => void): ToolWatch | undefined {
  const { mode, allow, deny } = rules.policy
  if (mode === 'native' && !allow && deny.length === 0) return undefined
  const isAdmitted = admission(rules)
  return (event) => {
    if (event.type === 'session') {
      const excluded = event.tools?.find((name) => !isAdmitted(splitMcpName(name)))
      if (excluded !== undefined) violate(violation(`${rules.adapter.id} offers the model ${excluded}`, mode))
      const lost = event.mcpServers?.find((server) => isLost(rules, server))
      if (lost) violate(unavailable(rules.adapter, lost))
      const missing = event.tools && missingFrom(rules, event.tools)
      if (missing !== undefined) violate(notOffered(rules.adapter, missing))
    } else if (event.type === 'tool' && event.phase === 'start' && !isAdmitted(event)) {
      const name = event.server === undefined ? event.name : `${event.server}/${event.name}`
      violate(violation(`The model called ${name}`, mode))
    }
  }
}

/** A server that answered before the start, and that the CLI has not reached: it would go on without its tools (claude). */
function isLost({ servers = {} }: ToolRules, { name, status }: McpServerState): boolean {
  return Object.hasOwn(servers, name) && lostStates.has(status)
}

/** A tool of a server that the CLI's own list lacks: claude drops one whose name is too long, and all of a server named `ide`. */
function missingFrom({ servers = {} }: ToolRules, offered: readonly string[]): string | undefined {
  const names = new Set(offered)
  for (const [server, { tools }] of Object.entries(servers)) {
    const tool = tools.find((each) => !names.has(mcpName(server, each)))
    if (tool !== undefined) return `${server}/${tool}`
  }
  return undefined
}

/** As CLIs say it: claude, codex. */
const lostStates: ReadonlySet<string> = new Set(['failed', 'needs-auth', 'disabled'])

type Named = { name: string; server?: string | undefined }

/** A list of thousands is judged name by name: each is looked up, not looked for. */
function admission(rules: ToolRules): (tool: Named) => boolean {
  const { policy, servers, projectServers } = rules
  const own = new Map(
    Object.entries(servers ?? {}).map(([server, { tools }]) => [
      server,
      new Set(tools.map((tool) => mcpName(server, tool))),
    ]),
  )
  return ({ name, server }) => {
    if (server === undefined) return isNativeAdmitted(rules, name)
    const listed = own.get(server)
    if (listed) return listed.has(mcpName(server, name))
    return (!servers || projectServers) && admitsServerTool(policy, server, name)
  }
}

function isNativeAdmitted({ adapter, policy }: ToolRules, name: string): boolean {
  // A result whose call nobody saw has no name to judge.
  if (name === 'unknown') return true
  const known = adapter.nativeTools ?? []
  if (known.some((tool) => tool.name === name && tool.residual !== undefined)) return true
  return admitsNativeTool(
    policy,
    name,
    known.map((tool) => tool.name),
  )
}

function unavailable({ id }: Adapter, { name, status }: McpServerState): Stop {
  return {
    status: 'error',
    code: 'mcp_unavailable',
    message: `The MCP server ${name} answered before the start, but ${id} has not reached it: ${status}.`,
    hint: 'See what the server says of the calls of the CLI: an address or a header that is good only once, a limit of connections.',
    evidence: { by: 'record', detail: `mcp server ${status}` },
  }
}

function notOffered({ id }: Adapter, tool: string): Stop {
  return {
    status: 'error',
    code: 'mcp_unavailable',
    message: `The tool ${tool} was listed before the start, but ${id} does not offer it to the model.`,
    hint: 'Give the server or the tool another, shorter name; see that the server lists the same tools to everybody who asks.',
    evidence: { by: 'record', detail: 'the tools that the CLI lists' },
  }
}

function violation(what: string, mode: ToolPolicy['mode']): Stop {
  return {
    status: 'error',
    code: 'policy_violation',
    message: `${what}, which the turn's tools ('${mode}') exclude, so it was ended.`,
    hint: 'Name the tool in `tools.allow`, or keep it from being offered.',
    evidence: { by: 'host', detail: 'the tool policy' },
  }
}
