import { describe, expect, it, test } from 'vitest'
import { type BridgeTool, startToolBridge } from '../../src/bridge.ts'
import { deriveBridgeVariables, explainEnvironment, isAgentError, replay } from '../../src/index.ts'
import { checkPrompt, checkSessionOptions, checkTurnOptions } from '../../src/options/check.ts'

/** What no caller means to give, but gives: each is one clear refusal, and never an error of someone else's code. */

const boom = (): never => {
  throw new Error('boom')
}

class Instance {
  readonly a = 'b'
}

/** @param good what would be right in its place */
function oddValues(good: object): [string, unknown][] {
  const circle: unknown[] | Record<string, unknown> = Array.isArray(good) ? [...good] : { ...good }
  if (Array.isArray(circle)) circle.push(circle)
  else circle.self = circle
  const getter: object = Array.isArray(good) ? [...good] : { ...good }
  Object.defineProperty(getter, Object.keys(good)[0] ?? 'x', { enumerable: true, get: boom })
  const revoked = Proxy.revocable({}, {})
  revoked.revoke()
  let deep: object = {}
  for (let depth = 0; depth < 20_000; depth++) deep = { deep }
  return [
    ['Map', new Map(Object.entries(good))],
    ['Date', new Date(0)],
    ['Set', new Set()],
    ['bytes', Buffer.from('x')],
    ['Promise', Promise.resolve(good)],
    ['Error', new Error('e')],
    ['instance', Object.assign(new Instance(), good)],
    ['getter', getter],
    ['proxy', new Proxy(good, { get: boom, has: boom, ownKeys: boom, getPrototypeOf: boom })],
    ['revoked proxy', revoked.proxy],
    ['circle', circle],
    ['depth', deep],
    ['holes', new Array(3)],
    ['symbol', Symbol('x')],
    ['bigint', 1n],
  ]
}

const tool: BridgeTool = { name: 'a', description: 'b', input: { type: 'object' }, execute: () => '' }
const http = { type: 'http', url: 'http://127.0.0.1:9', headers: { a: 'b' } }

/** By the path of an option: what would be right there. */
const places: Record<string, object> = {
  prompt: [{ type: 'text', text: 'x' }],
  systemPrompt: { append: 'x' },
  outputSchema: { type: 'object' },
  'outputSchema.properties': { a: { type: 'string' } },
  conversations: { directory: 'x' },
  tools: { mode: 'native', allow: ['Bash'] },
  'tools.allow': ['Bash'],
  mcpServers: { a: http },
  'mcpServers.a': http,
  'mcpServers.a.headers': http.headers,
  bridge: [tool],
  'bridge.0.input': { type: 'object' },
  'bridge.0.output': { type: 'object' },
  'bridge.0.annotations': { title: 'x' },
  budgets: { totalMs: 5 },
  scope: { VAR_A: 'x' },
  environment: { A: 'b' },
  inherit: ['A'],
  credentials: { set: 'api-key' },
  redact: ['secret'],
  home: { directory: 'x' },
  endpoint: { url: 'http://127.0.0.1:9', headers: { a: 'b' } },
  configuration: { a: { b: 1 } },
  'configuration.a': { b: 1 },
  arguments: ['--x'],
  binary: ['x'],
  adapter: {},
  signal: new AbortController().signal,
}

/** Objects of a class may be these: `process.env` is nearly one, and a tool may well be one. */
const instancesAllowed = new Set(['environment'])

function optionsWith(path: string, value: unknown): object {
  const options = {
    adapter: 'claude-code',
    prompt: 'x',
    ...(path.startsWith('outputSchema.') && { outputSchema: { type: 'object' } }),
    ...(path.startsWith('mcpServers.') && { mcpServers: { a: { ...http } } }),
    ...(path.startsWith('bridge.') && { bridge: [{ ...tool }] }),
    ...(path.startsWith('tools.') && { tools: { mode: 'native' } }),
    ...(path.startsWith('configuration.') && { configuration: {} }),
  }
  const keys = path.split('.')
  const last = keys.pop() ?? ''
  Reflect.set(
    keys.reduce<object>((at, key) => Reflect.get(at, key), options),
    last,
    value,
  )
  return options
}

/** undefined: it was refused as it should be. */
function misjudged(check: () => unknown): unknown {
  try {
    check()
    return 'accepted'
  } catch (error) {
    if (!isAgentError(error)) return error
    const isClear = /^\S[^\n]{0,300}\.$/.test(error.message)
    return error.code === 'invalid_options' && isClear ? undefined : `${error.code}: ${error.message}`
  }
}

