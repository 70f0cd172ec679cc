import { once } from 'node:events'
import { createServer } from 'node:http'
import type { Socket } from 'node:net'
import { type Exchange, forward } from './forward.ts'
import type { Variables } from './proxy.ts'
import { openUpstream } from './upstream.ts'

export interface ForwarderOptions {
  /** The API's base url, with its path: 'https://api.openai.com/v1'. */
  upstream: string
  exchanges: readonly Exchange[]
  /** Secret headers that the child does not have. */
  headers: Readonly<Record<string, string>>
  /** The child's: they tell the proxy to go through, and further certificates to trust. */
  variables: Variables
}

/** An address on the loopback that holds a credential so that a child need not. */
export interface Forwarder {
  /** What the child takes for the API's base url. */
  readonly url: string
  /** Ends every connection. From then on the token is good for nothing. */
  close(): void
}

/** Opens one for one turn: its own tokens, one upstream. */
export async function startForwarder(options: ForwarderOptions): Promise<Forwarder> {
  const base = new URL(options.upstream)
  const prefix = base.pathname.replace(/\/+$/, '')
  const upstream = openUpstream(base, options.variables)
  const sockets = new Set<Socket>()
  const server = createServer({ keepAliveTimeout: 0, requestTimeout: 0 })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The forwarder has no port.')
  // A turn must not keep its host alive: what it waits for is the child.
  server.unref()

  const origin = `http://127.0.0.1:${address.port}`
  const { exchanges, headers } = options
  const forwarding = { base, prefix, origin, upstream, exchanges, headers }
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  server.on('request', (incoming, response) => {
    // A child that goes away in mid-answer is no fault of ours.
    incoming.on('error', () => {})
    response.on('error', () => {})
    forward(incoming, response, forwarding).catch(() => response.destroy())
  })
  // 426 has codex go on over HTTP at once, where another word has it try again for six seconds (0.171.0).
  server.on('upgrade', (_, socket) => {
    socket.on('error', () => {})
    socket.end('HTTP/1.1 426 Upgrade Required\r\nConnection: close\r\nContent-Length: 0\r\n\r\n')
  })
  server.on('clientError', (_, socket) => socket.destroy())

  return {
    url: `${origin}${prefix}`,
    close() {
      server.close()
      for (const socket of sockets) socket.destroy()
      upstream.close()
    },
  }
}
