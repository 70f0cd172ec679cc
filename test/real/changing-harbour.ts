import { createServer, type ServerResponse } from 'node:http'
import { asObject } from '../../src/protocol/narrow.ts'
import { moored } from './harbour.ts'

const toolOf = (name: string) => ({
  name,
  description: `Does ${name}.`,
  inputSchema: { type: 'object', properties: {} },
})

/**
 * An MCP server over HTTP whose list is not always the same. It keeps the names of the tools that were called.
 *
 * @param lists the first one is for who asks first, the second for all who ask later
 * @param later once its first tool was called it has these, and tells everybody so
 */
export async function changingHarbour(
  lists: [readonly string[], readonly string[]],
  later?: readonly string[],
) {
  const calls: string[] = []
  const listeners = new Set<ServerResponse>()
  let [current, next] = lists
  const tellAll = () => {
    const said = { jsonrpc: '2.0', method: 'notifications/tools/list_changed' }
    for (const listener of listeners) listener.write(`event: message\ndata: ${JSON.stringify(said)}\n\n`)
  }
  const answer = (method: unknown, params: Record<string, unknown>): object | undefined => {
    if (method === 'initialize') {
      const { protocolVersion } = params
      const serverInfo = { name: 'harbour', version: '1' }
      return { protocolVersion, capabilities: { tools: { listChanged: true } }, serverInfo }
    }
    if (method === 'tools/list') {
      const tools = current.map(toolOf)
      current = next
      return { tools }
    }
    if (method !== 'tools/call') return undefined
    calls.push(String(params.name))
    if (later && current !== later) {
      current = next = later
      tellAll()
    }
    return { content: [{ type: 'text', text: `called ${params.name}` }] }
  }
  const server = createServer(async (request, response) => {
    if (request.method === 'GET') {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
      listeners.add(response)
      response.on('close', () => listeners.delete(response))
      return
    }
    let text = ''
    for await (const chunk of request.setEncoding('utf8')) text += chunk
    const { id, method, params } = asObject(text === '' ? {} : JSON.parse(text)) ?? {}
    if (request.method !== 'POST' || id === undefined) return void response.writeHead(202).end()
    const result = answer(method, asObject(params) ?? {})
    response.writeHead(200, {
      'content-type': 'application/json',
      ...(method === 'initialize' && { 'mcp-session-id': `talk-${Math.random()}` }),
    })
    const outcome = result ? { result } : { error: { code: -32601, message: `no ${method}` } }
    response.end(JSON.stringify({ jsonrpc: '2.0', id, ...outcome }))
  })
  const shop = { type: 'http' as const, url: await moored(server) }
  return { servers: { shop }, calls }
}
