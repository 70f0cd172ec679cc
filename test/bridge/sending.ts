import { type OutgoingHttpHeaders, request } from 'node:http'
import type { BridgeSession, BridgeTool } from '../../src/bridge.ts'
import { answerTo } from '../loopback.ts'
import { bearer } from './clients.ts'

export const echo: BridgeTool = {
  name: 'echo',
  description: 'Says it again.',
  input: { type: 'object' },
  execute: (input) => input,
}

export interface Sent {
  method?: string
  path?: string
  headers?: OutgoingHttpHeaders
  body?: string
}

/** What fetch would not send: any Host, any header twice. */
export async function send(
  session: BridgeSession,
  { method = 'POST', path, headers = {}, body = '{}' }: Sent,
) {
  const { port, pathname } = new URL(session.url)
  const outgoing = request({ host: '127.0.0.1', port, method, path: path ?? `${pathname}/tools/custom/echo` })
  for (const [name, value] of Object.entries({ ...bearer(session), ...headers })) {
    if (value === undefined) outgoing.removeHeader(name)
    else outgoing.setHeader(name, value)
  }
  outgoing.end(body)
  // Where the answer comes before all was sent, the rest of it may find the connection closed.
  const response = await answerTo(outgoing)
  outgoing.on('error', () => {})
  let text = ''
  for await (const chunk of response) text += chunk
  return { status: response.statusCode, headers: response.headers, text }
}

export function greeting() {
  const params = {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'test', version: '1' },
  }
  return { jsonrpc: '2.0', id: 0, method: 'initialize', params }
}

export function callOf(id: number, input: object) {
  return { jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'echo', arguments: input } }
}

export function sendMcp(session: BridgeSession, body: string, headers: OutgoingHttpHeaders = {}) {
  const accept = 'application/json, text/event-stream'
  const path = new URL(session.mcpUrl).pathname
  return send(session, { path, body, headers: { accept, 'content-type': 'application/json', ...headers } })
}
