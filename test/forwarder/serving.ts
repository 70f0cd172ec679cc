import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { connect, type Server, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'
import { type Forwarder, startForwarder } from '../../src/forwarder/forwarder.ts'
import { listening } from '../loopback.ts'
import type { Certificate } from './certificate.ts'

export type Handler = (incoming: IncomingMessage, response: ServerResponse) => void

const exchanges = [{ token: 'turn-token', credential: 'real-key' }]

export const authorized = { authorization: 'Bearer turn-token' }

/** A provider, until the test is over; over TLS where it has a certificate. Returns its origin. */
export async function serve(handler: Handler, certificate?: Certificate): Promise<string> {
  const server = certificate ? createTlsServer(certificate, handler) : createServer(handler)
  const port = await listen(server, () => server.closeAllConnections())
  return certificate ? `https://localhost:${port}` : `http://127.0.0.1:${port}`
}

export async function forwarderTo(
  upstream: string,
  more: { headers?: Record<string, string>; variables?: Record<string, string> } = {},
): Promise<Forwarder> {
  const forwarder = await startForwarder({ upstream, exchanges, headers: {}, variables: {}, ...more })
  onTestFinished(() => forwarder.close())
  return forwarder
}

export interface ConnectProxy {
  url: string
  /** What it was asked for: 'CONNECT localhost:443 Basic ...'. */
  asked: string[]
  /** Everything that went through it towards the provider. */
  carried(): string
  /** Tunnels that are open. */
  readonly open: number
  /** Breaks every tunnel. */
  cut(): void
}

/** A proxy that knows CONNECT and nothing else. `answer`: its status line instead of a tunnel; '': none at all. */
export async function serveProxy(
  given: { answer?: string; certificate?: Certificate } = {},
): Promise<ConnectProxy> {
  const { answer, certificate } = given
  const asked: string[] = []
  const carried: Buffer[] = []
  const sockets = new Set<Socket>()
  const server = certificate ? createTlsServer(certificate) : createServer()
  server.on('connect', (incoming, socket: Socket) => {
    asked.push(`CONNECT ${incoming.url} ${incoming.headers['proxy-authorization'] ?? ''}`.trim())
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('end', () => socket.destroy())
    socket.on('close', () => sockets.delete(socket))
    if (answer !== undefined) {
      if (answer === '') socket.resume()
      else socket.end(`HTTP/1.1 ${answer}\r\n\r\n`)
      return
    }
    const { hostname, port } = new URL(`http://${incoming.url}`)
    const onward = connect(Number(port), hostname, () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
      socket.on('data', (chunk: Buffer) => carried.push(chunk))
      socket.pipe(onward).pipe(socket)
    })
    onward.on('error', () => socket.destroy())
    socket.on('close', () => onward.destroy())
    onward.on('close', () => socket.destroy())
  })
  const cut = () => {
    for (const socket of sockets) socket.destroy()
  }
  const port = await listen(server, cut)
  return {
    url: certificate ? `https://localhost:${port}` : `http://127.0.0.1:${port}`,
    asked,
    carried: () => Buffer.concat(carried).toString('latin1'),
    get open() {
      return sockets.size
    },
    cut,
  }
}

async function listen(server: Server, disconnect: () => void): Promise<number> {
  const port = await listening(server)
  onTestFinished(() => {
    disconnect()
    server.close()
  })
  return port
}

export async function textOf(stream: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = []
  for await (const chunk of stream) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}
