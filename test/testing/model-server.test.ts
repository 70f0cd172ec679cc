import { afterEach, describe, expect, it } from 'vitest'
import { longAnswer, scenarios } from '../../src/testing/scenarios.ts'
import { ask, opening, server, start } from './asking-model-server.ts'
import { at, readEvents } from './server-sent-events.ts'

afterEach(() => server.close())

const apis = ['anthropic', 'openai-responses', 'openai-chat'] as const

describe.each(apis)('%s', (api) => {
  it('answers a scripted error with that status, its message and retry-after', async () => {
    await start([{ status: 429, retryAfter: 7, errorMessage: 'slow down' }])
    const response = await ask(api, { ...opening[api], stream: true })
    expect(response.status).toBe(429)
    expect(response.headers.get('retry-after')).toBe('7')
    expect(at(await response.json(), 'error', 'message')).toBe('slow down')
  })

  it('cuts the connection after exactly so many deltas', async () => {
    await start([{ text: ['1', '2', '3', '4'], cutAfter: 2 }])
    const { events, cut } = await readEvents(await ask(api, { ...opening[api], stream: true }))
    expect(cut).toBe(true)
    const paths = {
      anthropic: ['delta', 'text'],
      'openai-responses': ['delta'],
      'openai-chat': ['choices', 0, 'delta', 'content'],
    }
    const streamed = events.map((event) => at(event.data, ...paths[api]))
    expect(streamed.filter(Boolean)).toEqual(['1', '2'])
  })

  it('gives a request without streaming its own reply where the scenario has one', async () => {
    await start(scenarios.connectionCut)
    const answer = JSON.stringify(await (await ask(api, opening[api])).json())
    expect(answer).toContain('Asked again in one piece, the model says something else.')
  })

  it('fails once and then goes on, for the scenario overloadedOnce', async () => {
    await start(scenarios.overloadedOnce)
    const statuses: number[] = []
    for (let attempt = 0; attempt < 3; attempt++) statuses.push((await ask(api, opening[api])).status)
    expect(statuses).toEqual([529, 200, 200])
  })

  it('goes silent where the scenario hangs, and close() ends that connection', async () => {
    await start([{ text: ['1', '2', '3'], hangAfter: 1 }])
    const response = await ask(api, { ...opening[api], stream: true })
    const reader = response.body?.getReader()
    expect((await reader?.read())?.done).toBe(false)
    await server.close()
    await expect(drain(reader)).rejects.toThrow()
  })

  it('says where it is as that API’s own SDK wants to hear it', async () => {
    await start(scenarios.text)
    expect(server.endpointFor(api)).toEqual({
      url: api === 'anthropic' ? server.url : `${server.url}/v1`,
      api,
      credential: 'loopback',
    })
  })
})

async function drain(reader: ReadableStreamDefaultReader<Uint8Array> | undefined): Promise<void> {
  for (;;) if ((await reader?.read())?.done ?? true) return
}

describe('The server', () => {
  it('records what was asked: headers, body, tools and instructions', async () => {
    await start(scenarios.text)
    const body = {
      ...opening.anthropic,
      system: [
        { type: 'text', text: 'Be' },
        { type: 'text', text: 'kind.' },
      ],
      tools: [{ name: 'Read' }, { name: 'Bash' }],
    }
    await fetch(`${server.url}/v1/messages?beta=true`, {
      method: 'POST',
      headers: { 'x-api-key': 'k' },
      body: JSON.stringify(body),
    })
    expect(server.requests).toMatchObject([
      {
        api: 'anthropic',
        method: 'POST',
        path: '/v1/messages?beta=true',
        model: 'm',
        stream: false,
        offeredTools: ['Read', 'Bash'],
        instructions: 'Be\nkind.',
        userTexts: ['hi'],
        headers: { 'x-api-key': 'k' },
        body,
      },
    ])
  })

  it.each([
    ['HEAD', '/', ''],
    ['GET', '/v1/models', '{"object":"list","data":[]}'],
    ['POST', '/v1/messages/count_tokens?beta=true', '{"input_tokens":120}'],
    ['POST', '/api/event_logging/batch', '{}'],
  ])('answers the probe %s %s', async (method, path, text) => {
    await start(scenarios.text)
    const response = await fetch(server.url + path, { method })
    expect([response.status, await response.text()]).toEqual([200, text])
    expect(server.requests[0]?.api).toBe('other')
  })

  it('plays another scenario when told so', async () => {
    await start(scenarios.unauthorized)
    expect((await ask('anthropic', opening.anthropic)).status).toBe(401)
    server.play(scenarios.text)
    expect((await ask('anthropic', opening.anthropic)).status).toBe(200)
  })

  it('streams a long answer whole', async () => {
    await start(longAnswer(500))
    const { events } = await readEvents(await ask('anthropic', { ...opening.anthropic, stream: true }))
    const text = events.map((event) => at(event.data, 'delta', 'text') ?? '').join('')
    expect(text.split('\n')).toHaveLength(502)
    expect(text.endsWith('| 500 | Tórshavn | calm sea, wind from the west |')).toBe(true)
  })

  it('can be closed twice', async () => {
    await start(scenarios.text)
    await server.close()
    await server.close()
  })
})
