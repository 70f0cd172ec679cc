import { existsSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, test } from 'vitest'
import { readToolCall } from '../../../src/adapters/cursor-cli/tools.ts'
import { cursorCli } from '../../../src/adapters/cursor-cli.ts'
import type { LaunchMcpServer, LaunchOptions } from '../../../src/adapters/launch-options.ts'
import type { BridgeTool } from '../../../src/bridge.ts'
import { type AgentEvent, resolveProfile, startTurn, type TurnOptions } from '../../../src/index.ts'
import { cursorStandIn } from '../../../src/testing/cursor-stand-in.ts'
import { checkGuarantees } from '../../../src/testing/guarantees.ts'
import type { ToolCall } from '../../../src/testing/scenario.ts'
import { launchContext, launchOptions } from './launching.ts'

const dock: LaunchMcpServer = {
  type: 'stdio',
  command: 'serve',
  args: ['--loud'],
  env: { VALUE: '$x' },
  tools: ['moor'],
  hidden: [],
}
const bridge: LaunchMcpServer = {
  type: 'http',
  url: 'http://127.0.0.1:1/mcp',
  headers: { Authorization: 'Bearer x' },
  tools: ['sail'],
  hidden: ['sink'],
}
const policy = (tools: Partial<LaunchOptions['tools']> = {}): LaunchOptions['tools'] => ({
  mode: 'hybrid',
  deny: [],
  strict: false,
  ...tools,
})
const launch = (options: Partial<LaunchOptions>, context = {}) =>
  cursorCli.structured.launch(launchOptions(options), launchContext(context))
const contents = (options: Partial<LaunchOptions>): Record<string, unknown> =>
  Object.fromEntries(launch(options).files.map(({ path, content }) => [path, JSON.parse(content)]))

describe('the launch', () => {
  test('puts servers, their approvals and their permissions into the home, and no value on argv', () => {
    const options = { cwd: '/w/a.b', mcpServers: { dock, bridge }, tools: policy() }
    // sha256 of {"path":"/w/a.b","server":{...}}, its first 16 digits: as another client computes it.
    expect(contents(options)).toEqual({
      'cli-config.json': expect.objectContaining({
        permissions: { allow: ['Mcp(dock:moor)', 'Mcp(bridge:sail)'], deny: ['Mcp(bridge:sink)'] },
      }),
      'mcp.json': {
        mcpServers: {
          dock: { command: 'serve', args: ['--loud'], env: { VALUE: '$x' } },
          bridge: { url: 'http://127.0.0.1:1/mcp', headers: { Authorization: 'Bearer x' } },
        },
      },
      'projects/w-a-b/mcp-approvals.json': ['dock-3adf071bd0c57dbe', 'bridge-b47ba0fa5b45b20d'],
      'projects/w/mcp-approvals.json': ['dock-f1a9c5df37c5ae8f', 'bridge-9cf185e0a31e3bf7'],
    })
    expect(JSON.stringify(launch(options).arguments)).not.toMatch(/Bearer|--approve-mcps/)
  })

  test('hands them over in ACP, too', () => {
    const live = cursorCli.live?.launch(
      { ...launchOptions({ mcpServers: { bridge }, tools: policy() }), approvals: 'deny' },
      launchContext(),
    )
    expect(live?.opening).toMatchObject({ mcpServers: [{ type: 'http', name: 'bridge' }] })
    expect(live?.files.map(({ path }) => path)).toContain('mcp.json')
  })

  test('denies what of its own tools can be denied, beside what the caller denies', () => {
    const denied = contents({
      tools: policy({ mode: 'native', deny: ['shell', 'edit', 'write', 'delete', 'webFetch'] }),
      configuration: { permissions: { allow: ['Read(src/**)'], deny: ['Read(**/.env)'] } },
    })
    expect(denied['cli-config.json']).toMatchObject({
      permissions: {
        allow: ['Read(src/**)'],
        deny: ['Read(**/.env)', 'Shell(*)', 'Write(**)', 'WebFetch(*)'],
      },
    })
  })

  test.each<[string, Partial<LaunchOptions>]>([
    ['Shell(ls)', { tools: policy({ mode: 'native', deny: ['shell'] }) }],
    ['Write(src/**)', { tools: policy({ mode: 'native', deny: ['edit', 'write', 'delete'] }) }],
    ['WebFetch(example.org)', { tools: policy({ mode: 'native', deny: ['webFetch'] }) }],
  ])('refuses a permission that the policy would deny in silence: %s', (permission, options) => {
    expect(() => contents({ ...options, configuration: { permissions: { allow: [permission] } } })).toThrow(
      expect.objectContaining({
        code: 'invalid_options',
        message: `The setting "permissions.allow" has "${permission}", which \`tools\` denies.`,
      }),
    )
  })

  test('takes the servers of an earlier turn out of a home that is kept', () => {
    expect(contents({ home: { directory: '/homes/1' } })['mcp.json']).toEqual({ mcpServers: {} })
  })

  const expanding: LaunchMcpServer = { ...dock, env: { VALUE: `\${env:HOME}` } }

  test.each<[string, Partial<LaunchOptions>, object, string]>([
    [
      'a tool without a permission',
      { tools: policy({ deny: ['grep'] }) },
      {},
      'cursor-cli cannot take grep away.',
    ],
    [
      'a list of its own tools',
      { tools: policy({ allow: ['read', 'sail'] }) },
      {},
      'cursor-cli cannot limit its own tools to those of tools.allow.',
    ],
    [
      'a strict denial',
      { tools: policy({ deny: ['shell'], strict: true }) },
      {},
      'cursor-cli cannot take shell away there: it can only refuse its calls, in a home of its own.',
    ],
    [
      "servers in the user's home",
      { home: 'user', mcpServers: { bridge }, tools: policy() },
      { home: undefined },
      "cursor-cli cannot use `mcpServers` or `bridge` with home: 'user'.",
    ],
    [
      'a value that the CLI would change',
      { mcpServers: { dock: expanding }, tools: policy() },
      {},
      // biome-ignore lint/suspicious/noTemplateCurlyInString: it is what the CLI would expand
      'cursor-cli would put something in the place of ${...} in the MCP server dock.',
    ],
  ])('refuses %s', (_, options, context, message) => {
    expect(() => launch(options, context)).toThrow(expect.objectContaining({ code: 'unsupported', message }))
  })
})

