import { describe, expect, test } from 'vitest'
import { claudeCode } from '../../src/adapters/claude-code.ts'
import type { LaunchOptions } from '../../src/adapters/launch-options.ts'
import type { Adapter } from '../../src/index.ts'
import { openaiResponses } from '../../src/testing/openai-responses.ts'
import type { ModelRequest, Reply } from '../../src/testing/scenario.ts'
import { changingHarbour } from './changing-harbour.ts'
import { type RealCli, realCli } from './clis.ts'
import { Workbench } from './workbench.ts'

const claude21 = realCli('claude-2.1')
const claude20 = realCli('claude-2.0')
const claude10 = realCli('claude-1.0')
const codex171 = realCli('codex-0.171')
const codex113 = realCli('codex-0.113')
const pi16 = realCli('pi-1.6')

/** Of the server's tools, which the model is offered. */
function offeredIn({ api, body, offeredTools }: ModelRequest): string[] {
  const names =
    api === 'openai-responses'
      ? openaiResponses.read(body).tools.map(({ name, namespace }) => `${namespace ?? ''}__${name}`)
      : offeredTools
  return names.flatMap((name) => /__(look|extra)$/.exec(name)?.[1] ?? [])
}

/** Calls `look` twice, then what was not there before the start. */
const calls = ['look', 'look', 'extra']
const open = (cli: RealCli) =>
  Workbench.open(cli, (request, held): Reply => {
    const name = calls[held]
    if (offeredIn(request).length === 0 || name === undefined) return { text: 'Done.' }
    // The news of a longer list has the time of an answer to arrive.
    return { delayMs: held * 300, toolCalls: [{ name: `mcp__shop__${name}`, input: {} }] }
  })

type Row = [name: string, cli: RealCli, mode: 'mcp_only' | 'hybrid']
const rows = (clis: readonly RealCli[]): Row[] =>
  clis.flatMap((cli) =>
    (['mcp_only', 'hybrid'] as const).map(
      (mode): Row => [`${cli.adapter} ${cli.version}, ${mode}`, cli, mode],
    ),
  )

describe('a tool that its server lists only later is not called', () => {
  test.each(rows([claude21, codex171, pi16]))('by %s', async (_, cli, mode) => {
    const bench = await open(cli)
    const shop = await changingHarbour([['look'], ['look']], ['look', 'extra'])
    const { completion, breaches } = await bench.turn({ mcpServers: shop.servers, tools: { mode } })
    expect(breaches).toEqual([])
    expect(shop.calls).toEqual(['look', 'look'])
    // Codex neither offers it nor tells of the call.
    if (cli.adapter === 'codex-cli') {
      expect(completion.error).toBeUndefined()
      expect(bench.steps().flatMap(offeredIn)).not.toContain('extra')
    } else {
      expect(completion.error?.code).toBe('policy_violation')
      expect(completion.error?.message).toContain('The model called shop/extra')
    }
    if (cli.adapter === 'pi-cli') expect(bench.steps().flatMap(offeredIn)).not.toContain('extra')
  })

  test.each([
    ['claude-code 2.1.332', claude21],
    ['claude-code 1.0.124', claude10],
  ])('by %s, which has it from the start', async (_, cli) => {
    const bench = await open(cli)
    const shop = await changingHarbour([['look'], ['look', 'extra']])
    const { completion } = await bench.turn({ mcpServers: shop.servers, tools: { mode: 'mcp_only' } })
    expect(completion.error).toMatchObject({
      code: 'policy_violation',
      message: expect.stringContaining('claude-code offers the model mcp__shop__extra'),
    })
    expect(shop.calls).not.toContain('extra')
  })

  test.each([
    ['2.1.332', claude21, 'mcp_only'],
    ['2.1.332', claude21, 'hybrid'],
    ['2.0.72', claude20, 'hybrid'],
    ['1.0.124', claude10, 'mcp_only'],
  ] as const)('not even where nobody watches claude %s: $2', async (_, cli, mode) => {
    const bench = await open(cli)
    const shop = await changingHarbour([
      ['look', 'extra'],
      ['look', 'extra'],
    ])
    const { completion } = await bench.turn({
      adapter: asIfUnlisted('extra'),
      mcpServers: shop.servers,
      tools: { mode },
    })
    expect(completion.error).toBeUndefined()
    expect(shop.calls).toEqual(['look', 'look'])
    expect(bench.steps().flatMap(offeredIn)).toContain('extra')
  })

  test.each([
    ['codex-cli 0.171.0', codex171],
    ['codex-cli 0.113.0', codex113],
    ['pi-cli 1.6.0', pi16],
  ])('nor is it offered by %s, which could have it from the start', async (_, cli) => {
    const bench = await open(cli)
    const shop = await changingHarbour([['look'], ['look', 'extra']])
    await bench.turn({ mcpServers: shop.servers, tools: { mode: 'mcp_only' } })
    expect(bench.steps().flatMap(offeredIn)).not.toContain('extra')
    expect(shop.calls).toEqual(['look', 'look'])
  })
})

test.each([
  ['claude-code 2.1.332', claude21],
  ['pi-cli 1.6.0', pi16],
])('%s without a tool that was listed before the start ends the turn', async (_, cli) => {
  const bench = await open(cli)
  const shop = await changingHarbour([['look', 'gone'], ['look']])
  const { completion } = await bench.turn({ mcpServers: shop.servers, tools: { mode: 'mcp_only' } })
  expect(completion.error).toMatchObject({
    code: 'mcp_unavailable',
    message: expect.stringMatching(/shop\/gone|mcp__shop__gone/),
  })
})

const longName = (index: number) => `tool_${index}_${'x'.repeat(100)}`

test.each([
  ['claude-code 2.1.332', claude21],
  // Its own limit is 2,048 of a server, which it says.
  ['codex-cli 0.171.0', codex171],
  ['pi-cli 1.6.0', pi16],
])('%s is given 2,000 tools with long names, and offers them all', async (_, cli) => {
  const names = Array.from({ length: 2_000 }, (_, index) => longName(index))
  const bench = await Workbench.open(cli, [{ text: 'Aye.' }])
  const shop = await changingHarbour([names, names])
  const { completion } = await bench.turn({ mcpServers: shop.servers, tools: { mode: 'mcp_only' } })
  expect(completion.error).toBeUndefined()
  const offered = bench
    .steps()
    .map(({ offeredTools }) => offeredTools.filter((name) => name.includes('tool_')).length)
  expect(offered.filter((count) => count > 0)).toEqual([2_000])
})

/** claude, started as if nobody had listed that tool. */
function asIfUnlisted(name: string): Adapter {
  const { structured } = claudeCode
  const without = (options: LaunchOptions): LaunchOptions => ({
    ...options,
    mcpServers: Object.fromEntries(
      Object.entries(options.mcpServers).map(([server, all]) => [
        server,
        { ...all, tools: all.tools.filter((tool) => tool !== name) },
      ]),
    ),
  })
  return {
    ...claudeCode,
    structured: { ...structured, launch: (options, context) => structured.launch(without(options), context) },
  }
}
