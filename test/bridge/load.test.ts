import { Agent, request } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { type BridgeSession, defineTool } from '../../src/bridge.ts'
import { bearer, connect, startBridge } from './clients.ts'

const sessionCount = 32

let open = 0
let mostOpen = 0
const stamp = defineTool({
  name: 'stamp',
  description: 'Says who asked what.',
  input: z.object({ number: z.int() }),
  output: z.object({ sessionId: z.string(), number: z.int() }),
  async execute({ number }, { sessionId }) {
    open += 1
    mostOpen = Math.max(mostOpen, open)
    // They overtake each other.
    await new Promise((resolve) => setTimeout(resolve, number % 7))
    open -= 1
    return { sessionId, number }
  },
})

test('10,000 calls from 32 sessions at once: none is lost, none answered to another', async () => {
  const bridge = await startBridge([stamp])
  const sessions = Array.from({ length: sessionCount }, (_, index) =>
    bridge.openSession({ sessionId: `session-${index}` }),
  )
  const agent = new Agent({ keepAlive: true, maxSockets: 128 })
  onTestFinished(() => agent.destroy())
  const calls = Array.from({ length: 10_000 }, (_, number) => {
    const session = sessions[number % sessionCount]
    return session ? post(agent, session, number) : ''
  })
  const answers = await Promise.all(calls)
  const wrong = answers.filter((answer, number) => {
    const expected = `{"sessionId":"session-${number % 32}","number":${number}}`
    return (
      answer !==
      `{"content":[{"type":"text","text":${JSON.stringify(expected)}}],"structuredContent":${expected}}`
    )
  })
  expect(wrong).toEqual([])
  expect(answers).toHaveLength(10_000)
  expect(mostOpen).toBeGreaterThan(32)
  expect(bridge.logged).toEqual([])
}, 120_000)

test('32 real MCP clients, each in its session, get their own answers and progress', async () => {
  const bridge = await startBridge([stamp])
  const sessions = Array.from({ length: sessionCount }, () => bridge.openSession())
  const clients = await Promise.all(sessions.map(connect))
  const wrong = await Promise.all(
    clients.map(async (client, index) => {
      const numbers = Array.from({ length: 25 }, (_, number) => index * 1_000 + number)
      const results = await Promise.all(
        numbers.map((number) => client.callTool({ name: 'stamp', arguments: { number } })),
      )
      const { sessionId } = sessions[index] ?? {}
      return results.filter(({ structuredContent }, at) => {
        return JSON.stringify(structuredContent) !== JSON.stringify({ sessionId, number: numbers[at] })
      })
    }),
  )
  expect(wrong.flat()).toEqual([])
}, 120_000)

/** Leaner than fetch, which would be most of what is measured. */
function post(agent: Agent, session: BridgeSession, number: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = bearer(session)
    const outgoing = request(
      `${session.url}/tools/custom/stamp`,
      { method: 'POST', agent, headers },
      (response) => {
        let text = ''
        response.setEncoding('utf8').on('data', (chunk) => {
          text += chunk
        })
        response.on('end', () => resolve(text)).on('error', reject)
      },
    )
    outgoing.on('error', reject).end(`{"number":${number}}`)
  })
}
