import { describe, expect, test } from 'vitest'
import type { BridgeTool } from '../../src/bridge.ts'
import { bearer, connect, startBridge } from './clients.ts'
import { callOf, echo, greeting, send, sendMcp } from './sending.ts'
import { raw } from './wire.ts'

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
