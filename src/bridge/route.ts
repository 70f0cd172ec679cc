/** What a path of a session leads to. */
export type Route =
  | { to: 'index' }
  | { to: 'mcp' }
  | { to: 'list' }
  | { to: 'call'; name: string }
  | { to: 'nothing' }

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
  if (path === '' || path === '/') return { to: 'index' }
  // The second is where $MCP_MCP leads.
  if (path === '/mcp' || path === '/tools/mcp') return { to: 'mcp' }
  // Where a product tells tools of its own making from those it has of others; here all are functions.
  const [, name] = /^\/tools\/(?:custom|virtual)\/([^/]+)$/.exec(path) ?? []
  if (name !== undefined) return { to: 'call', name: decoded(name) }
  return /^\/tools\/(?:custom|virtual)\/?$/.test(path) ? { to: 'list' } : { to: 'nothing' }
}

/** The ways to use a route; undefined: nothing is there. */
export function methodsOf({ to }: Route): string[] | undefined {
  return {
    index: ['GET'],
    mcp: ['GET', 'POST', 'DELETE'],
    list: ['GET'],
    call: ['POST'],
    nothing: undefined,
  }[to]
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
