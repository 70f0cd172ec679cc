import { createHash, timingSafeEqual } from 'node:crypto'

/** What is wrong with where a request comes from; undefined: nothing. Never a value: it is a stranger's. */
export function refusedSource(headers: NodeJS.Dict<string[]>, port: number): string | undefined {
  const [host, ...more] = headers.host ?? []
  // A page whose name was rebound to this machine's loopback says its own name here.
  if (host === undefined || more.length > 0 || !ownHosts(port).includes(host.toLowerCase())) {
    return 'the Host header names another host'
  }
  if ((headers.origin ?? []).some((origin) => !isLoopback(origin))) return 'the Origin is not on loopback'
  return undefined
}

function ownHosts(port: number): string[] {
  return ['127.0.0.1', 'localhost', '[::1]'].map((name) => `${name}:${port}`)
}

function isLoopback(origin: string): boolean {
  return /^https?:\/\/(?:127\.0\.0\.1|localhost|\[::1\])(?::\d{1,5})?$/i.test(origin)
}

/** What a token is compared by: hashes have one length, so the comparison's time tells nothing. */
export type TokenDigest = Buffer

export function digestOf(token: string): TokenDigest {
  return createHash('sha256').update(token).digest()
}

const nobodys = Buffer.alloc(32)

/** A session that is not there takes as long to refuse as a wrong token. Of two tokens nobody knows which is meant. */
export function isBearer(headers: NodeJS.Dict<string[]>, expected: TokenDigest | undefined): boolean {
  const [only = '', ...more] = headers.authorization ?? []
  const [, token = ''] = (more.length === 0 && /^Bearer +(\S+) *$/i.exec(only)) || []
  return timingSafeEqual(digestOf(token), expected ?? nobodys) && expected !== undefined
}
