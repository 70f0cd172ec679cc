// Who may talk to this server. It drives a shell, so a page of somebody else's must not: neither from another site in the same
// browser, nor under another name that leads to the loopback address.
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

export function createGuard() {
  const token = randomBytes(32).toString('base64url')
  const expected = createHash('sha256').update(token).digest()

  return {
    token,

    /** @returns why a request is refused, or undefined */
    refusal(request, url, port) {
      const hosts = [`127.0.0.1:${port}`, `localhost:${port}`]
      const { host, origin, authorization } = request.headers
      if (!hosts.includes(host)) return 'This is not the name of this server.'
      if (origin !== undefined && !hosts.some((each) => origin === `http://${each}`)) {
        return 'Another site asks.'
      }
      // The page itself is no secret; all that it does is.
      if (url.pathname === '/' && request.method === 'GET') return undefined
      // An EventSource can send no header.
      const given = authorization?.replace(/^Bearer /, '') ?? url.searchParams.get('token') ?? ''
      if (!timingSafeEqual(createHash('sha256').update(given).digest(), expected)) {
        return 'The token is wrong: open the address that the server printed.'
      }
      const isJson = request.headers['content-type'] === 'application/json'
      if (request.method === 'POST' && !isJson) return 'Only JSON is taken.'
      return undefined
    },
  }
}

/** What the page may do: run its own script, nothing else's, and talk to this server alone. */
export function contentSecurityPolicy(html) {
  const hashOf = (tag) => {
    const [, content = ''] = new RegExp(`<${tag}>([\\s\\S]*?)</${tag}>`).exec(html) ?? []
    return `'sha256-${createHash('sha256').update(content).digest('base64')}'`
  }
  return [
    "default-src 'none'",
    "connect-src 'self'",
    `script-src ${hashOf('script')}`,
    `style-src ${hashOf('style')}`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}
