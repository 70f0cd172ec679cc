import { once } from 'node:events'
import { type IncomingMessage, type OutgoingHttpHeaders, request } from 'node:http'
import { connect as connectSocket } from 'node:net'
import { describe, expect, test } from 'vitest'
import type { BridgeSession, BridgeTool } from '../../src/bridge.ts'
import { bearer, connect, startBridge } from './clients.ts'
import { raw } from './wire.ts'

const echo: BridgeTool = {
  name: 'echo',
  description: 'Says it again.',
  input: { type: 'object' },
  execute: (input) => input,
}

interface Sent {
  method?: string
  path?: string
  headers?: OutgoingHttpHeaders
  body?: string
}

/** What fetch would not send: any Host, any header twice. */
async function send(session: BridgeSession, { method = 'POST', path, headers = {}, body = '{}' }: Sent) {
  const { port, pathname } = new URL(session.url)
  const outgoing = request({ host: '127.0.0.1', port, method, path: path ?? `${pathname}/tools/custom/echo` })
  for (const [name, value] of Object.entries({ ...bearer(session), ...headers })) {
    if (value === undefined) outgoing.removeHeader(name)
    else outgoing.setHeader(name, value)
  }
  outgoing.end(body)
  // Where the answer comes before all was sent, the rest of it may find the connection closed.
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage]
  outgoing.on('error', () => {})
  let text = ''
  for await (const chunk of response) text += chunk
  return { status: response.statusCode, headers: response.headers, text }
}

describe('a token', () => {
  test('is 256 bits, and another one for every session', async () => {
    const bridge = await startBridge([echo])
    const tokens = Array.from({ length: 50 }, () => bridge.openSession().token)
    expect(new Set(tokens).size).toBe(50)
    for (const token of tokens) expect(Buffer.from(token, 'base64url')).toHaveLength(32)
  })

  const routes = ['/mcp', '/tools/custom', '/tools/custom/echo', '/tools/custom/nothing', '/nowhere', '']

  test.each(routes)(
    'that is wrong, missing, foreign or expired is refused in one and the same way at "%s"',
    async (route) => {
      const bridge = await startBridge([echo])
      const session = bridge.openSession({ sessionId: 'one' })
      const other = bridge.openSession({ sessionId: 'two' })
      const ended = bridge.openSession({ sessionId: 'three' })
      await ended.close()
      const path = `/s/one${route}`
      const answers = await Promise.all([
        send(session, { path, headers: { authorization: undefined } }),
        send(session, { path, headers: { authorization: 'Bearer ' } }),
        send(session, { path, headers: { authorization: `Bearer ${session.token}x` } }),
        send(session, { path, headers: { authorization: `Bearer ${session.token.slice(1)}` } }),
        send(session, { path, headers: { authorization: `Basic ${session.token}` } }),
        send(session, { path, headers: { authorization: session.token } }),
        send(other, { path }),
        send(session, { path: `/s/two${route}` }),
        send(ended, { path: `/s/three${route}` }),
        send(session, { path: `/s/never${route}` }),
        send(session, { path: `/s/__proto__${route}` }),
      ])
      for (const { status, headers, text } of answers) {
        expect({ status, text, challenge: headers['www-authenticate'] }).toEqual({
          status: 401,
          text: '{"error":"This address needs the token of its session."}',
          challenge: 'Bearer',
        })
      }
      expect(bridge.logged).toHaveLength(11)
      for (const line of bridge.logged) {
        for (const { token } of [session, other, ended]) expect(line).not.toContain(token.slice(0, 8))
        expect(line).not.toMatch(/never|__proto__/)
      }
    },
  )

  test('is not looked for in the address', async () => {
    const bridge = await startBridge([echo])
    const session = bridge.openSession()
    const path = `${new URL(session.url).pathname}/tools/custom?token=${session.token}&access_token=${session.token}`
    expect(await send(session, { method: 'GET', path, headers: { authorization: undefined } })).toMatchObject(
      { status: 401 },
    )
    expect(bridge.logged.join()).not.toContain(session.token)
  })

  test('is good until its lifetime is over', async () => {
    const bridge = await startBridge([echo])
    const session = bridge.openSession({ lifetimeMs: 150 })
    expect(await send(session, {})).toMatchObject({ status: 200 })
    await expect.poll(async () => (await send(session, {})).status, { timeout: 5_000 }).toBe(401)
  })

  test('of an ended session is no good for the next one of the same name', async () => {
    const bridge = await startBridge([echo])
    const first = bridge.openSession({ sessionId: 'one' })
    await first.close()
    const second = bridge.openSession({ sessionId: 'one' })
    expect(await send(first, {})).toMatchObject({ status: 401 })
    expect(await send(second, {})).toMatchObject({ status: 200 })
  })
})