describe('the record of an MCP call', () => {
  const servers = { bridge: ['sail'] }
  const named = (args: object) =>
    readToolCall(
      { call_id: 'c', tool_call: { mcpToolCall: { args: { toolName: 'sail', ...args } } } },
      servers,
    )?.description

  test.each([
    [{ serverIdentifier: 'bridge' }, 'bridge'],
    [{ serverIdentifier: 'user-bridge', providerIdentifier: 'bridge' }, 'bridge'],
    [{ serverIdentifier: 'user-bridge' }, 'bridge'],
    [{ serverIdentifier: 'other', toolName: 'sing' }, 'other'],
  ])('%j is of the server %s', (args, server) => {
    expect(named(args)?.server).toBe(server)
  })

  test.each([
    ['bridge-sail', { server: 'bridge', name: 'sail' }],
    ['bridge-sing', { server: undefined, name: 'bridge-sing' }],
  ])('that only has the name %s is %j', (name, expected) => {
    expect(named({ toolName: undefined, name })).toMatchObject(expected)
  })
})

describe('a turn of the stand-in', () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'cursor-surface-')))
  afterAll(() => rmSync(folder, { recursive: true }))

  async function turn(toolCalls: ToolCall[], options: Partial<TurnOptions>) {
    const calls: unknown[] = []
    const tools: BridgeTool[] = ['sail', 'sink'].map((name) => ({
      name,
      description: `Does ${name}.`,
      input: { type: 'object', properties: { word: { type: 'string' } } },
      execute(input: unknown) {
        calls.push(input)
        return `${name} done`
      },
    }))
    const running = startTurn({
      adapter: 'cursor-cli',
      prompt: 'Sail.',
      binary: cursorStandIn({ replies: [{ toolCalls }, { text: 'Done.' }], paceMs: 0 }),
      environment: { PATH: process.env.PATH, HOME: folder, CURSOR_API_KEY: 'k' },
      cwd: folder,
      conversations: 'discard',
      bridge: tools,
      ...options,
    })
    const events: AgentEvent[] = []
    for await (const event of running) events.push(event)
    expect(checkGuarantees(events).map((breach) => breach.message)).toEqual([])
    const ends = events.flatMap((event) =>
      event.type === 'tool' && event.phase === 'end'
        ? [`${event.server ?? 'cursor'}/${event.name} ${event.status}: ${event.output?.trim()}`]
        : [],
    )
    return { completion: await running.completion, ends, calls }
  }

  const sail = { name: 'bridge/sail', input: { word: 'heave' } }

  test.each(['structured', 'live'] as const)('calls functions of ours (%s)', async (transport) => {
    const { completion, ends, calls } = await turn([sail], { transport })
    expect(ends).toEqual(['bridge/sail completed: sail done'])
    expect([completion.status, calls]).toEqual(['success', [{ word: 'heave' }]])
  })

  test.each(['structured', 'live'] as const)('calls a server on stdio (%s)', async (transport) => {
    const program = fileURLToPath(new URL('../../real/stdio-tools.mjs', import.meta.url))
    const { ends } = await turn([{ name: 'dock-side/moor', input: {} }], {
      transport,
      redact: false,
      bridge: [],
      mcpServers: {
        'dock-side': {
          type: 'stdio',
          command: process.execPath,
          args: [program, 'moor'],
          env: { HARBOUR_VALUE: '$HOME' },
        },
      },
    })
    expect(ends).toEqual(['dock-side/moor completed: {"name":"moor","value":"$HOME"}'])
  })

  test.each(['structured', 'live'] as const)(
    'ends at a tool that was not let through, which did nothing (%s)',
    async (transport) => {
      const tools: TurnOptions['tools'] = { mode: 'hybrid', deny: ['sink'] }
      const call = { name: 'bridge/sink', input: {} }
      const { completion, calls } = await turn([call], { transport, tools, approvals: 'approve-all' })
      expect([completion.error?.code, calls]).toEqual(['policy_violation', []])
    },
  )

  test('ends at a shell that is denied, also where everything is approved', async () => {
    const { completion } = await turn([{ name: 'shell', input: { command: 'touch sunk' } }], {
      tools: { mode: 'hybrid', deny: ['shell'] },
      approvals: 'approve-all',
    })
    expect(completion.error?.code).toBe('policy_violation')
    expect(existsSync(join(folder, 'sunk'))).toBe(false)
  })

  test("cannot be held to 'mcp_only'", async () => {
    await expect(turn([sail], { tools: { mode: 'mcp_only' } })).rejects.toThrow(
      "cursor-cli does not support tools.mode: 'mcp_only'. Supported: 'native' and 'hybrid'.",
    )
    // A profile's default.
    expect(() => resolveProfile({}, 'cursor-cli')).toThrow(
      "cursor-cli does not support agentTools.mode: 'mcp_only'. Supported: 'native' and 'hybrid'.",
    )
  })
})
