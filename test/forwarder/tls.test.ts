import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { makeCertificate } from './certificate.ts'
import { authorized, forwarderTo, serve, serveProxy, textOf } from './serving.ts'

/** The way to a provider as it is: TLS, certificates that only this machine trusts, a proxy that asks for CONNECT. */

const certificate = makeCertificate()
const stranger = makeCertificate()
const folder = mkdtempSync(join(tmpdir(), 'coxswain-tls-'))
const authority = join(folder, 'authority.pem')
writeFileSync(authority, certificate.cert)
afterAll(() => rmSync(folder, { recursive: true }))

const trusting = { NODE_EXTRA_CA_CERTS: authority }

/** Answers with what it was asked, at once. */
async function echo(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method, url, headers } = incoming
  const body = await textOf(incoming)
  response.end(JSON.stringify([method, url, headers.host, headers.authorization, body]))
}

/** The provider, and the variables of a child that goes there on this way. */
interface Way {
  provider: string
  variables: Record<string, string>
}

const ways: [string, (handler: Parameters<typeof serve>[0]) => Promise<Way>][] = [
  ['over TLS', async (handler) => ({ provider: await serve(handler, certificate), variables: trusting })],
  [
    'over TLS to an address',
    async (handler) => ({
      provider: (await serve(handler, certificate)).replace('localhost', '127.0.0.1'),
      variables: trusting,
    }),
  ],
  [
    'through a CONNECT proxy',
    async (handler) => ({
      provider: await serve(handler, certificate),
      variables: { ...trusting, HTTPS_PROXY: (await serveProxy()).url },
    }),
  ],
  [
    'through a CONNECT proxy to an address',
    async (handler) => ({
      provider: (await serve(handler, certificate)).replace('localhost', '127.0.0.1'),
      variables: { ...trusting, HTTPS_PROXY: (await serveProxy()).url },
    }),
  ],
  [
    'through a CONNECT proxy that speaks TLS itself',
    async (handler) => ({
      provider: await serve(handler, certificate),
      variables: { ...trusting, HTTPS_PROXY: (await serveProxy({ certificate })).url },
    }),
  ],
]

describe.each(ways)('%s', (_, way) => {
  test('the token is exchanged, and all the rest goes through', async () => {
    const warned = vi.spyOn(process, 'emitWarning')
    const { provider, variables } = await way(echo)
    const forwarder = await forwarderTo(`${provider}/v1`, { variables })
    const ask = (body: string) =>
      fetch(`${forwarder.url}/messages?beta=true`, { method: 'POST', headers: authorized, body })
    const host = new URL(provider).host
    // Twice: the second may find a connection that is open already.
    for (const body of ['one', 'two']) {
      const answer = await ask(body)
      expect(await answer.json()).toEqual(['POST', '/v1/messages?beta=true', host, 'Bearer real-key', body])
    }
    expect(warned.mock.calls).toEqual([])
  })

  test('a stream comes as it is sent, byte for byte, also when its next event is long in coming', async () => {
    const events = ['event: a\ndata: {"text":"na\u00efve \u2028 \u65e5"}\n\n', 'data: [DONE]\n\n']
    let sendSecond = () => {}
    const { provider, variables } = await way((_incoming, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' })
      response.write(events[0])
      sendSecond = () => response.end(events[1])
    })
    const forwarder = await forwarderTo(provider, { variables })
    const answer = await fetch(forwarder.url, { headers: authorized })
    expect(answer.headers.get('content-type')).toBe('text/event-stream')
    const reader = answer.body?.getReader()
    expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe(events[0])
    await new Promise((resolve) => setTimeout(resolve, 300))
    sendSecond()
    expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe(events[1])
    expect((await reader?.read())?.done).toBe(true)
  })

  test('an answer that is long in coming is waited for', async () => {
    const { provider, variables } = await way((_incoming, response) => {
      setTimeout(() => response.end('late'), 600)
    })
    const forwarder = await forwarderTo(provider, { variables })
    expect(await (await fetch(forwarder.url, { headers: authorized })).text()).toBe('late')
  })

  test.each([
    ['before its head', (response: ServerResponse) => response.socket?.destroy()],
    [
      'in mid-stream',
      (response: ServerResponse) => {
        response.write('data: one\n\n', () => response.socket?.destroy())
      },
    ],
  ])('an answer that breaks off %s breaks off here too', async (_title, breakOff) => {
    const { provider, variables } = await way((_incoming, response) => breakOff(response))
    const forwarder = await forwarderTo(provider, { variables })
    const reading = fetch(forwarder.url, { headers: authorized }).then((answer) => answer.text())
    await expect(reading).rejects.toThrow()
  })

  test('without the token, or for another address, the provider hears nothing', async () => {
    let asked = 0
    const { provider, variables } = await way((_incoming, response) => {
      asked++
      response.end()
    })
    const forwarder = await forwarderTo(`${provider}/v1`, { variables })
    const wrong = await fetch(`${forwarder.url}/messages`, {
      headers: { authorization: 'Bearer turn-tokem' },
    })
    const elsewhere = await fetch(new URL('/v2/messages', forwarder.url), { headers: authorized })
    expect([wrong.status, elsewhere.status, asked]).toEqual([401, 404, 0])
  })
})

