import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { startToolBridge } from '../../src/bridge/tool-bridge.ts'
import type { BridgeTool } from '../../src/options/bridge-tool.ts'
import { call, newest, older, oldest, steps, toolEnds, tools } from './codex-surface.ts'
import { Workbench } from './workbench.ts'

describe.each([newest, older, oldest])('servers, $version', (cli) => {
  test('are called with their headers and variables, none of which is on argv', async () => {
    const bridge = await startToolBridge({ tools })
    onTestFinished(() => bridge.close())
    const session = bridge.openSession()
    const bench = await Workbench.open(
      cli,
      steps(
        { name: 'mcp__harbour__tool_1', input: { word: 'ahoy' } },
        { name: 'mcp__quay__tell', input: {} },
      ),
    )
    const quay = join(bench.folder, 'quay.mjs')
    await writeFile(quay, stdioServer)
    const { completion, events } = await bench.turn({
      mcpServers: {
        harbour: { type: 'http', url: session.mcpUrl, headers: { Authorization: `Bearer ${session.token}` } },
        quay: { type: 'stdio', command: process.execPath, args: [quay], env: { QUAY_WORD: 'moored' } },
      },
      approvals: 'deny',
    })
    expect(completion.status).toBe('success')
    expect(toolEnds(events)).toEqual([
      { server: 'harbour', name: 'tool_1', status: 'completed' },
      { server: 'quay', name: 'tell', status: 'completed' },
    ])
    expect(bench.steps().at(-1)?.toolResults.join('\n')).toMatch(/did ahoy[\s\S]*moored, argv clean/)
  })
})

test('a call of 20 s is not cut', async () => {
  const slow: BridgeTool = {
    name: 'slow',
    description: 'Takes its time.',
    input: { type: 'object' },
    execute: async (_, { signal }) => {
      await wait(20_000, undefined, { signal })
      return 'at last'
    },
  }
  const turns = [newest, older].map(async (cli) => {
    const bench = await Workbench.open(cli, steps(call('slow')))
    await bench.turn({ bridge: [slow], tools: { mode: 'mcp_only' }, approvals: 'deny' })
    return bench.steps().at(-1)?.toolResults.join()
  })
  expect(await Promise.all(turns)).toEqual([
    expect.stringContaining('at last'),
    expect.stringContaining('at last'),
  ])
})

describe.each([newest, older])('a server that is gone when the CLI asks it, $version', (cli) => {
  test.each(['structured', 'live'] as const)(
    '%s: ends the turn by its name, before the model is asked',
    async (transport) => {
      const url = await dyingServer()
      const bench = await Workbench.open(cli, steps())
      const { completion } = await bench.turn({
        transport,
        mcpServers: { harbour: { type: 'http', url } },
        tools: { mode: 'mcp_only' },
      })
      expect(completion).toMatchObject({ status: 'error', error: { code: 'mcp_unavailable' } })
      expect(completion.error?.message).toContain('harbour')
      expect(bench.steps()).toEqual([])
    },
  )
})

/** Says what its variable holds, and whether anything above it in /proc shows that on its command line. */
const stdioServer = `
import { readdirSync, readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n')
const commandLines = () => readdirSync('/proc').filter((name) => /^\\d+$/.test(name)).map((id) => {
  try { return readFileSync('/proc/' + id + '/cmdline', 'utf8') } catch { return '' }
})
const word = process.env.QUAY_WORD
const answers = {
  initialize: ({ protocolVersion }) => ({ protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'quay', version: '1' } }),
  'tools/list': () => ({ tools: [{ name: 'tell', description: 'Tells.', inputSchema: { type: 'object', properties: {} } }] }),
  'tools/call': () => ({ content: [{ type: 'text', text: word + ', argv ' + (commandLines().some((line) => line.includes('=' + word)) ? 'shows it' : 'clean') }] }),
}
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line)
  if (id !== undefined) send({ id, result: answers[method]?.(params) ?? {} })
})
`

/** Answers once what it has, as the runner asks before the start; from then on it refuses. */
async function dyingServer(): Promise<string> {
  let isGone = false
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    if (request.method !== 'POST' || isGone) {
      response.writeHead(isGone ? 500 : 405).end()
      return
    }
    const { id, method, params } = JSON.parse(body)
    if (id === undefined) {
      response.writeHead(202).end()
      return
    }
    if (method === 'tools/list') isGone = true
    const result =
      method === 'initialize'
        ? {
            protocolVersion: params.protocolVersion,
            capabilities: { tools: {} },
            serverInfo: { name: 'x', version: '1' },
          }
        : { tools: [{ name: 'moor', inputSchema: { type: 'object' } }] }
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ jsonrpc: '2.0', id, result }))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/mcp`
}
