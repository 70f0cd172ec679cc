import { expect, onTestFinished, test } from 'vitest'
import { type BridgeTool, startToolBridge } from '../../src/bridge.ts'
import { openaiResponses } from '../../src/testing/openai-responses.ts'
import type { ModelRequest } from '../../src/testing/scenario.ts'
import { realCli } from './clis.ts'
import { Workbench } from './workbench.ts'

const clis = ['claude-2.1', 'claude-2.0', 'codex-0.171', 'codex-0.113', 'pi-1.6'].map((alias) => {
  const cli = realCli(alias)
  return [`${cli.adapter} ${cli.version}`, cli] as const
})

/** Fourteen tools of three servers, with all that a name may hold. */
const offered: Readonly<Record<string, readonly string[]>> = {
  shop: ['a-b', 'a.c', 'Upper', 'upper', 'x__y', '_led', '9th', 'l'.repeat(64)],
  'quay-side': ['a-b', 'Upper', 'UPPER_2'],
  Dock_2: ['look', 'a.b.c', 'm'.repeat(64)],
}
const all = Object.entries(offered).flatMap(([server, names]) => names.map((name) => `${server}/${name}`))

/** As the CLI calls them before its model. */
function namesIn({ api, body, offeredTools }: ModelRequest): string[] {
  if (api !== 'openai-responses') return offeredTools.filter((name) => name.startsWith('mcp__'))
  return openaiResponses.read(body).tools.flatMap(({ name, namespace }) => {
    const full = namespace === undefined ? name : `${namespace}__${name}`
    return full.startsWith('mcp__') ? [full] : []
  })
}

test.each(clis)(
  '%s offers 14 tools of 3 servers whatever they are called, and calls each',
  async (_, cli) => {
    const calls: string[] = []
    const servers = await Promise.all(
      Object.entries(offered).map(async ([server, names]) => {
        const tools = names.map(
          (name): BridgeTool => ({
            name,
            title: 'Größe der Bö ☃ 測る',
            description: `Does ${name}.`,
            input: { type: 'object', properties: {} },
            execute: () => void calls.push(`${server}/${name}`),
          }),
        )
        const bridge = await startToolBridge({ tools })
        onTestFinished(() => bridge.close())
        const { mcpUrl: url, token } = bridge.openSession()
        return [server, { type: 'http', url, headers: { Authorization: `Bearer ${token}` } }] as const
      }),
    )
    const bench = await Workbench.open(cli, (request, held) => {
      const names = namesIn(request)
      if (held > 0 || names.length === 0) return { text: 'Done.' }
      return { toolCalls: names.map((name) => ({ name, input: {} })) }
    })
    const { completion, events } = await bench.turn({
      mcpServers: Object.fromEntries(servers),
      tools: { mode: 'mcp_only' },
    })
    expect(completion.error).toBeUndefined()
    const lists = bench
      .steps()
      .map(namesIn)
      .filter((names) => names.length > 0)
    expect(lists.map((names) => new Set(names).size)).toEqual([14, 14])
    expect(calls.sort()).toEqual([...all].sort())
    const named = events.flatMap((event) =>
      event.type === 'tool' && event.phase === 'end' ? [`${event.server}/${event.name} ${event.status}`] : [],
    )
    expect(named.sort()).toEqual(all.map((name) => `${name} completed`).sort())
  },
)
