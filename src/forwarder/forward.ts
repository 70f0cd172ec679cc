import type { ClientRequest, IncomingMessage, ServerResponse } from 'node:http'
import { endToEnd, exchangeTokens, pairs, withHeaders } from './headers.ts'
import type { Upstream } from './upstream.ts'

/** A token, and what it stands for. */
export interface Exchange {
  token: string
  credential: string
}

export interface Forwarding {
  base: URL
  /** The base's path without a slash at its end; requests must lie below it. */
  prefix: string
  /** Where the child sees the same: 'http://127.0.0.1:49152'. */
  origin: string
  upstream: Upstream
  exchanges: readonly Exchange[]
  /** Secret headers that the child does not have. */
  headers: Readonly<Record<string, string>>
}

/** Takes one request to the upstream and its answer back, both as they flow. */
export async function forward(
  incoming: IncomingMessage,
  response: ServerResponse,
  forwarding: Forwarding,
): Promise<void> {
  const path = incoming.url ?? ''
  const headers = exchangeTokens(endToEnd(incoming.rawHeaders, ['host', 'expect']), forwarding.exchanges)
  if (!headers)
    return refuse(response, 401, 'authentication_error', 'This address needs the token of its turn.')
  if (!isBelow(path, forwarding.prefix)) {
    return refuse(response, 404, 'not_found_error', 'This address forwards to one API only.')
  }
  let outgoing: ClientRequest
  try {
    outgoing = await forwarding.upstream.request(incoming.method ?? 'GET', path, [
      'Host',
      forwarding.base.host,
      ...withHeaders(headers, forwarding.headers),
      ...('transfer-encoding' in incoming.headers ? ['Transfer-Encoding', 'chunked'] : []),
    ])
  } catch {
    return fail(response)
  }
  outgoing.on('error', () => fail(response))
  outgoing.on('response', (answer) => giveBack(answer, response, forwarding))
  // The child went away, or the answer is over: nobody waits for the rest.
  response.on('close', () => outgoing.destroy())
  if (response.destroyed) outgoing.destroy()
  incoming.pipe(outgoing)
}

function giveBack(answer: IncomingMessage, response: ServerResponse, forwarding: Forwarding): void {
  const headers = endToEnd(answer.rawHeaders)
  // Sends the head at once: the first chunk of a stream may be long in coming.
  response.writeHead(answer.statusCode ?? 502, answer.statusMessage, relocated(headers, forwarding))
  response.flushHeaders()
  answer.on('error', () => response.destroy())
  // An answer that broke off must not look whole.
  answer.on('close', () => {
    if (!answer.complete) response.destroy()
  })
  answer.pipe(response)
}

/** A redirect within the API leads through here again; one to elsewhere is the child's to follow, without the credential. */
function relocated(headers: string[], { base, origin, prefix }: Forwarding): string[] {
  return pairs(headers).flatMap(([name, value]) => {
    if (name.toLowerCase() !== 'location' || !URL.canParse(value)) return [name, value]
    const target = new URL(value)
    const isOurs = target.origin === base.origin && isBelow(target.pathname, prefix)
    return [
      name,
      isOurs ? `${origin}${value.slice(value.indexOf(target.pathname, base.protocol.length + 2))}` : value,
    ]
  })
}

/** An absolute URL begins with no slash, so it never is. */
function isBelow(path: string, prefix: string): boolean {
  const [pathname = ''] = path.split('?', 1)
  if (!pathname.startsWith('/') || /(?:^|[/\\])(?:\.|%2e){1,2}(?:[/\\]|$)/i.test(pathname)) return false
  return prefix === '' || pathname === prefix || pathname.startsWith(`${prefix}/`)
}

/**
 * The provider cannot be reached, or broke off: the child gets what it would have got without us, a connection that breaks. An
 * answer of our own would be the provider's word to it, "overloaded" for instance.
 */
function fail(response: ServerResponse): void {
  response.destroy()
}

/** In the form that the providers' own errors have. */
export function refuse(response: ServerResponse, status: number, type: string, message: string): void {
  if (response.headersSent || response.destroyed) return
  const body = JSON.stringify({ type: 'error', error: { type, message } })
  response.writeHead(status, {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body),
  })
  response.end(body)
}