describe('where a request comes from', () => {
  test.each([
    ['evil.example'],
    ['evil.example:PORT'],
    ['127.0.0.1'],
    ['127.0.0.1:1'],
    ['127.0.0.1.evil.example:PORT'],
    ['localhost.evil.example:PORT'],
    ['user@127.0.0.1:PORT'],
    ['127.0.0.1:PORT, evil.example'],
    ['0.0.0.0:PORT'],
    [''],
  ])('with the Host "%s" it is refused', async (host) => {
    const bridge = await startBridge([echo])
    const session = bridge.openSession()
    const answer = await send(session, { headers: { host: host.replace('PORT', new URL(bridge.url).port) } })
    expect(answer.status).toBe(403)
    expect(bridge.logged).toEqual([
      'tool bridge: refused a request with 403: the Host header names another host.',
    ])
  })

  test.each(['127.0.0.1', 'localhost', 'LocalHost', '[::1]'])(
    'as the Host "%s" it is served',
    async (name) => {
      const bridge = await startBridge([echo])
      const headers = { host: `${name}:${new URL(bridge.url).port}` }
      expect(await send(bridge.openSession(), { headers })).toMatchObject({ status: 200 })
    },
  )

  test.each([
    'http://evil.example',
    'https://127.0.0.1.evil.example',
    'null',
    '',
    'http://127.0.0.1@evil.example',
    'file://',
    'http://localhost:1/',
  ])('from the Origin "%s" it is refused', async (origin) => {
    const bridge = await startBridge([echo])
    expect(await send(bridge.openSession(), { headers: { origin } })).toMatchObject({ status: 403 })
    expect(bridge.logged).toEqual(['tool bridge: refused a request with 403: the Origin is not on loopback.'])
  })

  test.each(['http://localhost:3000', 'http://127.0.0.1', 'https://[::1]:8443'])(
    'from the Origin "%s" it is served',
    async (origin) => {
      const bridge = await startBridge([echo])
      expect(await send(bridge.openSession(), { headers: { origin } })).toMatchObject({ status: 200 })
    },
  )

  test('two Hosts, no Host and a whole URL as the path are refused', async () => {
    const bridge = await startBridge([echo])
    const session = bridge.openSession()
    const { host, pathname } = new URL(session.url)
    const rest = `Authorization: Bearer ${session.token}\r\nConnection: close\r\n\r\n`
    expect(
      await raw(session, `GET ${pathname}/tools/custom HTTP/1.1\r\nHost: ${host}\r\nHost: evil\r\n${rest}`),
    ).toMatch(/^HTTP\/1\.1 40[03] /)
    expect(await raw(session, `GET ${pathname}/tools/custom HTTP/1.0\r\n${rest}`)).toMatch(/^HTTP\/1\.1 403 /)
    expect(
      await raw(session, `GET http://evil${pathname}/tools/custom HTTP/1.1\r\nHost: ${host}\r\n${rest}`),
    ).toMatch(/^HTTP\/1\.1 404 /)
  })

  test('nothing listens but the loopback', async () => {
    const bridge = await startBridge([echo])
    expect(bridge.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
    const socket = connectSocket(Number(new URL(bridge.url).port), '127.0.0.2')
    const [error] = await once(socket, 'error')
    expect(error).toMatchObject({ code: 'ECONNREFUSED' })
  })
})

describe('a body that is too long', () => {
  const limit = 10_000

  test('is refused by what it says of its length, before it is sent', async () => {
    const bridge = await startBridge([echo], { maxBodyBytes: limit })
    const session = bridge.openSession()
    const { host, pathname } = new URL(session.url)
    const head = `POST ${pathname}/tools/custom/echo HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${session.token}\r\n`
    expect(await raw(session, `${head}Content-Length: 10001\r\n\r\n`)).toMatch(/^HTTP\/1\.1 413 /)
    const expecting = `${head}Expect: 100-continue\r\nContent-Length: 999999999999\r\n\r\n`
    const answer = await raw(session, expecting)
    expect(answer).toMatch(/^HTTP\/1\.1 413 /)
  })

  test.each(['/mcp', '/tools/custom/echo'])(
    'is refused at %s while it is sent, whoever does not say its length',
    async (route) => {
      const bridge = await startBridge([echo], { maxBodyBytes: limit })
      const session = bridge.openSession()
      const chunk = Buffer.alloc(1_000, 'x')
      let sent = 0
      const body = new ReadableStream<Uint8Array>({
        pull(controller) {
          sent += chunk.length
          // 500 MB, if anyone took it.
          if (sent > 500_000_000) controller.close()
          else controller.enqueue(chunk)
        },
      })
      const headers = {
        ...bearer(session),
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      }
      const answered = await fetch(`${session.url}${route}`, {
        method: 'POST',
        headers,
        body,
        duplex: 'half',
      } as RequestInit)
      expect(answered.status).toBe(413)
      expect(await answered.text()).toContain('The body is longer than 10000 bytes.')
      expect(bridge.logged).toEqual([
        'tool bridge: refused a request with 413: the body is longer than 10000 bytes.',
      ])
    },
  )

  test('is not as long as the limit', async () => {
    const bridge = await startBridge([echo], { maxBodyBytes: limit })
    const body = JSON.stringify({ text: 'x'.repeat(limit - 11) })
    expect(body).toHaveLength(limit)
    expect(await send(bridge.openSession(), { body })).toMatchObject({ status: 200 })
    expect(await send(bridge.openSession(), { body: `${body} ` })).toMatchObject({ status: 413 })
  })

  test('of somebody without a token is not read at all', async () => {
    const bridge = await startBridge([echo], { maxBodyBytes: limit })
    const session = bridge.openSession()
    const body = 'x'.repeat(5_000_000)
    const answer = await send(session, {
      headers: { authorization: 'Bearer wrong', 'content-length': body.length },
      body,
    })
    expect(answer.status).toBe(401)
  })
})

test('half a request holds its connection for a while only, and nobody else', async () => {
  const bridge = await startBridge([echo])
  const session = bridge.openSession()
  const { host, pathname } = new URL(session.url)
  const head = `POST ${pathname}/tools/custom/echo HTTP/1.1\r\nHost: ${host}\r\n`
  const halves = Promise.all([
    raw(session, ''),
    raw(session, 'POST'),
    ...Array.from({ length: 100 }, () => raw(session, head)),
  ])
  expect(await send(session, {})).toMatchObject({ status: 200 })
  for (const answer of await halves) expect(answer).toMatch(/^(?:HTTP\/1\.1 408 |$)/)
})

describe('garbage', () => {
  test.each([
    ['no JSON', '{"jsonrpc"', 400, -32700],
    ['no message', '{"hello":1}', 400, -32000],
    ['nothing', '', 400, -32700],
    ['null', 'null', 400, -32000],
    ['a call before the greeting', '{"jsonrpc":"2.0","id":1,"method":"tools/list"}', 400, -32000],
    ['two greetings at once', JSON.stringify([greeting(), greeting()]), 400, -32000],
  ])('on the MCP route, %s, is answered with an error', async (_, body, status, code) => {
    const bridge = await startBridge([echo])
    const answer = await sendMcp(bridge.openSession(), body)
    expect(answer.status).toBe(status)
    expect(JSON.parse(answer.text).error.code).toBe(code)
  })

  test('to a client that has greeted is answered, and its session goes on', async () => {
    const bridge = await startBridge([echo])
    const session = bridge.openSession()
    const greeted = await sendMcp(session, JSON.stringify(greeting()))
    expect(greeted.status).toBe(200)
    const id = { 'mcp-session-id': String(greeted.headers['mcp-session-id']) }
    expect(await sendMcp(session, '{"hello":1}', id)).toMatchObject({ status: 400 })
    expect(await sendMcp(session, JSON.stringify(greeting()), id)).toMatchObject({ status: 400 })
    const batch = [1, 2, 3].map((n) => callOf(n, { n }))
    const answer = await sendMcp(session, JSON.stringify(batch), id)
    expect(answer.status).toBe(200)
    for (const n of [1, 2, 3]) expect(answer.text).toContain(`"text":"{\\"n\\":${n}}"`)
    expect(
      await sendMcp(session, JSON.stringify(Array.from({ length: 1_000 }, (_, n) => callOf(n, {}))), id),
    ).toMatchObject({ status: 400 })
    const foreign = { 'mcp-session-id': '00000000-0000-4000-8000-000000000000' }
    expect(await sendMcp(session, JSON.stringify(callOf(9, {})), foreign)).toMatchObject({ status: 404 })
    const other = bridge.openSession()
    expect(await sendMcp(other, JSON.stringify(callOf(9, {})), id)).toMatchObject({ status: 404 })
  })

  test('is a second request of the same id while the first is open', async () => {
    let finish: (answer: string) => void = () => {}
    const slow: BridgeTool = {
      ...echo,
      execute: () =>
        new Promise((resolve) => {
          finish = resolve
          called()
        }),
    }
    let called: () => void = () => {}
    const running = new Promise<void>((resolve) => {
      called = resolve
    })
    const bridge = await startBridge([slow])
    const session = bridge.openSession()
    const greeted = await sendMcp(session, JSON.stringify(greeting()))
    const id = { 'mcp-session-id': String(greeted.headers['mcp-session-id']) }
    const first = sendMcp(session, JSON.stringify(callOf(7, {})), id)
    await running
    expect(await sendMcp(session, JSON.stringify(callOf(7, {})), id)).toMatchObject({ status: 400 })
    finish('First.')
    expect((await first).text).toContain('First.')
    expect(await sendMcp(session, JSON.stringify([callOf(8, {}), callOf(8, {})]), id)).toMatchObject({
      status: 400,
    })
  })

  test('that is no HTTP at all is answered and closed', async () => {
    const bridge = await startBridge([echo])
    expect(await raw(bridge.openSession(), 'hello\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 /)
  })

  test.each([
    ['GET', '/tools/mcp', 400],
    ['GET', '/tools', 404],
    ['GET', '/tools/virtual/echo/more', 404],
    ['GET', '/mcp/', 404],
    ['GET', '/../one/mcp', 404],
    ['GET', '/mcp', 400],
    ['DELETE', '/mcp', 400],
  ])('%s %s is answered with %i', async (method, route, status) => {
    const bridge = await startBridge([echo])
    const session = bridge.openSession({ sessionId: 'one' })
    expect(await send(session, { method, path: `/s/one${route}`, body: '' })).toMatchObject({ status })
  })
})

test.each([
  ['', 'GET', ['POST', 'PUT', 'DELETE', 'HEAD', 'OPTIONS', 'PATCH', 'TRACE']],
  ['/', 'GET', ['POST']],
  ['/mcp', 'GET, POST, DELETE', ['PUT', 'HEAD', 'OPTIONS', 'PATCH']],
  ['/tools/mcp', 'GET, POST, DELETE', ['PUT', 'OPTIONS']],
  ['/tools/custom', 'GET', ['POST', 'DELETE', 'OPTIONS']],
  ['/tools/virtual', 'GET', ['POST', 'DELETE']],
  ['/tools/custom/echo', 'POST', ['GET', 'PUT', 'OPTIONS']],
  ['/tools/virtual/echo', 'POST', ['GET', 'DELETE']],
])('a wrong method at "%s" hears the right ones: %s', async (route, allow, methods) => {
  const bridge = await startBridge([echo])
  const session = bridge.openSession({ sessionId: 'one' })
  for (const method of methods) {
    const answer = await send(session, { method, path: `/s/one${route}`, body: '' })
    expect({ method, status: answer.status, allow: answer.headers.allow }).toEqual({
      method,
      status: 405,
      allow,
    })
  }
})

test('nobody may keep what is answered, a refusal no more than an answer', async () => {
  const bridge = await startBridge([echo], { maxBodyBytes: 100 })
  const session = bridge.openSession({ sessionId: 'one' })
  const answers = await Promise.all([
    send(session, {}),
    send(session, { method: 'GET', path: '/s/one' }),
    send(session, { method: 'GET', path: '/s/one/nowhere', body: '' }),
    send(session, { path: '/nowhere' }),
    send(session, { body: '{' }),
    send(session, { body: 'x'.repeat(101) }),
    send(session, { method: 'PUT' }),
    send(session, { headers: { authorization: 'Bearer wrong' } }),
    send(session, { headers: { host: 'evil.example' } }),
    send(session, { path: '/s/one/tools/custom/nothing' }),
    sendMcp(session, '{'),
    sendMcp(session, '{}'),
    sendMcp(session, JSON.stringify(callOf(1, {})), { 'mcp-session-id': 'nobody' }),
    sendMcp(session, JSON.stringify(greeting()).slice(0, 50)),
  ])
  expect(answers.map(({ status, headers }) => [status, headers['cache-control']])).toEqual(
    [200, 200, 404, 404, 400, 413, 405, 401, 403, 404, 400, 400, 404, 400].map((status) => [
      status,
      'no-store',
    ]),
  )
})

describe('names that every object has', () => {
  const inherited = [
    '__proto__',
    'constructor',
    'toString',
    'hasOwnProperty',
    '%5F_proto__',
    '..%2fecho',
    '%',
  ]

  test.each(inherited)('"%s" is no tool where nobody made one', async (name) => {
    const bridge = await startBridge([echo])
    const session = bridge.openSession()
    expect(
      await send(session, { path: `${new URL(session.url).pathname}/tools/custom/${name}` }),
    ).toMatchObject({ status: 404 })
    const client = await connect(session)
    await expect(client.callTool({ name, arguments: {} })).rejects.toThrow(/no tool/)
  })

  test('are good names for tools, and for what goes in', async () => {
    const tools = ['__proto__', 'constructor'].map((name) => ({
      ...echo,
      name,
      execute: () => `This is ${name}.`,
    }))
    const bridge = await startBridge([...tools, echo])
    const client = await connect(bridge.openSession({ tools: ['__proto__', 'echo'] }))
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['__proto__', 'echo'])
    const { content } = await client.callTool({ name: '__proto__', arguments: {} })
    expect(content).toEqual([{ type: 'text', text: 'This is __proto__.' }])
    await expect(client.callTool({ name: 'constructor', arguments: {} })).rejects.toThrow(/no tool/)
    const polluted = await client.callTool({
      name: 'echo',
      arguments: JSON.parse('{"a":{"__proto__":{"polluted":1}}}'),
    })
    expect(polluted.content).toEqual([{ type: 'text', text: '{"a":{"__proto__":{"polluted":1}}}' }])
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false)
  })
})

function greeting() {
  const params = {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'test', version: '1' },
  }
  return { jsonrpc: '2.0', id: 0, method: 'initialize', params }
}

function callOf(id: number, input: object) {
  return { jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'echo', arguments: input } }
}

function sendMcp(session: BridgeSession, body: string, headers: OutgoingHttpHeaders = {}) {
  const accept = 'application/json, text/event-stream'
  const path = new URL(session.mcpUrl).pathname
  return send(session, { path, body, headers: { accept, 'content-type': 'application/json', ...headers } })
}
