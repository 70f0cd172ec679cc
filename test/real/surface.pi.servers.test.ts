import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { McpServer } from '../../src/index.ts'
import { fourteenTools, httpHarbour, stdioTools } from './harbour.ts'
import { fourteen, pi85, withMcp } from './pi-surface.ts'
import { Workbench } from './workbench.ts'

const transports = ['structured', 'live'] as const

describe('servers that are not there', () => {
  test.each(withMcp)('end the turn of pi %s before the model is asked', async (_, cli) => {
    const bench = await Workbench.open(cli, [{ text: 'Aye.' }])
    // Seen by coxswain, and gone when pi comes.
    const { url, headers } = await httpHarbour({ leaves: true })
    const { completion } = await bench.turn({ mcpServers: { quay: { type: 'http', url } } })
    expect(completion).toMatchObject({ status: 'error', error: { code: 'mcp_unavailable' } })
    expect(headers.length).toBeGreaterThan(1)
    expect(bench.server.requests).toEqual([])
  })

  test.each(
    withMcp.flatMap(([version, cli]) => transports.map((transport) => [version, transport, cli] as const)),
  )(
    'end the turn of pi %s, %s, as soon as a program that was started again is gone, and say so',
    async (_version, transport, cli) => {
      const bench = await Workbench.open(cli, [{ text: 'Aye.' }])
      const [command, program] = stdioTools
      const onlyOnce = join(bench.folder, 'only-once.mjs')
      const been = JSON.stringify(join(bench.folder, 'been-here'))
      await writeFile(
        onlyOnce,
        `import { writeFileSync } from 'node:fs'
try { writeFileSync(${been}, '', { flag: 'wx' }) } catch { process.exit(3) }
await import(${JSON.stringify(program)})`,
      )
      const quay: McpServer = { type: 'stdio', command, args: [onlyOnce, 'moor'] }
      const { completion } = await bench.turn({ mcpServers: { quay }, transport })
      expect(completion).toMatchObject({ status: 'error', error: { code: 'mcp_unavailable' } })
      expect(completion.error?.message).toContain('quay: failed')
      expect(completion.durationMs).toBeLessThan(15_000)
      expect(bench.server.requests).toEqual([])
    },
  )

  test.each(withMcp)("are no matter to pi %s where they are the project's own", async (_, cli) => {
    const bench = await Workbench.open(cli, [{ text: 'Aye.' }])
    await mkdir(join(bench.cwd, '.pi'))
    const own = { command: '/nowhere/to/be/found', args: [], exposure: 'direct' }
    await writeFile(join(bench.cwd, '.pi/mcp.json'), JSON.stringify({ mcpServers: { own } }))
    const { completion } = await bench.turn({
      bridge: fourteenTools().tools,
      projectConfiguration: 'trust',
    })
    expect(completion).toMatchObject({ status: 'success', text: 'Aye.' })
    expect(bench.steps()[0]?.offeredTools).toEqual(expect.arrayContaining(fourteen))
  })

  test('or a pi that speaks no MCP starts nothing', async () => {
    const bench = await Workbench.open(pi85, [{ text: 'Aye.' }])
    const { completion } = await bench.turn({ bridge: fourteenTools().tools })
    expect(completion).toMatchObject({
      status: 'error',
      error: {
        code: 'unsupported',
        message:
          'pi-cli 0.85.1 speaks no MCP: `mcpServers`, `bridge` and the tool modes that go with them need 0.99.0.',
      },
    })
    expect(bench.server.requests).toEqual([])
  })
})
