import * as http from 'node:http'
import * as https from 'node:https'
import { isIP, type Socket } from 'node:net'
import { type SecureContext, type TLSSocket, connect as tlsConnect } from 'node:tls'
import { proxyFor, type Variables } from './proxy.ts'
import { trustOf } from './trust.ts'

/** Where requests go, and on which way. */
export interface Upstream {
  /** Starts a request; its body is still to be written. `path` begins with a slash. */
  request(method: string, path: string, headers: string[]): Promise<http.ClientRequest>
  close(): void
}

/** Past this time an idle connection may be one that the other side has just closed. */
const idleMs = 30_000

/** An address, reached as a child with these variables would reach it: through its proxy, trusting the certificates it trusts. */
export function openUpstream(base: URL, variables: Variables): Upstream {
  const isTls = base.protocol === 'https:'
  const proxy = proxyFor(base, variables)
  const viaProxy = proxy === undefined ? undefined : new URL(proxy)
  const settings = { keepAlive: true, timeout: idleMs }
  const needsTls = isTls || viaProxy?.protocol === 'https:'
  const secureContext = needsTls ? trustOf(variables) : undefined
  const agent = isTls ? new https.Agent({ ...settings, secureContext }) : new http.Agent(settings)
  const closing = new AbortController()

  async function request(method: string, path: string, headers: string[]): Promise<http.ClientRequest> {
    const host = { hostname: bareHost(base), port: base.port, method, headers }
    if (!viaProxy) return (isTls ? https : http).request({ ...host, path, agent })
    if (!isTls) {
      const target = { method, path: `${base.origin}${path}`, headers, secureContext }
      return askProxy(viaProxy, target)
    }
    const socket = await tunnel(base, viaProxy, secureContext, closing.signal)
    // With an agent, be it `false`, Node would not ask for this connection but make one of its own, past the proxy.
    return https.request({ ...host, path, createConnection: () => socket })
  }

  return {
    request,
    close() {
      closing.abort()
      agent.destroy()
    },
  }
}

/** A TLS connection to the address, through the proxy. */
async function tunnel(
  base: URL,
  proxy: URL,
  secureContext: SecureContext | undefined,
  signal: AbortSignal,
): Promise<TLSSocket> {
  const socket = await connectThrough(proxy, `${base.hostname}:${base.port || '443'}`, secureContext, signal)
  const host = bareHost(base)
  return new Promise((resolve, reject) => {
    // An address is no server name (RFC 6066), but what the certificate must be for.
    const name = isIP(host) === 0 ? { servername: host } : {}
    const secured = tlsConnect({ socket, host, ...name, secureContext, ALPNProtocols: ['http/1.1'] })
    const giveUp = () => secured.destroy(new Error('the turn is over'))
    signal.addEventListener('abort', giveUp, { once: true })
    secured.once('close', () => signal.removeEventListener('abort', giveUp))
    secured.once('secureConnect', () => resolve(secured))
    secured.once('error', reject)
  })
}

/** A connection to the target (host and port) that the proxy made. */
function connectThrough(
  proxy: URL,
  target: string,
  secureContext: SecureContext | undefined,
  signal: AbortSignal,
): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const headers = ['Host', target]
    const connecting = askProxy(proxy, {
      method: 'CONNECT',
      path: target,
      headers,
      secureContext,
      signal,
      agent: false,
    })
    connecting.on('error', reject)
    connecting.on('connect', (response, socket) => {
      const { statusCode = 0 } = response
      if (statusCode >= 200 && statusCode < 300) return resolve(socket)
      socket.destroy()
      reject(new Error(`the proxy answered CONNECT with ${statusCode}`))
    })
    connecting.end()
  })
}

type ProxyRequest = https.RequestOptions & { headers: string[]; secureContext: SecureContext | undefined }

function askProxy(proxy: URL, { headers, ...more }: ProxyRequest): http.ClientRequest {
  const options: https.RequestOptions = {
    ...more,
    hostname: bareHost(proxy),
    port: proxy.port,
    headers: [...headers, ...proxyAuthorization(proxy)],
  }
  return proxy.protocol === 'https:' ? https.request(options) : http.request(options)
}

function proxyAuthorization({ username, password }: URL): string[] {
  if (username === '') return []
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  return ['Proxy-Authorization', `Basic ${Buffer.from(pair).toString('base64')}`]
}

/** Without the brackets of an IPv6 address, which are for addresses in writing. */
function bareHost({ hostname }: URL): string {
  return hostname.replace(/^\[(.*)\]$/, '$1')
}
