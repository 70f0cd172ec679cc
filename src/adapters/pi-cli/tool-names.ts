import { createHash } from 'node:crypto'
import { splitMcpName } from '../../protocol/mcp-names.ts'

/** All tools that each server lists, by its name: also those that are not offered count where two have one name. */
export type ServerTools = Readonly<Record<string, readonly string[]>>

const mostCharacters = 64

/**
 * What pi calls the tools of MCP servers (1.3.0 to 1.6.0): `mcp__<server>__<tool>` with `_` for whatever is no letter or digit;
 * too long a name, and those of one server that become the same, end with a hash.
 */
export function piNamesOf(servers: ServerTools): Map<string, { server: string; name: string }> {
  const named = new Map<string, { server: string; name: string }>()
  for (const [server, tools] of Object.entries(servers)) {
    const plain = tools.map((tool) => plainName(server, tool))
    for (const [index, tool] of tools.entries()) {
      const name = plain[index] ?? ''
      const isShared = plain.indexOf(name) !== plain.lastIndexOf(name)
      named.set(isShared || name.length > mostCharacters ? hashed(name, server, tool) : name, {
        server,
        name: tool,
      })
    }
  }
  return named
}

function plainName(server: string, tool: string): string {
  return `mcp__${server}__${tool}`.replace(/[^A-Za-z0-9_]/g, '_')
}

function hashed(name: string, server: string, tool: string): string {
  const hash = createHash('sha256').update(`${server}\0${tool}`).digest('hex').slice(0, 8)
  return `${name.slice(0, mostCharacters - hash.length - 1)}_${hash}`
}

/** Which server's tool a name of pi's is. */
export class PiToolNames {
  #known: ReadonlyMap<string, { server: string; name: string }> = new Map()

  learn(servers: ServerTools): void {
    this.#known = piNamesOf(servers)
  }

  /** Of servers that nobody listed (a trusted project's), as the name itself has it. */
  split(name: string): { server?: string; name: string } {
    return this.#known.get(name) ?? splitMcpName(name)
  }
}
