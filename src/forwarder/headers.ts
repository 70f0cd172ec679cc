import { timingSafeEqual } from 'node:crypto'

/** Names and values in turn, as node:http has them: order, case and repetitions are kept. */
export type RawHeaders = readonly string[]

/** What counts for one connection alone (RFC 9110, 7.6.1), and what a proxy in between must not pass on. */
const hopByHop: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

/** Without what counts for this connection alone, and without `also` (lower case). */
export function endToEnd(headers: RawHeaders, also: readonly string[] = []): string[] {
  const named = pairs(headers).flatMap(([name, value]) =>
    name.toLowerCase() === 'connection' ? value.split(',').map((word) => word.trim().toLowerCase()) : [],
  )
  const dropped = new Set([...hopByHop, ...named, ...also])
  return pairs(headers).flatMap(([name, value]) => (dropped.has(name.toLowerCase()) ? [] : [name, value]))
}

/** These headers in the place of those that have the same name. */
export function withHeaders(headers: RawHeaders, added: Readonly<Record<string, string>>): string[] {
  const names = new Set(Object.keys(added).map((name) => name.toLowerCase()))
  return [
    ...pairs(headers).flatMap(([name, value]) => (names.has(name.toLowerCase()) ? [] : [name, value])),
    ...Object.entries(added).flat(),
  ]
}

/** The headers with the credential wherever its token stood; undefined: none stood anywhere. */
export function exchangeTokens(
  headers: RawHeaders,
  exchanges: readonly { token: string; credential: string }[],
): string[] | undefined {
  let found = false
  const exchanged = pairs(headers).flatMap(([name, value]) => {
    const words = value.split(/([\s,;=:"]+)/).map((word) => {
      for (const { token, credential } of exchanges) {
        if (!isSame(word, token)) continue
        found = true
        return credential
      }
      return word
    })
    return [name, words.join('')]
  })
  return found ? exchanged : undefined
}

/** In a time that tells nothing of where they differ. How long a token is is no secret. */
function isSame(given: string, expected: string): boolean {
  if (given.length !== expected.length) return false
  // Headers are latin1 on the wire, so a character is a byte.
  return timingSafeEqual(Buffer.from(given, 'latin1'), Buffer.from(expected, 'latin1'))
}

export function pairs(headers: RawHeaders): [string, string][] {
  const found: [string, string][] = []
  for (let index = 0; index + 1 < headers.length; index += 2) {
    found.push([headers[index] ?? '', headers[index + 1] ?? ''])
  }
  return found
}
