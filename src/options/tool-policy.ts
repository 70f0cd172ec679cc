import type { ToolPolicy } from '../adapters/launch-options.ts'
import type { NativeTool } from '../adapters/native-tool.ts'
import { shortened } from '../errors.ts'
import { closestName } from './closest.ts'
import { invalid } from './faults.ts'
import type { ParsedOptions } from './schema.ts'

/** What is true of a turn that says nothing of tools. */
export const nativeTools: ToolPolicy = { mode: 'native', deny: [], strict: false }

/** @throws AgentError `invalid_options` for what contradicts itself */
export function toolPolicyOf({
  tools,
  mcpServers,
  bridge,
}: Pick<ParsedOptions, 'tools' | 'mcpServers' | 'bridge'>): ToolPolicy {
  const hasServers = Object.keys(mcpServers ?? {}).length > 0 || (bridge ?? []).length > 0
  if (!tools) return hasServers ? { ...nativeTools, mode: 'hybrid' } : nativeTools
  const { mode, allow, deny = [], strict = false } = tools
  if (mode === 'native' && hasServers) {
    throw invalid(
      "tools.mode 'native' leaves no place for the tools of `mcpServers` and `bridge`",
      "Use 'hybrid' for both kinds, 'mcp_only' for theirs alone.",
    )
  }
  if (mode === 'mcp_only' && !hasServers) {
    throw invalid(
      "tools.mode 'mcp_only' without `mcpServers` or `bridge` leaves the model no tool at all",
      "Give it servers, or use mode 'native' with `allow`.",
    )
  }
  const both = allow?.find((name) => deny.includes(name))
  if (both !== undefined) throw invalid(`tools.allow and tools.deny both name ${JSON.stringify(both)}`)
  return { mode, deny, strict, ...(allow && { allow }) }
}

/** Whether the model may have this tool of an MCP server. */
export function admitsServerTool(policy: ToolPolicy, server: string, tool: string): boolean {
  const names = [tool, `${server}/${tool}`]
  if (policy.mode === 'native' || names.some((name) => policy.deny.includes(name))) return false
  return policy.allow === undefined || names.some((name) => policy.allow?.includes(name))
}

/** @param known all names of the CLI's own tools: they tell whether `allow` speaks of those at all */
export function admitsNativeTool(policy: ToolPolicy, name: string, known: readonly string[]): boolean {
  if (policy.mode === 'mcp_only' || policy.deny.includes(name)) return false
  const limit = nativeLimit(policy, known)
  return limit === undefined || limit.includes(name)
}

/** The only native tools that may be offered; undefined: all but `deny`. */
export function nativeLimit(policy: ToolPolicy, known: readonly string[]): readonly string[] | undefined {
  const { mode, allow, deny } = policy
  if (mode === 'mcp_only') return []
  if (!allow) return undefined
  const named = allow.filter((name) => known.includes(name))
  if (mode === 'hybrid' && named.length === 0) return undefined
  return named.filter((name) => !deny.includes(name))
}

/** @throws AgentError `invalid_options` for a name in `allow` that none of `known` is: the model would lack a tool in silence */
export function refuseUnknownNames({ allow = [] }: ToolPolicy, known: readonly string[]): void {
  const name = allow.find((each) => !known.includes(each))
  if (name === undefined) return
  const closest = closestName(name, known)
  throw invalid(
    `tools.allow names ${JSON.stringify(shortened(name))}, which neither the CLI nor a server has`,
    closest === undefined ? undefined : `Did you mean ${JSON.stringify(closest)}?`,
  )
}

/**
 * @param servers all that each server has
 * @throws AgentError `invalid_options` for a name in `allow` of which nothing is left: the model would lack the tool in silence
 */
export function refuseCancelledNames(
  policy: ToolPolicy,
  servers: Readonly<Record<string, readonly string[]>>,
  own: readonly string[],
): void {
  const served = Object.entries(servers).flatMap(([server, names]) => names.map((tool) => ({ server, tool })))
  for (const name of policy.allow ?? []) {
    if (admitsNativeTool(policy, name, own) && own.includes(name)) continue
    const meant = served.filter(({ server, tool }) => name === tool || name === `${server}/${tool}`)
    if (meant.some(({ server, tool }) => admitsServerTool(policy, server, tool))) continue
    if (meant.length > 0) {
      throw invalid(
        `tools.allow names ${JSON.stringify(name)}, and tools.deny leaves nothing of it`,
        'Take it out of one of the two.',
      )
    }
    if (policy.mode === 'mcp_only' && own.includes(name)) {
      throw invalid(
        `tools.allow names ${JSON.stringify(name)}, a tool of the CLI's own, which tools.mode 'mcp_only' leaves out`,
        "Take it out, or use mode 'hybrid'.",
      )
    }
  }
}

/** Names in `deny` that none of `known` is. */
export function unknownDenials({ deny }: ToolPolicy, known: readonly string[]): string[] {
  return deny.filter((name) => !known.includes(name))
}

/**
 * Where a CLI has tools only together, one name means all of them.
 *
 * @throws AgentError `invalid_options` where one of a group is allowed and another denied
 */
export function withGroups(policy: ToolPolicy, own: readonly NativeTool[] = []): ToolPolicy {
  const expand = (names: readonly string[]) => [
    ...new Set(names.flatMap((name) => [name, ...groupOf(name, own)])),
  ]
  const { allow, deny } = policy
  const torn = allow?.find((name) => groupOf(name, own).some((other) => deny.includes(other)))
  if (torn !== undefined) {
    throw invalid(`tools.allow names ${JSON.stringify(torn)}, and tools.deny what comes only along with it`)
  }
  return { ...policy, deny: expand(deny), ...(allow && { allow: expand(allow) }) }
}

function groupOf(name: string, own: readonly NativeTool[]): string[] {
  const group = own.find((tool) => tool.name === name)?.together
  return group === undefined ? [] : own.filter((tool) => tool.together === group).map((tool) => tool.name)
}

/** What `strict` cannot have: names that the CLI would offer although the policy leaves them out. */
export function residueOf(policy: ToolPolicy, own: readonly NativeTool[] = []): string[] {
  const limit = nativeLimit(
    policy,
    own.map(({ name }) => name),
  )
  if (!limit) return []
  return own.flatMap(({ name, residual }) => (residual === undefined || limit.includes(name) ? [] : [name]))
}