test('a provider whose certificate nobody vouches for never hears of the key, with a proxy or without', async () => {
  let asked = 0
  const provider = await serve((_incoming, response) => {
    asked++
    response.end()
  }, stranger)
  const proxy = await serveProxy()
  for (const variables of [trusting, { ...trusting, HTTPS_PROXY: proxy.url }]) {
    const forwarder = await forwarderTo(provider, { variables })
    await expect(fetch(forwarder.url, { headers: authorized })).rejects.toThrow('fetch failed')
  }
  expect([asked, proxy.asked]).toEqual([0, [`CONNECT ${new URL(provider).host}`]])
})

test('a name that the certificate does not have is refused, also through a proxy', async () => {
  const provider = (await serve(echo, certificate)).replace('localhost', '127.0.0.2')
  const forwarder = await forwarderTo(provider, { variables: trusting })
  await expect(fetch(forwarder.url, { headers: authorized })).rejects.toThrow('fetch failed')
  const proxy = await serveProxy()
  const through = await forwarderTo(provider, { variables: { ...trusting, HTTPS_PROXY: proxy.url } })
  await expect(fetch(through.url, { headers: authorized })).rejects.toThrow('fetch failed')
})

describe('a CONNECT proxy', () => {
  test('is told where to go and who asks, and sees neither key nor token', async () => {
    const proxy = await serveProxy()
    const provider = await serve(echo, certificate)
    const variables = { ...trusting, HTTPS_PROXY: proxy.url.replace('//', '//user:w%40rd@') }
    const forwarder = await forwarderTo(provider, { variables })
    expect((await fetch(forwarder.url, { headers: authorized })).status).toBe(200)
    expect(proxy.asked).toEqual([`CONNECT ${new URL(provider).host} Basic ${btoa('user:w@rd')}`])
    expect(proxy.carried().length).toBeGreaterThan(0)
    expect(proxy.carried()).not.toMatch(/real-key|turn-token/)
  })

  test('is left aside where NO_PROXY says so', async () => {
    const proxy = await serveProxy()
    const provider = await serve(echo, certificate)
    const variables = { ...trusting, HTTPS_PROXY: proxy.url, NO_PROXY: 'example.com,localhost' }
    const forwarder = await forwarderTo(provider, { variables })
    expect((await fetch(forwarder.url, { headers: authorized })).status).toBe(200)
    expect(proxy.asked).toEqual([])
  })

  test.each(['407 Proxy Authentication Required', '502 Bad Gateway'])(
    'that answers %s is a connection that breaks, and the key stays here',
    async (answer) => {
      const provider = await serve(echo, certificate)
      const proxy = await serveProxy({ answer })
      const forwarder = await forwarderTo(provider, { variables: { ...trusting, HTTPS_PROXY: proxy.url } })
      await expect(fetch(forwarder.url, { headers: authorized })).rejects.toThrow('fetch failed')
      expect(proxy.asked).toHaveLength(1)
    },
  )

  test('that cannot be reached, or dies in mid-answer, is a connection that breaks', async () => {
    const provider = await serve((_incoming, response) => void response.write('data: one\n\n'), certificate)
    const nowhere = await forwarderTo(provider, {
      variables: { ...trusting, HTTPS_PROXY: 'http://127.0.0.1:1' },
    })
    await expect(fetch(nowhere.url, { headers: authorized })).rejects.toThrow('fetch failed')
    const proxy = await serveProxy()
    const forwarder = await forwarderTo(provider, { variables: { ...trusting, HTTPS_PROXY: proxy.url } })
    const answer = await fetch(forwarder.url, { headers: authorized })
    const reading = answer.text()
    proxy.cut()
    await expect(reading).rejects.toThrow()
  })

  test('that never answers is let go when the turn is over', async () => {
    const proxy = await serveProxy({ answer: '' })
    const forwarder = await forwarderTo('https://localhost:1', {
      variables: { ...trusting, HTTPS_PROXY: proxy.url },
    })
    const asking = fetch(forwarder.url, { headers: authorized }).catch(() => 'broken')
    await vi.waitFor(() => expect(proxy.open).toBe(1))
    forwarder.close()
    expect(await asking).toBe('broken')
    await vi.waitFor(() => expect(proxy.open).toBe(0))
  })

  test('who stops listening ends the tunnel and what the provider was doing', async () => {
    let providerClosed = false
    const provider = await serve((_incoming, response) => {
      response.on('close', () => {
        providerClosed = true
      })
      response.write('data: one\n\n')
    }, certificate)
    const proxy = await serveProxy()
    const forwarder = await forwarderTo(provider, { variables: { ...trusting, HTTPS_PROXY: proxy.url } })
    const stop = new AbortController()
    const answer = await fetch(forwarder.url, { headers: authorized, signal: stop.signal })
    await answer.body?.getReader().read()
    stop.abort()
    await vi.waitFor(() => expect([providerClosed, proxy.open]).toEqual([true, 0]))
  })
})
