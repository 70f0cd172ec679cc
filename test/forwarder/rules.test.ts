import { once } from 'node:events'
import { request } from 'node:http'
import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { answerTo } from '../loopback.ts'
import { authorized, forwarderTo, serve, textOf } from './serving.ts'

/** What the rules of the forwarder keep out, each seen at the provider as it arrived. */

/** The headers that a request with these arrived with, as they stood on the wire. */
async function arrived(headers: Record<string, string>, held: Record<string, string> = {}) {
  const seen: string[][] = []
  const upstream = await serve((incoming, response) => {
    seen.push(incoming.rawHeaders)
    response.end()
  })
  const { port } = new URL((await forwarderTo(upstream, { headers: held })).url)
  const asking = request({ host: '127.0.0.1', port, path: '/', headers: { ...authorized, ...headers } })
  asking.end()
  const answer = await answerTo(asking)
  answer.resume()
  const [raw = []] = seen
  const values = (wanted: string) =>
    raw.filter((_, index) => index % 2 === 1 && raw[index - 1]?.toLowerCase() === wanted)
  return { upstream, values }
}

test('the provider is told its own name, and no other', async () => {
  const { upstream, values } = await arrived({ host: 'elsewhere.test' })
  expect(values('host')).toEqual([new URL(upstream).host])
})

test('a header that is held here stands in the place of one that the child makes up', async () => {
  const { values } = await arrived({ 'x-secret': 'made up' }, { 'X-Secret': 'held here' })
  expect(values('x-secret')).toEqual(['held here'])
})

test('what is meant for the connection to here, or for a proxy, goes no further', async () => {
  const { values } = await arrived({
    'proxy-authorization': 'Basic dXNlcjp3b3Jk',
    te: 'trailers',
    connection: 'keep-alive, x-hop',
    'x-hop': 'mine',
    'x-end': 'kept',
  })
  expect(['proxy-authorization', 'te', 'x-hop', 'x-end'].map(values)).toEqual([[], [], [], ['kept']])
})

test('an absolute url is refused, also where all paths of the API are allowed', async () => {
  let asked = 0
  const upstream = await serve((_incoming, response) => {
    asked++
    response.end()
  })
  const { port } = new URL((await forwarderTo(upstream)).url)
  const asking = request({ host: '127.0.0.1', port, path: 'http://example.com/v1', headers: authorized })
  asking.end()
  const answer = await answerTo(asking)
  answer.resume()
  expect([answer.statusCode, asked]).toEqual([404, 0])
})

test('it makes no tunnels', async () => {
  const forwarder = await forwarderTo('http://127.0.0.1:1')
  const socket = connect(Number(new URL(forwarder.url).port), '127.0.0.1')
  socket.write('CONNECT 127.0.0.1:22 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer turn-token\r\n\r\n')
  expect(await textOf(socket)).toBe('')
})

test('the head of an answer is there before its first word', async () => {
  const upstream = await serve((_incoming, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.flushHeaders()
  })
  const forwarder = await forwarderTo(upstream)
  const answer = await fetch(forwarder.url, { headers: authorized })
  expect(answer.headers.get('content-type')).toBe('text/event-stream')
})

test('a request that is half said when it closes is not waited for', async () => {
  const forwarder = await forwarderTo('http://127.0.0.1:1')
  const socket = connect(Number(new URL(forwarder.url).port), '127.0.0.1')
  await once(socket, 'connect')
  socket.write('POST / HTTP/1.1\r\nHost: x\r\n')
  await new Promise((resolve) => setTimeout(resolve, 50))
  forwarder.close()
  socket.on('error', () => {})
  await once(socket, 'close')
})
