import { readdir } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { codexNativeTools } from '../../src/adapters/codex-cli/native-tools.ts'
import type { TurnOptions } from '../../src/index.ts'
import { splitMcpName } from '../../src/protocol/mcp-names.ts'
import { openaiResponses } from '../../src/testing/openai-responses.ts'
import type { ModelRequest, ToolCall } from '../../src/testing/scenario.ts'
import { fullName } from '../../src/testing/tools-offered.ts'
import { call, newest, older, oldest, steps, toolEnds, tools } from './codex-surface.ts'
import { Workbench } from './workbench.ts'

const served = tools.map(({ name }) => `bridge/${name}`)

const resources = ['list_mcp_resource_templates', 'list_mcp_resources', 'read_mcp_resource']
const kept113 = [...resources, 'request_user_input', 'update_plan', 'view_image']

/** What is offered besides the 14, by version and by what that version knows of the model. */
const residues = [
  [newest, 'mock-model', resources],
  [newest, 'gpt-5.5', ['apply_patch', ...resources]],
  [newest, 'gpt-6.2-sol', ['exec', 'send_message_to_user_async', 'wait']],
  [older, 'mock-model', kept113],
  [older, 'gpt-5.4', ['apply_patch', ...kept113]],
] as const

const patch = (file: string) => `*** Begin Patch\n*** Add File: ${file}\n+made\n*** End Patch\n`
const question = {
  questions: [
    {
      id: 'q',
      header: 'Ahoy',
      question: 'Who goes there?',
      options: [{ label: 'A friend', description: 'x' }],
    },
  ],
}

/** All that a model may try, whether it is offered or not. */
const attempts: ToolCall[] = [
  { name: 'apply_patch', type: 'custom', input: patch('patched.txt') },
  { name: 'apply_patch', input: { input: patch('patched.txt') } },
  {
    name: 'exec',
    type: 'custom',
    input: `
const attempt = async (what) => { try { text(await what()) } catch (error) { text(String(error)) } }
text('reaches: ' + ALL_TOOLS.map(({ name }) => name).join(' '))
await attempt(() => tools.apply_patch(${JSON.stringify(patch('nested.txt'))}))
await attempt(() => tools.exec_command({ cmd: 'touch nested-shell.txt' }))
await attempt(() => import('node:fs'))
text([typeof process, typeof require, typeof fetch].join(' '))`,
  },
  { name: 'wait', input: { cell_id: '1' } },
  { name: 'shell', type: 'function', input: { command: ['touch', 'shell.txt'] } },
  { name: 'shell_command', input: { command: 'touch shell-command.txt' } },
  { name: 'exec_command', input: { cmd: 'touch exec-command.txt' } },
  { name: 'exec_command', input: { cmd: 'touch escalated.txt', sandbox_permissions: 'require_escalated' } },
  { name: 'write_stdin', input: { session_id: 1, chars: 'touch typed.txt\n' } },
  { name: 'spawn_agent', input: { message: 'Touch agent.txt', task_name: 'touch' } },
  { name: 'update_plan', input: { plan: [{ step: 'Touch plan.txt', status: 'in_progress' }] } },
  { name: 'request_user_input', input: question },
  { name: 'request_user_input_async', input: question },
  { name: 'send_message_to_user_async', input: { message: 'Anybody there?' } },
  { name: 'create_goal', input: { objective: 'Touch goal.txt' } },
  { name: 'sleep', input: { duration_ms: 600_000 } },
  { name: 'view_image', input: { path: '/etc/hostname' } },
  { name: 'web_search', input: { query: 'harbour' } },
  { name: 'list_mcp_resources', input: {} },
  { name: 'list_mcp_resource_templates', input: {} },
  { name: 'read_mcp_resource', input: { server: 'bridge', uri: 'file:///etc/hostname' } },
  { name: 'tool_search', input: { query: 'shell' } },
  { name: 'request_permissions', input: { permissions: { file_system: { write: ['/'] } } } },
  { name: 'js_repl', type: 'custom', input: 'require("fs").writeFileSync("repl.txt", "made")' },
]

test.each(residues.map((row) => [`${row[0].version}, ${row[1]}`, ...row] as const))(
  'mcp_only, %s: the model is offered the 14 and the listed residue, and no call of anything else does anything',
  async (_, cli, model, residue) => {
    const turn = async (transport: 'structured' | 'live') => {
      const bench = await Workbench.open(cli, steps(...attempts, call('tool_7')))
      const { completion, events, breaches } = await bench.turn({
        model,
        transport,
        bridge: tools,
        tools: { mode: 'mcp_only' },
        approvals: 'approve-all',
      })
      expect(completion.error).toBeUndefined()
      expect(completion).toMatchObject({ status: 'success', text: 'Done.' })
      expect(breaches).toEqual([])
      expect(offered(bench.steps()[0])).toEqual([...served, ...residue].sort())
      expect(reachedByScript(bench.steps())).toBe('')
      expect(await readdir(bench.cwd)).toEqual([])
      expect(events.filter(({ type }) => type === 'interaction')).toEqual([])
      expect(toolEnds(events)).toContainEqual({ server: 'bridge', name: 'tool_7', status: 'completed' })
    }
    expect(residue.filter((name) => !isResidual(name))).toEqual([])
    await Promise.all([turn('structured'), turn('live')])
  },
)

