import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import type { BridgeTool } from '../../src/bridge.ts'
import { asObject } from '../../src/protocol/narrow.ts'
import { listening } from '../loopback.ts'

/** A server on stdio: a command and its first argument. Those that follow name its tools. */
export const stdioTools: readonly [string, string] = [
  process.execPath,
  fileURLToPath(new URL('./stdio-tools.mjs', import.meta.url)),
]

/** tool_1 to tool_14, and what they were called with. */
export function fourteenTools() {
  const calls: { name: string; input: unknown }[] = []
  const tools: BridgeTool[] = Array.from({ length: 14 }, (_, index) => ({
    name: `tool_${index + 1}`,
    description: `Does the ${index + 1}. thing.`,
    input: { type: 'object', properties: { word: { type: 'string' } } },
    execute(input: unknown) {
      calls.push({ name: `tool_${index + 1}`, input })
      return `done: ${String(asObject(input)?.word)}`
    },
  }))
  return { tools, calls }
}

/**
 * The smallest MCP server over HTTP, with one tool `moor`. It keeps the headers of each request.
 *
 * @param leaves whoever comes after the first that asked for its tools finds nobody
 */
export async function httpHarbour({ leaves = false } = {}) {
  const headers: IncomingHttpHeaders[] = []
  let isGone = false
  const results: Record<string, unknown> = {
    initialize: {
      protocolVersion: '2025-06-18',
      capabilities: { tools: {} },
      serverInfo: { name: 'harbour', version: '1' },
    },
    'tools/list': {
      tools: [{ name: 'moor', description: 'Moors.', inputSchema: { type: 'object', properties: {} } }],
    },
    'tools/call': { content: [{ type: 'text', text: 'moored' }] },
  }
  const server = createServer(async (request, response) => {
    if (isGone) return void request.socket.destroy()
    headers.push(request.headers)
    let text = ''
    for await (const chunk of request.setEncoding('utf8')) text += chunk
    const { id, method } = asObject(text === '' ? {} : JSON.parse(text)) ?? {}
    const result = results[String(method)]
    isGone = leaves && method === 'tools/list'
    if (request.method !== 'POST') response.writeHead(405).end()
    else if (id === undefined) response.writeHead(202).end()
    else {
      const answer = result ? { result } : { error: { code: -32601, message: `no ${method}` } }
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ jsonrpc: '2.0', id, ...answer }))
    }
  })
  return { url: await moored(server), headers }
}

/** Where the server listens until the test is over. */
export async function moored(server: Server): Promise<string> {
  const port = await listening(server)
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${port}/mcp`
}
