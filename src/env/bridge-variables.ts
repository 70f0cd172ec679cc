import { AgentError } from '../errors.ts'

export interface BridgeAddress {
  /**
   * Where the tool bridge listens, or the session's own address there (`<bridge>/s/<sessionId>`); slashes at its end do not
   * count. Blank: the routes are left out.
   */
  url: string
  /** The session's own bearer token. Blank: MCP_AUTH is left out. */
  token: string
  sessionId: string
}

/**
 * The variables by which a shell reaches a session's tool bridge, ready to be a scope: MCP_API_URL and its routes MCP_MCP,
 * MCP_CUSTOM and MCP_VIRTUAL, MCP_API_TOKEN, MCP_AUTH (a whole header line) and MCP_SESSION_ID. What is blank is left out. The
 * session stands in the address, so that a request written by hand is that session's.
 */
export function deriveBridgeVariables(address: BridgeAddress): Record<string, string> {
  const variables: Record<string, string> = {}
  const given = readAddress(address)
  const { token, sessionId } = given
  const url = addressOfSession(given.url.replace(/\/+$/, ''), sessionId)
  // A line break would add a header of its own to whatever request MCP_AUTH goes into.
  if (/[\r\n\0]/.test(url + token + sessionId)) {
    throw new AgentError('invalid_options', 'A bridge url, token or sessionId must be a single line.', {
      hint: 'Take the line breaks out.',
    })
  }
  if (url !== '' && !isAddress(url)) {
    throw new AgentError(
      'invalid_options',
      'The url of a bridge must be an http or https address without query.',
      {
        hint: "Give it as the bridge says it: 'http://127.0.0.1:49152'.",
      },
    )
  }
  if (/^\.{1,2}$/.test(sessionId)) {
    throw new AgentError(
      'invalid_options',
      'The sessionId of a bridge would leave its place in the address.',
      {
        hint: 'Use letters and digits.',
      },
    )
  }
  if (url !== '') {
    variables.MCP_API_URL = url
    variables.MCP_MCP = `${url}/tools/mcp`
    variables.MCP_CUSTOM = `${url}/tools/custom`
    variables.MCP_VIRTUAL = `${url}/tools/virtual`
  }
  if (token !== '') {
    variables.MCP_API_TOKEN = token
    variables.MCP_AUTH = `Authorization: Bearer ${token}`
  }
  if (sessionId !== '') variables.MCP_SESSION_ID = sessionId
  return variables
}

function readAddress(address: BridgeAddress): BridgeAddress {
  try {
    const { url, token, sessionId } = address
    return { url: url.trim(), token: token.trim(), sessionId: sessionId.trim() }
  } catch {
    throw new AgentError('invalid_options', 'A bridge has a url, a token and a sessionId that are texts.', {
      hint: 'Give { url, token, sessionId }; a blank one is left out.',
    })
  }
}

function addressOfSession(url: string, sessionId: string): string {
  const path = `/s/${encodeURIComponent(sessionId)}`
  return url === '' || sessionId === '' || url.endsWith(path) ? url : `${url}${path}`
}

function isAddress(url: string): boolean {
  if (!URL.canParse(url)) return false
  const { protocol, search, hash, username, password } = new URL(url)
  return /^https?:$/.test(protocol) && search + hash + username + password === ''
}
