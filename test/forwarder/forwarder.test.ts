import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { answerTo } from '../loopback.ts'
import { authorized, forwarderTo, serve, textOf } from './serving.ts'

test.each([
  [{ authorization: 'Bearer turn-token' }, { authorization: 'Bearer real-key' }],
  [{ 'x-api-key': 'turn-token' }, { 'x-api-key': 'real-key' }],
  [
    { 'x-goog-api-key': 'turn-token', 'x-other': 'kept' },
    { 'x-goog-api-key': 'real-key', 'x-other': 'kept' },
  ],
])(
  'the token in %j is exchanged; method, path, query, host and body go through',
  async (headers, expected) => {
    const seen: { method?: string; url?: string; headers: object; body: string }[] = []
    const upstream = await serve(async (incoming, response) => {
      const { method = '', url = '' } = incoming
      seen.push({ method, url, headers: incoming.headers, body: await textOf(incoming) })
      response.writeHead(201, { 'x-answer': 'yes', 'content-type': 'text/plain' }).end('answer')
    })
    const forwarder = await forwarderTo(`${upstream}/v1`, { headers: { 'X-Secret': 'held here' } })
    const answer = await fetch(`${forwarder.url}/messages?beta=true`, {
      method: 'PUT',
      headers,
      body: 'body',
    })
    expect([answer.status, answer.headers.get('x-answer'), await answer.text()]).toEqual([
      201,
      'yes',
      'answer',
    ])
    expect(seen).toHaveLength(1)
    expect(seen[0]).toMatchObject({ method: 'PUT', url: '/v1/messages?beta=true', body: 'body' })
    expect(seen[0]?.headers).toMatchObject({
      ...expected,
      'x-secret': 'held here',
      host: new URL(upstream).host,
    })
  },
)

test.each([
  ['no token', {}],
  ['another token', { authorization: 'Bearer turn-toke' }],
  ['a longer one', { authorization: 'Bearer turn-token-2' }],
])('%s is refused with one line, and the provider hears nothing of it', async (_, headers) => {
  let asked = 0
  const upstream = await serve((_incoming, response) => {
    asked++
    response.end()
  })
  const forwarder = await forwarderTo(upstream)
  const answer = await fetch(`${forwarder.url}/v1/messages`, { headers })
  expect(answer.status).toBe(401)
  expect(await answer.json()).toEqual({
    type: 'error',
    error: { type: 'authentication_error', message: 'This address needs the token of its turn.' },
  })
  expect(asked).toBe(0)
})

test.each(['/v2/models', '/', '/v1x', '/v1/../admin', '/v1/%2e%2e/admin', 'http://example.com/v1/messages'])(
  'it is no open proxy: %s is refused',
  async (path) => {
    let asked = 0
    const upstream = await serve((_incoming, response) => {
      asked++
      response.end()
    })
    const { port } = new URL((await forwarderTo(`${upstream}/v1`)).url)
    const asking = request({ host: '127.0.0.1', port, path, headers: authorized })
    asking.end()
    const answer = await answerTo(asking)
    answer.resume()
    expect([answer.statusCode, asked]).toEqual([404, 0])
  },
)

test('an answer streams: its first chunk is there before the second is sent', async () => {
  let sendSecond = () => {}
  const upstream = await serve((_incoming, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write('data: one\n\n')
    sendSecond = () => response.end('data: two\n\n')
  })
  const forwarder = await forwarderTo(upstream)
  const answer = await fetch(forwarder.url, { headers: authorized })
  const reader = answer.body?.getReader()
  const first = await reader?.read()
  expect(Buffer.from(first?.value ?? []).toString()).toBe('data: one\n\n')
  sendSecond()
  const second = await reader?.read()
  expect(Buffer.from(second?.value ?? []).toString()).toBe('data: two\n\n')
})

test('who stops listening stops the provider too', async () => {
  const closed = deferred()
  const upstream = await serve((_incoming, response) => {
    response.on('close', () => closed.resolve())
    response.write('data: one\n\n')
  })
  const forwarder = await forwarderTo(upstream)
  const stop = new AbortController()
  const answer = await fetch(forwarder.url, { headers: authorized, signal: stop.signal })
  await answer.body?.getReader().read()
  stop.abort()
  await closed.promise
})

test('an answer that breaks off breaks off here too, and never looks whole', async () => {
  const upstream = await serve((_incoming, response) => {
    response.write('data: one\n\n', () => response.destroy())
  })
  const forwarder = await forwarderTo(upstream)
  const answer = await fetch(forwarder.url, { headers: authorized })
  await expect(answer.text()).rejects.toThrow()
})

