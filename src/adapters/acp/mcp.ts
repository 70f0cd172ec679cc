import { AgentError } from '../../errors.ts'
import type { Failure } from '../../protocol/ending.ts'
import { splitMcpName } from '../../protocol/mcp-names.ts'
import { asObject, asString, type JsonObject } from '../../protocol/narrow.ts'
import type { LaunchMcpServer } from '../launch-options.ts'

/** As `session/new` and its like take them. */
export type AcpMcpServer =
  | { name: string; command: string; args: string[]; env: NameAndValue[] }
  | { type: 'http'; name: string; url: string; headers: NameAndValue[] }

interface NameAndValue {
  name: string
  value: string
}

/**
 * @param others what becomes of tools that were not let through: the agent would offer them, unless it is told to deny them
 * @throws AgentError `unsupported` for those
 */
export function acpServers(
  agent: string,
  servers: Readonly<Record<string, LaunchMcpServer>>,
  others: 'offered' | 'denied' = 'offered',
): AcpMcpServer[] {
  return Object.entries(servers).map(([name, server]) => {
    const [hidden] = server.hidden
    if (hidden !== undefined && others === 'offered') {
      throw new AgentError(
        'unsupported',
        `${agent} cannot be kept from ${hidden} of the MCP server ${name}.`,
        {
          hint: 'ACP hands an agent whole servers: only the tools of `bridge` can be chosen one by one.',
        },
      )
    }
    if (server.type === 'stdio') {
      const { command, args = [], env } = server
      return { name, command, args: [...args], env: pairs(env) }
    }
    return { type: 'http', name, url: server.url, headers: pairs(server.headers) }
  })
}

function pairs(values: Readonly<Record<string, string>> = {}): NameAndValue[] {
  return Object.entries(values).map(([name, value]) => ({ name, value }))
}

/** Every agent takes servers on stdio; of others it says so when it is greeted. */
export function refusalOfServers(
  agent: string,
  servers: readonly JsonObject[],
  capabilities: JsonObject,
): Failure | undefined {
  const names = servers.flatMap(({ type, name }) => (type === 'http' ? [asString(name) ?? ''] : []))
  if (names.length === 0 || asObject(capabilities.mcpCapabilities)?.http === true) return undefined
  return {
    code: 'unsupported',
    message: `${agent} takes no MCP server over HTTP, so that it cannot have ${names.join(' and ')}.`,
    hint: "Give it servers of type 'stdio': `bridge` is served over HTTP.",
  }
}

/** What a tool call is one of, where that is certain. */
export class AcpToolNames {
  readonly #known = new Map<string, { server: string; name: string } | undefined>()

  /** All tools that each server lists. */
  learn(servers: Readonly<Record<string, readonly string[]>>): void {
    for (const [server, tools] of Object.entries(servers)) {
      for (const name of tools) {
        this.#add(`mcp__${server}__${name}`, server, name) // claude-agent-acp 0.49.0
        this.#add(`${server}_${name}`, server, name) // opencode 1.18.33
      }
    }
  }

  describe(update: JsonObject): { server?: string; name: string; input?: unknown } {
    const meta = asObject(update._meta)
    // codex-acp 2.6.0
    if (meta?.is_mcp_tool_call === true) {
      const { server, tool, arguments: input } = asObject(update.rawInput) ?? {}
      if (typeof server === 'string' && typeof tool === 'string') return { server, name: tool, input }
    }
    // Cursor, as another client tells of it.
    const { providerIdentifier, toolName, args } = asObject(update.rawInput) ?? {}
    if (typeof providerIdentifier === 'string' && typeof toolName === 'string') {
      return { server: providerIdentifier, name: toolName, input: args }
    }
    const own = [update.name, asObject(meta?.claudeCode)?.toolName].map(asString).find((name) => name)
    // `title` tells what this call does; it is the tool's name where nothing else is to be told.
    const name = own ?? [update.title, update.kind].map(asString).find((word) => word) ?? 'unknown'
    return this.#known.get(name) ?? (own === undefined ? { name } : splitMcpName(own))
  }

  /** What two tools are called says nothing. */
  #add(written: string, server: string, name: string): void {
    const key = written.replace(/[^A-Za-z0-9_-]/g, '_')
    this.#known.set(key, this.#known.has(key) ? undefined : { server, name })
  }
}