test.each(Object.entries(places))('as the option %s', (path, good) => {
  const wrong = oddValues(good).flatMap(([kind, value]) => {
    if (kind === 'instance' && instancesAllowed.has(path)) return []
    const found = misjudged(() => checkTurnOptions(optionsWith(path, value)))
    return found === undefined ? [] : [[kind, found]]
  })
  expect(wrong).toEqual([])
})

describe('as a whole', () => {
  const good = { adapter: 'claude-code', prompt: 'x' }
  const entries: [string, (value: never) => unknown][] = [
    ["a turn's options", checkTurnOptions],
    ["a session's options", checkSessionOptions],
    ["a recording's options", replay],
    ["a recording's turn", (options) => replay({ adapter: 'claude-code', stdout: [], options })],
    ['options to explain', explainEnvironment],
    ["a session's prompt", (prompt) => checkPrompt(checkTurnOptions(good), prompt)],
    ["a bridge's address", deriveBridgeVariables],
  ]
  it.each(entries)('%s', (_, check) => {
    const wrong = oddValues(good).flatMap(([kind, value]) => {
      const found = misjudged(() => check(value as never))
      return found === undefined ? [] : [[kind, found]]
    })
    expect(wrong).toEqual([])
  })

  it("a bridge's options, and those of its sessions", async () => {
    const bridge = await startToolBridge({ tools: [tool] })
    for (const [kind, value] of oddValues({ tools: ['a'], lifetimeMs: 5 })) {
      expect(
        misjudged(() => bridge.openSession(value as never)),
        kind,
      ).toBeUndefined()
      expect(
        misjudged(() => bridge.openSession({ tools: value as never })),
        kind,
      ).toBeUndefined()
    }
    await bridge.close()
    for (const [kind, value] of oddValues({ tools: [tool], callTimeoutMs: 5 })) {
      for (const options of [value, { tools: value }, { tools: [value] }]) {
        // A tool may be an instance of a class; this one is none.
        const refused = startToolBridge(options as never)
        await expect(refused, kind).rejects.toMatchObject({ code: 'invalid_options' })
      }
    }
  })
})

describe('is no odd value', () => {
  it('a proxy that behaves, an object without a prototype, a frozen one, process.env', () => {
    const plain = { totalMs: 5 }
    const budgets = [new Proxy(plain, {}), Object.assign(Object.create(null), plain), Object.freeze(plain)]
    for (const each of budgets) {
      expect(checkTurnOptions({ adapter: 'claude-code', prompt: 'x', budgets: each }).budgets.totalMs).toBe(5)
    }
    const { environment } = checkTurnOptions({
      adapter: 'claude-code',
      prompt: 'x',
      environment: process.env,
    })
    expect(environment?.PATH).toBe(process.env.PATH)
  })

  it('an object in two places', () => {
    const headers = { a: 'b' }
    const url = 'http://127.0.0.1:9'
    const mcpServers = { one: { type: 'http', url, headers }, two: { type: 'http', url, headers } }
    expect(checkTurnOptions({ adapter: 'claude-code', prompt: 'x', mcpServers }).mcpServers).toEqual(
      mcpServers,
    )
  })

  it('a tool that is an instance of a class, with its own fields and its getters', async () => {
    class Counter {
      readonly name = 'count'
      #count = 0
      get description() {
        return 'Counts.'
      }
      readonly input = { type: 'object' }
      execute() {
        this.#count += 1
        return String(this.#count)
      }
    }
    const bridge = await startToolBridge({ tools: [new Counter()] })
    const { variables, token } = bridge.openSession()
    const answers = []
    for (let call = 0; call < 2; call++) {
      const answer = await fetch(`${variables.MCP_CUSTOM}/count`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}` },
      })
      answers.push(await answer.json())
    }
    expect(answers).toEqual([
      { content: [{ type: 'text', text: '1' }] },
      { content: [{ type: 'text', text: '2' }] },
    ])
    await bridge.close()
  })
})

test('what was checked is what is used: a getter is asked once', () => {
  let asked = 0
  const scope = {
    get VAR_A() {
      asked += 1
      return String(asked)
    },
  }
  const checked = checkTurnOptions({ adapter: 'claude-code', prompt: 'x', scope })
  expect(checked.scope).toEqual({ VAR_A: '1' })
  expect(checked.scope).toEqual({ VAR_A: '1' })
})
