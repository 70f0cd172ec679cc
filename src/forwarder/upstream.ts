import { existsSync, readFileSync } from 'node:fs'
import * as http from 'node:http'
import * as https from 'node:https'
import { rootCertificates, type TLSSocket, connect as tlsConnect } from 'node:tls'
import { proxyFor, type Variables } from './proxy.ts'

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
  const settings = { keepAlive: true, timeout: idleMs }
  const agent = isTls ? new https.Agent({ ...settings, ca: trusted(variables) }) : new http.Agent(settings)
  const viaProxy = proxy === undefined ? undefined : new URL(proxy)

  async function request(method: string, path: string, headers: string[]): Promise<http.ClientRequest> {
    const host = { hostname: bareHost(base), port: base.port, method, headers }
    if (!viaProxy) return (isTls ? https : http).request({ ...host, path, agent })
    if (!isTls) {
      const through = viaProxy.protocol === 'https:' ? https : http
      const target = { hostname: bareHost(viaProxy), port: viaProxy.port, method }
      const all = [...headers, ...proxyAuthorization(viaProxy)]
      return through.request({ ...target, path: `${base.origin}${path}`, headers: all })
    }
    const socket = await tunnel(base, viaProxy, trusted(variables))
    return https.request({ ...host, path, agent: false, createConnection: () => socket })
  }

  return { request, close: () => agent.destroy() }
}

/** A TLS connection to the address, through the proxy. */
function tunnel(base: URL, proxy: URL, ca: string[] | undefined): Promise<TLSSocket> {
  const target = `${base.hostname}:${base.port || '443'}`
  return new Promise((resolve, reject) => {
    const connecting = (proxy.protocol === 'https:' ? https : http).request({
      hostname: bareHost(proxy),
      port: proxy.port,
      method: 'CONNECT',
      path: target,
      headers: ['Host', target, ...proxyAuthorization(proxy)],
      agent: false,
    })
    connecting.on('error', reject)
    connecting.on('connect', (response, socket) => {
      if (response.statusCode !== 200) {
        socket.destroy()
        reject(new Error(`the proxy answered CONNECT with ${response.statusCode}`))
        return
      }
      const name = bareHost(base)
      const secured = tlsConnect({ socket, servername: name, ca, ALPNProtocols: ['http/1.1'] })
      secured.once('secureConnect', () => resolve(secured))
      secured.once('error', reject)
    })
    connecting.end()
  })
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

/** Names of the variables by which the CLIs and their runtimes are told of more certificates. */
const certificateVariables = ['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'CODEX_CA_CERTIFICATE']
/** Where Linux distributions keep what the system trusts: codex trusts that, where Node has a list of its own. */
const systemCertificates = ['/etc/ssl/certs/ca-certificates.crt', '/etc/pki/tls/certs/ca-bundle.crt']

/** undefined: nothing but what Node trusts anyway. */
function trusted(variables: Variables): string[] | undefined {
  const named = certificateVariables.flatMap((name) => variables[name] ?? [])
  const files = [...named, ...systemCertificates].filter((file) => existsSync(file))
  return files.length === 0
    ? undefined
    : [...rootCertificates, ...files.map((file) => readFileSync(file, 'utf8'))]
}
