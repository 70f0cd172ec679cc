import { describe, expect, expectTypeOf, it } from 'vitest'
import { adapters } from '../../src/adapters/registry.ts'
import type { BridgeSessionOptions, ToolBridgeOptions } from '../../src/bridge.ts'
import { environmentFingerprint, grantEnvironment } from '../../src/env.ts'
import type { Adapter, BridgeTool, Schema, TurnOptions } from '../../src/index.ts'
import { checkTurnOptions } from '../../src/options/check.ts'
import { turnOptionsSchema } from '../../src/options/schema.ts'
import type { Decision, SessionOptions } from '../../src/options/turn-options.ts'
import { Interactions } from '../../src/run/interactions.ts'
import type { ReplayOptions } from '../../src/run/replay.ts'
import type { Scenario } from '../../src/testing.ts'

const base = { adapter: 'codex-cli', prompt: 'hello' }
const plain = (options: TurnOptions<Schema>) => ({ ...checkTurnOptions(options), parsed: undefined })

describe('what is undefined counts as left out', () => {
  const optional = Object.keys(turnOptionsSchema.shape).filter((name) => !(name in base))

  it.each(optional)('%s', (name) => {
    expect(plain({ ...base, [name]: undefined })).toEqual(plain(base))
  })

  const rows: [string, Omit<TurnOptions, 'adapter' | 'prompt'>, Omit<TurnOptions, 'adapter' | 'prompt'>][] = [
    [
      'in systemPrompt',
      { systemPrompt: { append: 'a', replace: undefined } },
      { systemPrompt: { append: 'a' } },
    ],
    ['in budgets', { budgets: { totalMs: 5, idleMs: undefined } }, { budgets: { totalMs: 5 } }],
    ['the only budget with a default', { budgets: { lingerMs: undefined } }, {}],
    [
      'in tools',
      { tools: { mode: 'native', allow: undefined, deny: undefined, strict: undefined } },
      { tools: { mode: 'native' } },
    ],
    [
      'in credentials',
      { credentials: { set: 'api-key', values: undefined } },
      { credentials: { set: 'api-key' } },
    ],
    [
      'in endpoint',
      {
        endpoint: {
          url: 'http://a',
          api: undefined,
          credential: undefined,
          headers: { 'x-a': '1', 'x-b': undefined },
        },
      },
      { endpoint: { url: 'http://a', headers: { 'x-a': '1' } } },
    ],
    ['a whole server', { mcpServers: { a: undefined } }, {}],
    [
      'in a server on stdio',
      { mcpServers: { a: { type: 'stdio', command: 'a', args: undefined, env: { A: '1', B: undefined } } } },
      { mcpServers: { a: { type: 'stdio', command: 'a', env: { A: '1' } } } },
    ],
    [
      'in a server over HTTP',
      { mcpServers: { a: { type: 'http', url: 'http://a', headers: { a: undefined } } } },
      { mcpServers: { a: { type: 'http', url: 'http://a', headers: {} } } },
    ],
    [
      'in configuration',
      { configuration: { a: undefined, b: { c: undefined } } },
      { configuration: { b: {} } },
    ],
    ['in scope: declared, and blank', { scope: { VAR_A: undefined } }, { scope: { VAR_A: '' } }],
  ]
  it.each(rows)('%s', (_, given, same) => {
    expect(plain({ ...base, ...given })).toEqual(plain({ ...base, ...same }))
  })

  it('in a scope that stands alone, too, where a name that is none of its own is refused all the same', () => {
    expect(grantEnvironment({ VAR_A: undefined, VAR_B: 'b' })).toEqual({
      declared: true,
      granted: { VAR_B: 'b' },
      blank: ['VAR_A'],
    })
    expect(environmentFingerprint({ VAR_A: undefined })).toBe(environmentFingerprint({}))
    expect(() => grantEnvironment({ PATH: undefined })).toThrow('scope cannot grant "PATH"')
  })

  it("but for a credential's value: the host's own key would take its place", () => {
    const values = JSON.parse('{}')
    values.CODEX_API_KEY = undefined
    expect(() => plain({ ...base, credentials: { set: 'api-key', values } })).toThrow(
      'The option `credentials.values.CODEX_API_KEY` is missing: expected a text',
    )
  })

  it('in an answer to what a CLI asks', () => {
    const answered: unknown[] = []
    const interactions = new Interactions({
      answer: (_, decision) => answered.push(decision),
      notice: () => {},
      waiting: () => {},
    })
    interactions.hear({ type: 'interaction', interactionId: 'a', phase: 'request', kind: 'form', title: '?' })
    const answers = { port: '80', host: undefined }
    interactions.answer('a', { decision: 'allow', updatedInput: undefined, message: undefined, answers })
    expect(answered).toStrictEqual([{ decision: 'allow', answers: { port: '80' } }])
  })
})

it('frozen options and lists are taken as they are, and stay as they are', () => {
  const options = Object.freeze({
    ...base,
    prompt: Object.freeze([Object.freeze({ type: 'text', text: 'hello' } as const)]),
    inherit: Object.freeze(['EDITOR']),
    arguments: Object.freeze(['--strange', 'x']),
    tools: Object.freeze({ mode: 'native', deny: Object.freeze(['web_search']) } as const),
    binary: Object.freeze(['node', 'cli.js'] as const),
  })
  expect(plain(options)).toMatchObject({
    launch: { prompt: [{ type: 'text', text: 'hello' }], arguments: ['--strange', 'x'] },
    inherit: ['EDITOR'],
    binary: ['node', 'cli.js'],
  })
})

it('the options types take undefined wherever something may be left out, and lists that nobody may change', () => {
  // This project is compiled with exactOptionalPropertyTypes, which tells the two apart.
  type Opaque = string | Adapter | AbortSignal | BridgeTool | ((...given: never[]) => unknown)
  type Spread<T> = T extends Opaque
    ? T
    : T extends readonly [infer First, ...infer Rest]
      ? readonly [First, ...Rest]
      : T extends readonly (infer Item)[]
        ? readonly Spread<Item>[]
        : T extends object
          ? {
              readonly [Key in keyof T]: Record<never, never> extends Pick<T, Key>
                ? Spread<T[Key]> | undefined
                : Spread<T[Key]>
            }
          : T
  type Turn = Omit<TurnOptions, 'credentials' | 'outputSchema'>
  expectTypeOf<Spread<Turn>>().toExtend<Turn>()
  type Session = Omit<SessionOptions, 'credentials' | 'outputSchema'>
  expectTypeOf<Spread<Session>>().toExtend<Session>()
  expectTypeOf<Spread<Omit<ReplayOptions, 'options' | 'stdout'>>>().toExtend<
    Omit<ReplayOptions, 'options' | 'stdout'>
  >()
  expectTypeOf<Spread<Decision>>().toExtend<Decision>()
  expectTypeOf<Spread<ToolBridgeOptions>>().toExtend<ToolBridgeOptions>()
  expectTypeOf<Spread<BridgeSessionOptions>>().toExtend<BridgeSessionOptions>()
  expectTypeOf<Spread<Scenario>>().toExtend<Scenario>()
})

it('the built-in adapters stand under their own ids, and are there without a check', () => {
  for (const [id, adapter] of Object.entries(adapters)) expect(adapter.id).toBe(id)
  expectTypeOf(adapters['claude-code']).toEqualTypeOf<Adapter>()
})
