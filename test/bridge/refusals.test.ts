import { once } from 'node:events'
import { connect as connectSocket } from 'node:net'
import { describe, expect, test } from 'vitest'
import { startBridge } from './clients.ts'
import { callOf, echo, greeting, send, sendMcp } from './sending.ts'
import { raw } from './wire.ts'

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
