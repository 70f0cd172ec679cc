import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { hasBody } from './body.ts'

/** How long what a refused client still sends is thrown away. */
const lingerMs = 1_000

export function answer(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: OutgoingHttpHeaders = {},
): void {
  if (response.headersSent || response.destroyed) return
  const text = JSON.stringify(body)
  response.writeHead(status, {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(text),
    'Cache-Control': 'no-store',
    ...headers,
  })
  response.end(text)
}

/**
 * Answers without reading what the client sends, and closes the connection; but not at once: a close with unread data in it
 * is a reset, which takes the answer away from a client that is still sending.
 */
export function refuse(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: OutgoingHttpHeaders = {},
): void {
  const closing = { ...headers, Connection: 'close' }
  if (!hasBody(request) || request.complete) {
    answer(response, status, body, closing)
    return
  }
  if (response.headersSent || response.destroyed) return
  const text = JSON.stringify(body)
  response.writeHead(status, {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(text),
    ...closing,
  })
  response.write(text)
  const finish = () => {
    clearTimeout(timer)
    response.end()
  }
  const timer = setTimeout(finish, lingerMs)
  timer.unref()
  request.once('end', finish).once('close', finish).resume()
}
