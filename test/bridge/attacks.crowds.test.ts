import { once } from 'node:events'
import { describe, expect, test } from 'vitest'
import { callByHttp, connect, startBridge } from './clients.ts'
import { counting } from './raw-requests.ts'
import { dial } from './wire.ts'

describe('many', () => {
  test('1,000 idle connections, half of them with half a request, keep nobody from being served, nor the bridge from closing', async () => {
    const { tool } = counting()
    const bridge = await startBridge([tool])
    const session = bridge.openSession()
    const sockets = Array.from({ length: 1_000 }, () => dial(session))
    await Promise.all(sockets.map((socket) => once(socket, 'connect')))
    for (const socket of sockets.slice(0, 500)) socket.write('POST /s/')
    expect(await callByHttp(session, 'count', '{}')).toMatchObject({ status: 200 })
    const closed = Promise.all(sockets.map((socket) => once(socket.resume(), 'close')))
    const before = Date.now()
    await bridge.close()
    await closed
    expect(Date.now() - before).toBeLessThan(5_000)
  })

  test('2,000 sessions answer each its own token', async () => {
    const bridge = await startBridge([{ ...counting().tool, execute: (_, { sessionId }) => sessionId }])
    const sessions = Array.from({ length: 2_000 }, (_, index) =>
      bridge.openSession({ sessionId: `s${index}` }),
    )
    for (const index of [0, 999, 1_999]) {
      const session = sessions[index]
      const neighbour = sessions[(index + 1) % 2_000]
      if (!session || !neighbour) throw new Error('There are 2,000.')
      expect(await callByHttp(session, 'count', '{}')).toMatchObject({
        status: 200,
        body: { content: [{ text: `s${index}` }] },
      })
      expect(await callByHttp({ ...session, token: neighbour.token }, 'count', '{}')).toMatchObject({
        status: 401,
      })
    }
  })

  test('streams that are left open are ended by the end of their session and of the bridge', async () => {
    const bridge = await startBridge([counting().tool])
    const streams = await Promise.all(
      Array.from({ length: 20 }, async () => {
        const session = bridge.openSession()
        const client = await connect(session)
        return {
          session,
          client,
          ended: new Promise<void>((resolve) => {
            client.onclose = () => resolve()
          }),
        }
      }),
    )
    const before = Date.now()
    await streams[0]?.session.close()
    await bridge.close()
    expect(Date.now() - before).toBeLessThan(3_000)
    await expect(fetch(bridge.url)).rejects.toThrow()
  })
})
