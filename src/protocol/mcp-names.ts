/** What claude (1.0 to 2.1), codex and pi (1.x) call the tool of an MCP server: `mcp__<server>__<tool>`. */
export function splitMcpName(name: string): { server?: string; name: string } {
  const [, server, tool] = /^mcp__(.+?)__(.+)$/.exec(name) ?? []
  return server === undefined || tool === undefined ? { name } : { server, name: tool }
}
