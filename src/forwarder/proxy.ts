/** Whatever looks up variables: names to values. */
export type Variables = Readonly<Record<string, string | undefined>>

/**
 * The proxy that a process with these variables goes through to this address, as curl and the CLIs read them; undefined: it
 * goes there itself.
 */
export function proxyFor(url: URL, variables: Variables): string | undefined {
  const proxy =
    url.protocol === 'https:'
      ? first(variables, 'https_proxy', 'HTTPS_PROXY', 'all_proxy', 'ALL_PROXY')
      : first(variables, 'http_proxy', 'HTTP_PROXY', 'all_proxy', 'ALL_PROXY')
  if (proxy === undefined || isExempt(url, first(variables, 'no_proxy', 'NO_PROXY') ?? '')) return undefined
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(proxy) ? proxy : `http://${proxy}`
}

/** Whether a forwarder can go through that proxy: one that speaks HTTP. */
export function isHttpProxy(proxy: string): boolean {
  return URL.canParse(proxy) && ['http:', 'https:'].includes(new URL(proxy).protocol)
}

/** What lets a process with these variables reach the loopback address directly; nothing where no proxy is in its way. */
export function directLoopback(variables: Variables): Record<string, string> {
  const here = new URL('http://127.0.0.1')
  const everywhere = new URL('https://127.0.0.1')
  if (proxyFor(here, variables) === undefined && proxyFor(everywhere, variables) === undefined) return {}
  const exempt = first(variables, 'no_proxy', 'NO_PROXY')
  const list = exempt === undefined ? '127.0.0.1' : `${exempt},127.0.0.1`
  return { NO_PROXY: list, no_proxy: list }
}

function isExempt({ hostname, port, protocol }: URL, list: string): boolean {
  const own = port || (protocol === 'https:' ? '443' : '80')
  return list
    .split(/[\s,]+/)
    .filter((entry) => entry !== '')
    .some((entry) => {
      if (entry === '*') return true
      const [, name = '', entryPort] = /^(.*?)(?::(\d+))?$/.exec(entry.toLowerCase()) ?? []
      if (entryPort !== undefined && entryPort !== own) return false
      const bare = name.replace(/^\*?\.?/, '')
      return hostname === bare || hostname.endsWith(`.${bare}`)
    })
}

function first(variables: Variables, ...names: string[]): string | undefined {
  for (const name of names) {
    const value = variables[name]?.trim()
    if (value) return value
  }
  return undefined
}