test('a body of 32 MB that is read slowly is not held in memory, and comes whole', async () => {
  const piece = Buffer.alloc(1024 * 1024, 'x')
  let received = 0
  let paused = true
  const upstream = await serve((incoming, response) => {
    incoming.pause()
    setTimeout(() => {
      paused = false
      incoming.on('data', (chunk: Buffer) => {
        received += chunk.length
      })
      incoming.on('end', () => response.end(String(received)))
      incoming.resume()
    }, 300)
  })
  const { port } = new URL((await forwarderTo(upstream)).url)
  const asking = request({ host: '127.0.0.1', port, method: 'POST', path: '/', headers: authorized })
  let sentWhilePaused = 0
  for (let sent = 0; sent < 32; sent++) {
    if (!asking.write(piece)) await once(asking, 'drain')
    if (paused) sentWhilePaused = sent + 1
  }
  asking.end()
  const answer = await answerTo(asking)
  expect(await textOf(answer)).toBe(String(32 * 1024 * 1024))
  // What the sockets between hold, and no more.
  expect(sentWhilePaused).toBeLessThan(24)
})

test('a redirect is handed on, never followed: within the API through here again, to elsewhere without the key', async () => {
  const elsewhere: IncomingMessage['headers'][] = []
  const other = await serve((incoming, response) => {
    elsewhere.push(incoming.headers)
    response.end('other')
  })
  const upstream = await serve((incoming, response) => {
    const home = `http://${incoming.headers.host}`
    if (incoming.url === '/v1/moved') response.writeHead(307, { location: `${home}/v1/here?q=1` }).end()
    else if (incoming.url === '/v1/away') response.writeHead(307, { location: `${other}/v1/x` }).end()
    else response.end(`${incoming.headers.authorization} ${incoming.url}`)
  })
  const forwarder = await forwarderTo(`${upstream}/v1`)
  const moved = await fetch(`${forwarder.url}/moved`, { headers: authorized, redirect: 'manual' })
  expect(moved.headers.get('location')).toBe(`${forwarder.url}/here?q=1`)
  const followed = await fetch(`${forwarder.url}/moved`, { headers: authorized })
  expect(await followed.text()).toBe('Bearer real-key /v1/here?q=1')
  await fetch(`${forwarder.url}/away`, { headers: { 'x-api-key': 'turn-token' } })
  expect(JSON.stringify(elsewhere)).not.toContain('real-key')
  expect(elsewhere).toHaveLength(1)
})

test('a provider that cannot be reached is a connection that breaks, as without a forwarder', async () => {
  const forwarder = await forwarderTo('http://127.0.0.1:1/v1')
  const failure = await fetch(`${forwarder.url}/messages`, { headers: authorized }).catch((error) => error)
  expect(failure).toMatchObject({ message: 'fetch failed', cause: { code: 'UND_ERR_SOCKET' } })
})

test('an upgrade is refused with the word after which codex goes on over HTTP', async () => {
  const forwarder = await forwarderTo('http://127.0.0.1:1')
  const socket = connect(Number(new URL(forwarder.url).port), '127.0.0.1')
  socket.write('GET /v1/responses HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n')
  expect(await textOf(socket)).toMatch(/^HTTP\/1\.1 426 /)
})

test('once it is closed, the token is good for nothing and open connections are gone', async () => {
  const upstream = await serve((_incoming, response) => void response.write('data: one\n\n'))
  const forwarder = await forwarderTo(upstream)
  const answer = await fetch(forwarder.url, { headers: authorized })
  forwarder.close()
  await expect(answer.text()).rejects.toThrow()
  await expect(fetch(forwarder.url, { headers: authorized })).rejects.toThrow()
})

test('it goes through the proxy that the child would go through', async () => {
  const asked: unknown[] = []
  const proxy = await serve((incoming, response) => {
    asked.push([incoming.url, incoming.headers.authorization, incoming.headers['proxy-authorization']])
    response.end('by proxy')
  })
  const forwarder = await forwarderTo('http://provider.invalid/v1', {
    variables: { HTTP_PROXY: proxy.replace('//', '//user:word@') },
  })
  const answer = await fetch(`${forwarder.url}/messages`, { headers: authorized })
  expect(await answer.text()).toBe('by proxy')
  expect(asked).toEqual([
    ['http://provider.invalid/v1/messages', 'Bearer real-key', `Basic ${btoa('user:word')}`],
  ])
})

function deferred() {
  let resolve = () => {}
  const promise = new Promise<void>((done) => {
    resolve = done
  })
  return { promise, resolve }
}
