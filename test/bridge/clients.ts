import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { onTestFinished } from 'vitest'
import {
  type BridgeSession,
  type BridgeTool,
  startToolBridge,
  type ToolBridge,
  type ToolBridgeOptions,
} from '../../src/bridge.ts'

/** A bridge for one test, with what it logged. */
export async function startBridge(
  tools: readonly BridgeTool[],
  options: Partial<ToolBridgeOptions> = {},
): Promise<ToolBridge & { logged: string[] }> {
  const logged: string[] = []
  const bridge = await startToolBridge({ tools, log: ({ message }) => logged.push(message), ...options })
  onTestFinished(() => bridge.close())
  return { ...bridge, logged }
}

export function bearer({ token }: { token: string }): Record<string, string> {
  return { authorization: `Bearer ${token}` }
}

/** A real MCP client in a session. */
export async function connect(session: BridgeSession): Promise<Client> {
  const client = new Client({ name: 'test', version: '1.0.0' })
  await client.connect(transportTo(session))
  onTestFinished(() => client.close())
  return client
}

export function transportTo(session: BridgeSession): StreamableHTTPClientTransport {
  return new StreamableHTTPClientTransport(new URL(session.mcpUrl), {
    requestInit: { headers: bearer(session) },
  })
}

/** What a shell does with curl. */
export async function callByHttp(
  session: BridgeSession,
  name: string,
  body: string,
): Promise<{ status: number; body: unknown }> {
  const response = await fetch(`${session.url}/tools/custom/${name}`, {
    method: 'POST',
    headers: bearer(session),
    body,
  })
  return { status: response.status, body: await response.json() }
}