test.each([
  [newest, 'gpt-5.5', ['tool_7']],
  // It asks for no MCP tool.
  [older, 'gpt-5.4', []],
] as const)(
  "a host is asked about the servers' tools, never by codex itself: $version",
  async (cli, model, asked) => {
    const bench = await Workbench.open(cli, steps(...attempts, call('tool_7')))
    const { completion, events } = await bench.turn({
      model,
      bridge: tools,
      tools: { mode: 'mcp_only' },
      approvals: () => 'allow',
    })
    expect(completion.error).toBeUndefined()
    const requests = events.flatMap((event) =>
      event.type === 'interaction' && event.phase === 'request' ? [event] : [],
    )
    expect(requests.map(({ title }) => /tool_\d+/.exec(title)?.[0])).toEqual(asked)
    expect(await readdir(bench.cwd)).toEqual([])
  },
)

/** One of each kind that the version tells apart by what it offers them, its default among them, and one that it does not know. */
const models = {
  '0.171.0': ['mock-model', 'gpt-5.5', 'gpt-5.6-luna', 'gpt-5.6-sol', 'gpt-6-sol', 'gpt-6.2-sol'],
  '0.113.0': ['mock-model', 'gpt-5.4'],
  '0.55.0': ['mock-model', 'gpt-5-codex', 'codex-mini-latest'],
}

describe.each([newest, older, oldest])('native, $version', (cli) => {
  test('offers no name that the adapter does not list', async () => {
    const known = codexNativeTools.map(({ name }) => name)
    for (const model of models[cli.version as keyof typeof models]) {
      const list = { name: 'exec', type: 'custom', input: 'text("reaches: " + Object.keys(tools).join(" "))' }
      const bench = await Workbench.open(cli, steps(list))
      const { completion } = await bench.turn({ model, transport: 'structured', approvals: 'deny' })
      expect(completion.status).toBe('success')
      const names = [
        ...offered(bench.steps()[0]),
        ...reachedByScript(bench.steps())
          .split(' ')
          .filter(Boolean)
          .map((name) => name.replace(/^.+__/, '')),
      ]
      expect(names.length).toBeGreaterThan(3)
      const unknown = names.filter((name) => !known.includes(name))
      expect(unknown, `Group these of ${model} in src/adapters/codex-cli/native-tools.ts`).toEqual([])
    }
  })
})

describe('lists', () => {
  const shell = ['exec_command', 'write_stdin']
  test.each<[string, TurnOptions['tools'], string[]]>([
    [
      'hybrid: both, without what would ask, wait or delegate',
      { mode: 'hybrid' },
      [...served, ...resources, ...shell, 'view_image', 'web_search'],
    ],
    [
      'hybrid with a list: those of either kind that it names',
      { mode: 'hybrid', allow: ['shell', 'bridge/tool_2', 'tool_3'] },
      ['bridge/tool_2', 'bridge/tool_3', ...resources, ...shell],
    ],
    [
      'hybrid with denials',
      { mode: 'hybrid', deny: ['shell', 'web_search', 'bridge/tool_2', 'tool_3'] },
      [...served.filter((name) => !/_[23]$/.test(name)), ...resources, 'view_image'],
    ],
    [
      'mcp_only with a list',
      { mode: 'mcp_only', allow: ['tool_1', 'tool_2'], deny: [] },
      ['bridge/tool_1', 'bridge/tool_2', ...resources],
    ],
    ['native with a list', { mode: 'native', allow: ['view_image'] }, ['view_image']],
  ])('%s', async (_, policy, expected) => {
    const bench = await Workbench.open(newest, steps())
    const { completion } = await bench.turn({
      ...(policy?.mode !== 'native' && { bridge: tools }),
      ...(policy && { tools: policy }),
      model: 'mock-model',
      approvals: 'deny',
    })
    expect(completion.status).toBe('success')
    expect(offered(bench.steps()[0])).toEqual([...expected].sort())
  })
})

test.each([newest, older])(
  'a shell that is allowed by any of its names runs, whatever the model has it as: $version',
  async (cli) => {
    const bench = await Workbench.open(
      cli,
      steps({ name: 'shell', input: { command: 'touch made.txt' } }, call('tool_1')),
    )
    const { completion, events } = await bench.turn({
      bridge: tools,
      tools: { mode: 'hybrid', allow: ['write_stdin', 'apply_patch', 'tool_1'] },
      approvals: 'approve-all',
    })
    expect(completion.error).toBeUndefined()
    expect(toolEnds(events)).toEqual([
      { server: undefined, name: 'shell', status: 'completed' },
      { server: 'bridge', name: 'tool_1', status: 'completed' },
    ])
    expect(await readdir(bench.cwd)).toEqual(['made.txt'])
  },
)

/** Sorted; a server's tools as `server/tool`. */
function offered(request: ModelRequest | undefined): string[] {
  const { tools: all } = openaiResponses.read(request?.body)
  return all
    .map((tool) => {
      const full = splitMcpName(tool.namespace?.startsWith('mcp__') ? fullName(tool) : tool.name)
      return full.server === undefined ? full.name : `${full.server}/${full.name}`
    })
    .sort()
}

/** What the JavaScript of the newest models found in its reach. */
function reachedByScript(requests: readonly ModelRequest[]): string {
  const said = requests.at(-1)?.toolResults.join('\n') ?? ''
  return /^reaches: (.*)$/m.exec(said)?.[1] ?? ''
}

function isResidual(name: string): boolean {
  return codexNativeTools.some((tool) => tool.name === name && tool.residual !== undefined)
}
