import { existsSync } from 'node:fs'
import { createServer } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { startToolBridge } from '../../src/bridge/tool-bridge.ts'
import type { AgentEvent, TurnOptions } from '../../src/index.ts'
import { collect, echo, goodTurn, scratchFile, script, shell, start } from './probe.ts'
import { launched, toolful } from './toolful.ts'

const lookup = {
  name: 'lookup',
  description: 'Looks up.',
  input: { type: 'object', properties: { word: { type: 'string' } } },
  execute: (input: Record<string, unknown>) => `found ${String(input.word)}`,
}
const hide = { ...lookup, name: 'hide' }

/** Calls the bridge as the file says that its launch got, and says what came, and with what. */
const caller = script(`
import { readFileSync } from 'node:fs'
const { bridge } = JSON.parse(readFileSync(process.env.TINY_MCP, 'utf8'))
const say = (text) => console.log(JSON.stringify({ type: 'say', text }))
console.log('{"type":"hello","id":"talk-1"}')
const post = (url, tool) => fetch(url.replace(/\\/mcp$/, '/tools/custom/') + tool, {
  method: 'POST', headers: { ...bridge.headers, 'content-type': 'application/json' }, body: '{"word":"tide"}',
})
const answer = await post(bridge.url, 'lookup')
say(answer.status + ' ' + (await answer.text()).includes('found tide'))
say(' and ' + (await post(bridge.url, 'hide')).status)
say(' with ' + bridge.headers.Authorization + ' at ' + bridge.url)
console.log('{"type":"said"}\\n{"type":"bye"}')
`)

test("a turn's own functions are served while it runs, under a token that is hidden and ends with it", async () => {
  const turn = start(caller, {
    adapter: toolful,
    bridge: [lookup, hide],
    tools: { mode: 'mcp_only', allow: ['lookup'] },
  })
  const events = await collect(turn)
  const { status, text } = await turn.completion
  expect(status).toBe('success')
  const [, address = ''] = /^200 true and 404 with Bearer \[redacted:BRIDGE_TOKEN\] at (\S+)$/.exec(text) ?? [
    text,
  ]
  expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/s\/[\w-]+\/mcp$/)
  expect(JSON.stringify(events)).not.toMatch(/Bearer [A-Za-z0-9_-]{30}/)
  await expect(fetch(address, { method: 'POST' })).rejects.toThrow()
})

test('the tools that its servers list are told apart by the policy', async () => {
  const shop = await served([lookup, hide])
  await start(shell(echo(...goodTurn)), {
    adapter: toolful,
    mcpServers: { shop },
    tools: { mode: 'mcp_only', deny: ['shop/hide'] },
  }).completion
  expect(launched.mcpServers).toEqual({ shop: { ...shop, tools: ['lookup'], hidden: ['hide'] } })
})

test('a name in tools.deny that nobody has is a notice', async () => {
  const shop = await served([lookup])
  const program = shell(echo(...goodTurn))
  const turn = start(program, {
    adapter: toolful,
    mcpServers: { shop },
    tools: { mode: 'hybrid', deny: ['hid'] },
  })
  const events = await collect(turn)
  expect(notices(events)).toEqual([
    ['tool_unknown', 'tools.deny names "hid", which neither tiny-cli nor a server has.'],
  ])
})

test('a name in tools.allow that nobody has starts nothing', async () => {
  const mark = scratchFile('started')
  const shop = await served([lookup])
  const turn = start(shell(`touch ${mark}`), {
    adapter: toolful,
    mcpServers: { shop },
    tools: { mode: 'mcp_only', allow: ['lokup'] },
  })
  expect((await turn.completion).error).toEqual({
    code: 'invalid_options',
    message: 'tools.allow names "lokup", which neither the CLI nor a server has.',
    hint: 'Did you mean "lookup"?',
    retryable: false,
  })
  expect(existsSync(mark)).toBe(false)
})

test.each<[TurnOptions['tools'], string]>([
  [
    { mode: 'mcp_only', allow: ['lookup'], deny: ['shop/lookup'] },
    '"lookup", and tools.deny leaves nothing of it',
  ],
  [
    { mode: 'hybrid', allow: ['shop/lookup'], deny: ['lookup'] },
    '"shop/lookup", and tools.deny leaves nothing of it',
  ],
  [
    { mode: 'mcp_only', allow: ['lookup', 'shell'] },
    "\"shell\", a tool of the CLI's own, which tools.mode 'mcp_only' leaves out",
  ],
])('a name in tools.allow of which nothing is left starts nothing: %j', async (tools, message) => {
  const shop = await served([lookup, hide])
  const turn = start(shell('exit 1'), { adapter: toolful, mcpServers: { shop }, ...(tools && { tools }) })
  expect((await turn.completion).error).toMatchObject({
    code: 'invalid_options',
    message: `tools.allow names ${message}.`,
  })
})

