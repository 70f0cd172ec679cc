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
  response.end(begin(response, status, body, headers))
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
  response.write(begin(response, status, body, closing))
  const finish = () => {
    clearTimeout(timer)
    response.end()
  }
  const timer = setTimeout(finish, lingerMs)
  timer.unref()
  request.once('end', finish).once('close', finish).resume()
}

/** Writes the head of an answer; returns its body. */
function begin(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: OutgoingHttpHeaders,
): string {
  const text = JSON.stringify(body)
  response.writeHead(status, {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(text),
    ...headers,
  })
  return text
}
