import type { Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { bridgeLog } from '../../src/bridge/bridge-log.ts'
import { readTools } from '../../src/bridge/served-tools.ts'
import { ToolServer } from '../../src/bridge/tool-server.ts'
import type { BridgeSession, BridgeTool } from '../../src/bridge.ts'
import { bearer, callByHttp, startBridge } from './clients.ts'
import { counting } from './raw-requests.ts'
import { answerOn, dial, raw } from './wire.ts'

function headOf(session: BridgeSession, more: readonly string[] = [], path = '/tools/custom/count'): string {
  const { host, pathname } = new URL(session.url)
  const lines = [
    `POST ${pathname}${path} HTTP/1.1`,
    `Host: ${host}`,
    `Authorization: Bearer ${session.token}`,
    ...more,
  ]
  return `${lines.join('\r\n')}\r\n\r\n`
}

describe('a request that two servers would cut in two places', () => {
  const chunk = '7\r\n{"a":1}\r\n0\r\n\r\n'
  const rows: [string, (session: BridgeSession) => string][] = [
    [
      'both lengths',
      (session) => headOf(session, ['Content-Length: 7', 'Transfer-Encoding: chunked']) + chunk,
    ],
    ['two lengths', (session) => `${headOf(session, ['Content-Length: 7', 'Content-Length: 8'])}{"a":1}`],
    ['a length with a sign', (session) => `${headOf(session, ['Content-Length: +7'])}{"a":1}`],
    ['two lengths in one', (session) => `${headOf(session, ['Content-Length: 7, 7'])}{"a":1}`],
    [
      'an encoding that is not the last',
      (session) => headOf(session, ['Transfer-Encoding: chunked, identity']) + chunk,
    ],
    ['an encoding of no name', (session) => headOf(session, ['Transfer-Encoding: xchunked']) + chunk],
    ['a space before the colon', (session) => headOf(session, ['Transfer-Encoding : chunked']) + chunk],
    ['a line that goes on', (session) => headOf(session, ['X: a', ' Content-Length: 7'])],
    [
      'a chunk of no length',
      (session) => `${headOf(session, ['Transfer-Encoding: chunked'])}zz\r\n{"a":1}\r\n0\r\n\r\n`,
    ],
    ['a NUL in a header', (session) => headOf(session, ['X: a\0b', 'Content-Length: 0'])],
    ['a bare line feed', (session) => headOf(session, ['Content-Length: 0']).replaceAll('\r\n', '\n')],
  ]
  test.each(rows)('by %s does nothing twice, and nothing hidden', async (_, bytesOf) => {
    const { tool, calls } = counting()
    const bridge = await startBridge([tool])
    const session = bridge.openSession()
    // Behind it stands one that would be heard by itself if the first were read as shorter than it is.
    const hidden = headOf(bridge.openSession(), ['Content-Length: 0', 'Connection: close'])
    const socket = dial(session)
    socket.write(bytesOf(session) + hidden)
    const text = await Promise.race([answerOn(socket), quiet(socket)])
    expect(text).toMatch(/^HTTP\/1\.1 400 /)
    expect(text.match(/HTTP\/1\.1/g)).toHaveLength(1)
    expect(calls).toEqual([])
  })

  test('requests one behind the other are each judged by themselves, and answered in turn', async () => {
    const { tool, calls } = counting()
    const bridge = await startBridge([tool])
    const session = bridge.openSession()
    const one = `${headOf(session, ['Content-Length: 7'])}{"a":1}`
    const foreign = one.replace(session.token, 'x'.repeat(43))
    const text = await raw(session, one + one + foreign + one)
    expect(text.match(/HTTP\/1\.1 \d+/g)?.slice(0, 3)).toEqual([
      'HTTP/1.1 200',
      'HTTP/1.1 200',
      'HTTP/1.1 401',
    ])
    expect(calls.slice(0, 2)).toEqual([{ a: 1 }, { a: 1 }])
  })
})

/** Nothing came for a while on a connection that stays open. */
function quiet(socket: Socket): Promise<string> {
  return new Promise((resolve) => {
    let text = ''
    socket
      .setTimeout(1_000, () => resolve(text))
      .on('data', (chunk) => {
        text += chunk
      })
  })
}

describe('who asks', () => {
  const host = (name: string) => (session: BridgeSession) => {
    const { port } = new URL(session.url)
    return headOf(session, ['Content-Length: 0', 'Connection: close']).replace(
      /Host: .*/,
      `Host: ${name}:${port}`,
    )
  }
  const authorization = (line: (token: string) => string) => (session: BridgeSession) =>
    headOf(session, ['Content-Length: 0', 'Connection: close']).replace(
      /Authorization: .*/,
      line(session.token),
    )
  const path = (changed: (path: string) => string) => (session: BridgeSession) => {
    const { pathname } = new URL(session.url)
    return headOf(session, ['Content-Length: 0', 'Connection: close']).replace(pathname, changed(pathname))
  }
  const rows: [string, (session: BridgeSession) => string, number][] = [
    ['a host with a dot at its end', host('localhost.'), 403],
    ['an address with a dot at its end', host('127.0.0.1.'), 403],
    ['a name that a stranger can point here', host('127.0.0.1.nip.io'), 403],
    ['another loopback address', host('127.0.0.2'), 403],
    ['the address as one number', host('2130706433'), 403],
    ['an address of the other family for this one', host('[::ffff:127.0.0.1]'), 403],
    ['the loopback of the other family', host('[::1]'), 200],
    ['a token by a small name', authorization((token) => `authorization: bearer ${token}`), 200],
    [
      'two tokens, the right one first',
      authorization((token) => `Authorization: Bearer ${token}\r\nAuthorization: Bearer x`),
      401,
    ],
    [
      'two tokens, the right one last',
      authorization((token) => `Authorization: Bearer x\r\nAuthorization: Bearer ${token}`),
      401,
    ],
    ['two tokens in one line', authorization((token) => `Authorization: Bearer x, Bearer ${token}`), 401],
    ['a token for a proxy', authorization((token) => `Proxy-Authorization: Bearer ${token}`), 401],
    ['a token in a cookie', authorization((token) => `Cookie: authorization=Bearer ${token}`), 401],
    ['a way back in the path', path((whole) => `/s/two/..${whole.slice(2)}`), 401],
    ['a way out of the path', path((whole) => `${whole}/../../..`), 404],
    ['a session in other letters', path((whole) => whole.replace('one', '%6fne')), 401],
    ['a session in large letters', path((whole) => whole.replace('one', 'ONE')), 401],
    ['a double slash', path((whole) => `/${whole}`), 404],
    ['a backslash', path((whole) => whole.replaceAll('/', '\\')), 400],
    ['no session', path(() => '/s/'), 404],
  ]
  test.each(rows)('by %s', async (_, bytesOf, status) => {
    const { tool, calls } = counting()
    const bridge = await startBridge([tool])
    const session = bridge.openSession({ sessionId: 'one' })
    bridge.openSession({ sessionId: 'two' })
    expect(await raw(session, bytesOf(session))).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
    expect(calls).toHaveLength(status === 200 ? 1 : 0)
    for (const line of bridge.logged) expect(line).not.toContain(session.token)
  })

  test.each([
    ['CONNECT', 'CONNECT 127.0.0.1:22 HTTP/1.1\r\nHost: 127.0.0.1:22\r\n\r\n', /^$/],
    [
      'a socket of the web',
      'GET /s/one HTTP/1.1\r\nHost: HOST\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
      /^HTTP\/1\.1 401 /,
    ],
    [
      'headers without end',
      `GET / HTTP/1.1\r\nHost: HOST\r\n${'X: y\r\n'.repeat(10_000)}\r\n`,
      /^HTTP\/1\.1 431 /,
    ],
    ['TLS', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', /^HTTP\/1\.1 400 /],
    [
      'another expectation',
      'POST /s/one/mcp HTTP/1.1\r\nHost: HOST\r\nExpect: much\r\nConnection: close\r\n\r\n',
      /^HTTP\/1\.1 417 /,
    ],
  ])('with %s comes to nothing', async (_, bytes, answer) => {
    const { tool } = counting()
    const bridge = await startBridge([tool])
    const session = bridge.openSession({ sessionId: 'one' })
    expect(await raw(session, bytes.replace('HOST', new URL(bridge.url).host))).toMatch(answer)
  })
})

describe('what is sent', () => {
  test('packed is not unpacked', async () => {
    const { tool, calls } = counting()
    const bridge = await startBridge([tool], { maxBodyBytes: 1_000_000 })
    const session = bridge.openSession()
    const bomb = gzipSync(Buffer.alloc(100_000_000, ' '))
    for (const route of ['/tools/custom/count', '/mcp']) {
      const answer = await fetch(`${session.url}${route}`, {
        method: 'POST',
        headers: { ...bearer(session), 'content-encoding': 'gzip', 'content-type': 'application/json' },
        body: bomb,
      })
      expect(answer.status).toBe(415)
      expect(await answer.text()).toContain('without a Content-Encoding')
    }
    expect(calls).toEqual([])
    expect(bridge.logged).toEqual(
      Array(2).fill('tool bridge: refused a request with 415: the body is encoded.'),
    )
  })

  test('as another type than JSON is no message of MCP', async () => {
    const bridge = await startBridge([counting().tool])
    const session = bridge.openSession()
    const greeting = {
      jsonrpc: '2.0',
      id: 0,
      method: 'initialize',
      params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
    }
    const answer = await fetch(session.mcpUrl, {
      method: 'POST',
      headers: {
        ...bearer(session),
        'content-type': 'text/plain',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify(greeting),
    })
    expect(answer.status).toBe(415)
    expect(answer.headers.get('mcp-session-id')).toBeNull()
  })

  test('a million deep is answered', async () => {
    const echo: BridgeTool = { ...counting().tool, execute: (input) => input }
    const bridge = await startBridge([echo])
    const session = bridge.openSession()
    const deep = `{"a":${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}}`
    const { status, body } = await callByHttp(session, 'count', deep)
    expect({ status, body }).toMatchObject({ status: 500, body: { isError: true } })
    expect(await callByHttp(session, 'count', '{}')).toMatchObject({ status: 200 })
  })

  test('letter by letter is given up', async () => {
    const logged: string[] = []
    const server = await ToolServer.listen({
      tools: readTools([counting().tool]),
      callTimeoutMs: 1_000,
      maxBodyBytes: 1_000,
      log: bridgeLog(({ message }) => logged.push(message)),
      patience: { headersTimeout: 300, requestTimeout: 600, connectionsCheckingInterval: 100 },
    })
    const session = server.openSession({})
    const full = { ...session, [Symbol.asyncDispose]: async () => {} } as unknown as BridgeSession
    const trickle = async (bytes: string) => {
      const socket = dial(full)
      const over = answerOn(socket)
      let at = 0
      const timer = setInterval(() => {
        if (socket.writable && at < bytes.length) socket.write(bytes.charAt(at++))
      }, 20)
      const text = await over
      clearInterval(timer)
      return text
    }
    const head = headOf(full, ['Content-Length: 900'])
    const inBody = (async () => {
      const socket = dial(full)
      socket.write(head)
      const over = answerOn(socket)
      const timer = setInterval(() => socket.writable && socket.write(' '), 20)
      const text = await over
      clearInterval(timer)
      return text
    })()
    expect(await trickle(head)).toMatch(/^HTTP\/1\.1 408 /)
    expect(await inBody).toMatch(/^(?:HTTP\/1\.1 408 |$)/)
    await server.close()
  })
})
