import { describe, expect, test } from 'vitest'
import type { BridgeTool } from '../../src/bridge.ts'
import { callByHttp, connect, startBridge } from './clients.ts'
import { counting } from './raw-requests.ts'

describe('a function', () => {
  const hostile = new Proxy(
    {},
    {
      get: () => {
        throw new Error('no')
      },
      getPrototypeOf: () => {
        throw new Error('no')
      },
    },
  )
  const rude = Object.defineProperty(new Error('x'), 'message', {
    get: () => {
      throw new Error('no')
    },
  })
  const thenless = Object.defineProperty({}, 'then', {
    get: () => {
      throw new Error('Then.')
    },
  })
  const circle: Record<string, unknown> = {}
  circle.self = circle
  const failures: [string, () => unknown, string | RegExp][] = [
    [
      'that throws a text',
      () => {
        throw 'Closed.'
      },
      'Closed.',
    ],
    [
      'that throws nothing',
      () => {
        throw undefined
      },
      'undefined',
    ],
    [
      'that throws a symbol',
      () => {
        throw Symbol('x')
      },
      'Symbol(x)',
    ],
    [
      'that throws an object without words',
      () => {
        throw hostile
      },
      'an object without words',
    ],
    [
      'whose error has no message to give',
      () => {
        throw rude
      },
      'an object without words',
    ],
    [
      'whose error has an empty one',
      () => {
        throw new Error('')
      },
      'The tool failed without a message.',
    ],
    ['that returns a circle', () => circle, /cannot be said as JSON/],
    ['that returns a function', () => () => 'x', /cannot be said as JSON: it is a function/],
    ['that returns a symbol', () => Symbol('x'), /cannot be said as JSON: it is a symbol/],
    [
      'that throws half of a surrogate pair',
      () => {
        throw new Error('cut \ud83d')
      },
      'cut \ufffd',
    ],
    ['that returns what cannot be read', () => hostile, /./],
    ['that returns a promise that throws', () => thenless, 'Then.'],
    ['that returns 100 MB', () => 'x'.repeat(100_000_000), /is longer than 16777216 characters/],
    [
      'that returns 100 MB in blocks',
      () => [{ type: 'text', text: 'x'.repeat(100_000_000) }],
      /is longer than/,
    ],
    [
      'whose toJSON throws',
      () => ({
        toJSON() {
          throw new Error('No JSON.')
        },
      }),
      /cannot be said as JSON/,
    ],
  ]
  test.each(failures)(
    '%s is an error to whoever called, and the bridge goes on',
    async (_, execute, said) => {
      const { tool } = counting()
      const bridge = await startBridge([{ ...tool, name: 'odd', execute }, tool])
      const session = bridge.openSession()
      const { status, body } = await callByHttp(session, 'odd', '{}')
      expect({ status, body }).toEqual({
        status: 500,
        body: {
          isError: true,
          content: [{ type: 'text', text: typeof said === 'string' ? said : expect.stringMatching(said) }],
        },
      })
      expect(bridge.logged).toEqual([
        expect.stringMatching(/^tool bridge: the tool "odd" failed in the session "/),
      ])
      expect(await callByHttp(session, 'count', '{}')).toMatchObject({ status: 200 })
    },
  )

  test.each<[string, unknown, string]>([
    ['a text', 'cut \ud83d', 'cut \ufffd'],
    ['a block', { type: 'text', text: '\ude00 cut' }, '\ufffd cut'],
    ['a whole pair, which stays', 'whole \ud83d\ude00', 'whole 😀'],
    ['words that only look like it', String.raw`\ud83d`, String.raw`\ud83d`],
  ])(
    'that returns half of a surrogate pair is answered with JSON that every CLI reads: %s',
    async (...row) => {
      const [, returned, said] = row
      const { tool } = counting()
      const bridge = await startBridge([{ ...tool, name: 'cut', execute: () => returned }])
      expect(await callByHttp(bridge.openSession(), 'cut', '{}')).toMatchObject({
        status: 200,
        body: { content: [{ type: 'text', text: said }] },
      })
    },
  )

  test('that returns nothing says so', async () => {
    const bridge = await startBridge([{ ...counting().tool, execute: () => undefined }])
    expect(await callByHttp(bridge.openSession(), 'count', '{}')).toEqual({
      status: 200,
      body: { content: [{ type: 'text', text: '(no output)' }] },
    })
  })

  test('that fails has nothing of its input, its answer or its error in the log', async () => {
    const failing: BridgeTool = {
      ...counting().tool,
      execute: (input) => {
        throw new TypeError(`No ${JSON.stringify(input)}\nfaked: a line`)
      },
    }
    const wrong: BridgeTool = {
      ...counting().tool,
      name: 'wrong',
      output: { type: 'object', additionalProperties: false },
      execute: (input) => input,
    }
    const bridge = await startBridge([failing, wrong])
    const session = bridge.openSession({ sessionId: 's' })
    await callByHttp(session, 'count', '{"card":"4111-1111"}')
    await callByHttp(session, 'wrong', '{"4111-1111":1}')
    expect(bridge.logged).toEqual([
      'tool bridge: the tool "count" failed in the session "s": it threw a TypeError.',
      'tool bridge: the tool "wrong" failed in the session "s": its answer is none that can be given.',
    ])
  })

  test('may say how far it is in any way, and after its end: only what is progress is passed on', async () => {
    let later: () => void = () => {}
    const talking: BridgeTool = {
      ...counting().tool,
      execute: (_, { progress }) => {
        for (const odd of [Number.NaN, Number.POSITIVE_INFINITY, 'x', undefined, {}]) progress(odd as number)
        progress(1, Number.NaN, 5 as unknown as string)
        later = () => progress(2)
        return 'Done.'
      },
    }
    const bridge = await startBridge([talking])
    const client = await connect(bridge.openSession())
    const heard: unknown[] = []
    const result = await client.callTool({ name: 'count', arguments: {} }, undefined, {
      onprogress: (said) => heard.push(said),
    })
    later()
    expect(result.content).toEqual([{ type: 'text', text: 'Done.' }])
    await client.callTool({ name: 'count', arguments: {} })
    expect(heard).toEqual([{ progress: 1 }])
  })

  test('that never settles after its signal holds neither its caller nor the end of the bridge', async () => {
    const bridge = await startBridge([{ ...counting().tool, execute: () => new Promise(() => {}) }], {
      callTimeoutMs: 50,
    })
    const session = bridge.openSession()
    const client = await connect(session)
    expect(await client.callTool({ name: 'count', arguments: {} })).toMatchObject({ isError: true })
    expect(await callByHttp(session, 'count', '{}')).toMatchObject({ status: 504 })
    const before = Date.now()
    await bridge.close()
    expect(Date.now() - before).toBeLessThan(2_000)
  })
})
