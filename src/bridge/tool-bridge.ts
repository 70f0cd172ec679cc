import { invalid } from '../options/faults.ts'
import { bridgeLog } from './bridge-log.ts'
import type { BridgeSessionOptions, ToolBridgeOptions } from './bridge-options.ts'
import { readMilliseconds } from './milliseconds.ts'
import { readBridgeOptions, readSessionOptions } from './read-bridge-options.ts'

/** Functions of this process as tools on an address of the loopback, for as many agents as there are sessions. */
export interface ToolBridge extends AsyncDisposable {
  /** 'http://127.0.0.1:<port>' */
  readonly url: string
  /** @throws AgentError `invalid_options`; `aborted` when the bridge is closed */
  openSession(options?: BridgeSessionOptions): BridgeSession
  /** Ends every session and every connection. Nothing of it keeps the process alive afterwards. */
  close(): Promise<void>
}

/** What one agent may call, under a token of its own. */
export interface BridgeSession extends AsyncDisposable {
  readonly sessionId: string
  /** 256 bits, good for this session's addresses alone, and for no longer than it lasts. */
  readonly token: string
  /** `<bridge url>/s/<sessionId>` */
  readonly url: string
  /** `<url>/mcp`: MCP over streamable HTTP, with the token as bearer. */
  readonly mcpUrl: string
  /** MCP_API_URL, MCP_CUSTOM, MCP_AUTH and the others: a `scope` for an agent with a shell. */
  readonly variables: Record<string, string>
  /** From here on the token is refused. Its open calls are ended, their signals aborted. */
  close(): Promise<void>
}

/**
 * Serves functions as MCP tools on 127.0.0.1, and to a shell.
 *
 * @throws AgentError `invalid_options`, naming the tool and what is wrong with it
 */
export async function startToolBridge(options: ToolBridgeOptions): Promise<ToolBridge> {
  const { tools, log, ...limits } = readBridgeOptions(options)
  const callTimeoutMs = readMilliseconds(limits.callTimeoutMs, 'callTimeoutMs', 60_000)
  const { maxBodyBytes = 4 * 1024 * 1024 } = limits
  if (!Number.isSafeInteger(maxBodyBytes) || maxBodyBytes < 1) {
    throw invalid('maxBodyBytes is no number of bytes', 'Give a whole number above 0.')
  }
  // The MCP SDK takes a while to load, and not everyone who defines a tool serves it here.
  const [{ readTools }, { ToolServer }] = await Promise.all([
    import('./served-tools.ts'),
    import('./tool-server.ts'),
  ])
  const server = await ToolServer.listen({
    tools: readTools(tools),
    callTimeoutMs,
    maxBodyBytes,
    log: bridgeLog(log),
  })
  return {
    url: server.url,
    openSession: (session = {}) => asSession(server.openSession(readSessionOptions(session))),
    close: () => server.close(),
    [Symbol.asyncDispose]: () => server.close(),
  }
}

function asSession(session: Omit<BridgeSession, typeof Symbol.asyncDispose>): BridgeSession {
  const { sessionId, token, url, mcpUrl, variables } = session
  const close = () => session.close()
  return { sessionId, token, url, mcpUrl, variables, close, [Symbol.asyncDispose]: close }
}