test('and one of which something is left is a name like any other', async () => {
  const [shop, depot] = [await served([lookup]), await served([lookup, hide])]
  const turn = start(shell(echo(...goodTurn)), {
    adapter: toolful,
    mcpServers: { shop, depot },
    tools: { mode: 'mcp_only', allow: ['lookup'], deny: ['shop/lookup'] },
  })
  expect((await turn.completion).status).toBe('success')
  expect(launched.mcpServers).toMatchObject({ shop: { tools: [] }, depot: { tools: ['lookup'] } })
})

test.each<[TurnOptions['tools'], boolean, string]>([
  [{ mode: 'mcp_only' }, false, 'The model has no tool at all: shop lists none.'],
  [{ mode: 'hybrid' }, false, 'The model has no tool of its MCP servers: shop lists none.'],
  [{ mode: 'mcp_only', allow: [] }, true, 'The model has no tool at all: tools.allow names none.'],
  [
    { mode: 'hybrid', allow: ['look'] },
    true,
    'The model has no tool of its MCP servers: tools.allow names none.',
  ],
  [{ mode: 'mcp_only', deny: ['lookup'] }, true, 'The model has no tool at all: tools.deny leaves none.'],
])('servers that give the model no tool are a notice: %j', async (tools, isFilled, message) => {
  const shop = await served(isFilled ? [lookup] : [])
  const turn = start(shell(echo(...goodTurn)), {
    adapter: toolful,
    mcpServers: { shop },
    ...(tools && { tools }),
  })
  expect(notices(await collect(turn))).toEqual([['no_tools', message]])
})

test('and so is one of them that lists none', async () => {
  const [shop, depot] = [await served([lookup]), await served([])]
  const turn = start(shell(echo(...goodTurn)), { adapter: toolful, mcpServers: { shop, depot } })
  expect(notices(await collect(turn))).toEqual([['no_tools', 'The MCP server depot lists no tool.']])
})

test("a typo in the lists of the CLI's own tools is told, too", async () => {
  const program = shell(echo(...goodTurn))
  const own = (tools: { allow?: string[]; deny?: string[] }) =>
    start(program, { adapter: toolful, tools: { mode: 'native', ...tools } })
  expect((await own({ allow: ['shel'] }).completion).error).toMatchObject({ code: 'invalid_options' })
  expect(notices(await collect(own({ deny: ['shel'] })))).toEqual([
    ['tool_unknown', 'tools.deny names "shel", which neither tiny-cli nor a server has.'],
  ])
})

const down = {
  type: 'http' as const,
  url: 'http://127.0.0.1:9/mcp',
  headers: { Authorization: 'Bearer shipshape-9' },
}

test.each([
  ['is down', async () => down],
  ['answers 401', async () => ({ type: 'http' as const, url: await refusing() })],
  ['is no program', async () => ({ type: 'stdio' as const, command: '/nowhere/server' })],
  ['ends at once', async () => ({ type: 'stdio' as const, command: 'true' })],
])('a server that %s is mcp_unavailable, by its name, before the CLI starts', async (_title, server) => {
  const mark = scratchFile('started')
  const turn = start(shell(`touch ${mark}`), { adapter: toolful, mcpServers: { depot: await server() } })
  const { status, error, evidence } = await turn.completion
  expect({ status, code: error?.code, by: evidence.by }).toEqual({
    status: 'error',
    code: 'mcp_unavailable',
    by: 'spawn',
  })
  expect(error?.message).toMatch(/^The MCP server depot is not available: /)
  expect(error?.message).not.toContain('shipshape')
  expect(existsSync(mark)).toBe(false)
})

async function served(tools: (typeof lookup)[]) {
  const bridge = await startToolBridge({ tools })
  onTestFinished(() => bridge.close())
  const session = bridge.openSession()
  return { type: 'http' as const, url: session.mcpUrl, headers: { Authorization: `Bearer ${session.token}` } }
}

async function refusing(): Promise<string> {
  const server = createServer((_request, response) => response.writeHead(401).end())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const address = server.address()
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/mcp`
}

function notices(events: readonly AgentEvent[]): [string, string][] {
  return events.flatMap((event) => (event.type === 'notice' ? [[event.code, event.message]] : []))
}
