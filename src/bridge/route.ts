/** What a path of a session leads to. */
export type Route = { to: 'mcp' } | { to: 'list' } | { to: 'call'; name: string } | { to: 'nothing' }

export interface Target {
  sessionId: string
  route: Route
}

/** undefined: a path that is no session's. */
export function readTarget(url: string): Target | undefined {
  const [path = ''] = url.split(/[?#]/, 1)
  const [, sessionId, rest = ''] = /^\/s\/([^/]+)(\/.*)?$/.exec(path) ?? []
  return sessionId === undefined ? undefined : { sessionId, route: readRoute(rest) }
}

function readRoute(path: string): Route {
  // The second is where $MCP_MCP leads.
  if (path === '/mcp' || path === '/tools/mcp') return { to: 'mcp' }
  const [, name] = /^\/tools\/custom\/([^/]+)$/.exec(path) ?? []
  if (name !== undefined) return { to: 'call', name: decoded(name) }
  return /^\/tools\/custom\/?$/.test(path) ? { to: 'list' } : { to: 'nothing' }
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
