/** What claude (1.0 to 2.1), codex and pi (1.x) call the tool of an MCP server: `mcp__<server>__<tool>`. */
export function splitMcpName(name: string): { server?: string; name: string } {
  const [, server, tool] = /^mcp__(.+?)__(.+)$/.exec(name) ?? []
  return server === undefined || tool === undefined ? { name } : { server, name: tool }
}

/** The same where the servers said what they have: `mcp__shop__a_b` is then the tool `a.b` of `shop`, if it has no other such. */
export function mcpNamesOf(servers: Readonly<Record<string, readonly string[]>>): typeof splitMcpName {
  const known = new Map<string, { server: string; name: string }>()
  for (const [server, tools] of Object.entries(servers)) {
    for (const name of tools) known.set(mcpName(server, name), { server, name })
  }
  return (name) => known.get(name) ?? splitMcpName(name)
}

/** The same the other way round. What the model's API does not take in a name becomes `_`, as those CLIs write it. */
export function mcpName(server: string, tool: string): string {
  return `mcp__${server}__${tool}`.replace(/[^A-Za-z0-9_-]/g, '_')
}
