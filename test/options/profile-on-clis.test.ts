import { describe, expect, it, test } from 'vitest'
import { type AgentError, defineAdapter, getAdapter, isAgentError, resolveProfile } from '../../src/index.ts'
import { checkTurnOptions, onTransport } from '../../src/options/check.ts'
import { tinyCli } from '../tiny-cli.ts'

/** What a profile says of the CLIs themselves: all that a turn would be refused for, and nothing that one would not. */

const prompt = 'Call $MCP_CUSTOM.'
const shell = { agentTools: { mode: 'hybrid' }, apiTransport: { mode: 'native_shell' }, systemPrompt: prompt }
const look = { enabled: ['look'] }

describe('what the CLI cannot do is told with its place', () => {
  const rows: [string, object, string, string | undefined, string[]][] = [
    ['mcp_only, which pi has since 0.99', {}, 'pi-cli', '0.73.1', ['agentTools.mode']],
    ['mcp_only on a new pi', {}, 'pi-cli', '1.6.0', []],
    ['mcp_only on a pi of no known version', {}, 'pi-cli', undefined, []],
    [
      'hybrid, which has servers, too',
      { agentTools: { mode: 'hybrid' }, tools: look },
      'pi-cli',
      '0.98.0',
      ['agentTools.mode'],
    ],
    [
      'a system prompt that cursor has no place for',
      { systemPrompt: 'Be brief.' },
      'cursor-cli',
      undefined,
      ['systemPrompt', 'agentTools.mode'],
    ],
    [
      'one to replace its own, on cursor',
      { systemPrompt: { replace: 'x' }, agentTools: { mode: 'hybrid' }, tools: look },
      'cursor-cli',
      undefined,
      ['systemPrompt.replace'],
    ],
    [
      'the route that a native shell needs there',
      { ...shell, tools: look, approvals: 'approve-all' },
      'cursor-cli',
      undefined,
      ['systemPrompt', 'apiTransport.mode'],
    ],
    [
      'a native shell that the allow-list leaves out',
      { ...shell, tools: { enabled: ['Read', 'look'] }, approvals: 'approve-all' },
      'claude-code',
      undefined,
      ['tools.enabled'],
    ],
    [
      'a native shell that it has',
      { ...shell, tools: { enabled: ['Bash', 'look'] }, approvals: 'approve-all' },
      'claude-code',
      undefined,
      [],
    ],
    [
      'a native shell that would be asked about',
      { ...shell, tools: look },
      'claude-code',
      undefined,
      ['apiTransport.mode'],
    ],
    [
      'a list of tools that cursor cannot keep to',
      { agentTools: { mode: 'hybrid' }, tools: { enabled: ['shell'] } },
      'cursor-cli',
      undefined,
      ['tools.enabled'],
    ],
    ['a version that no turn runs on', {}, 'claude-code', '1.0.1', ['']],
    ['live input below the floor', { liveInput: 'required' }, 'codex-cli', '0.55.0', ['liveInput']],
  ]
  it.each(rows)('%s', (_title, profile, adapter, version, paths) => {
    const error = refusalOf(profile, adapter, version)
    expect(error?.issues?.map(({ path }) => path) ?? []).toEqual(paths)
    for (const { message, fix } of error?.issues ?? []) {
      expect(message).toMatch(/^\S.*[^.]\.$/)
      expect(fix).toMatch(/^\S.*\.$/)
    }
  })
})

const versions: [string, string[]][] = [
  ['claude-code', ['1.0.124', '2.1.332']],
  ['codex-cli', ['0.55.0', '0.113.0', '0.171.0']],
  ['cursor-cli', ['2026.01.28']],
  ['pi-cli', ['0.63.2', '0.73.1', '1.6.0']],
]
const combinations = versions.flatMap(([adapter, each]) =>
  each.flatMap((version) =>
    (['mcp_only', 'hybrid'] as const).flatMap((mode) =>
      (['deny', 'auto', 'approve-all', 'host'] as const).flatMap((approvals) =>
        (['auto', 'structured', 'live'] as const).flatMap((transport) =>
          [false, true].map((isShell) => ({ adapter, version, mode, approvals, transport, isShell })),
        ),
      ),
    ),
  ),
)
type Combination = (typeof combinations)[number]

test('a profile is refused where the turn that it is for would be, and nowhere else', () => {
  const possible = combinations.filter(({ mode, isShell }) => mode === 'hybrid' || !isShell)
  const wrong = possible.filter((each) => isProfileRefused(each) !== isTurnRefused(each))
  expect(wrong).toEqual([])
  const refused = possible.filter(isProfileRefused)
  expect(refused.length).toBeGreaterThan(50)
  expect(possible.length - refused.length).toBeGreaterThan(50)
})

test('a CLI that plans no launch by its own fault is not held against the profile', () => {
  const broken = defineAdapter({
    ...tinyCli(undefined, 'broken'),
    capabilities: { mcpServers: ['http'], toolModes: ['mcp_only'] },
    structured: {
      launch: () => {
        throw new TypeError('no such thing')
      },
      wire: tinyCli().structured.wire,
    },
  })
  expect(() => resolveProfile({}, broken)).not.toThrow()
})

function isProfileRefused({ adapter, version, mode, approvals, transport, isShell }: Combination): boolean {
  const profile = {
    transport,
    approvals,
    agentTools: { mode },
    tools: look,
    ...(isShell && { apiTransport: { mode: 'native_shell' }, systemPrompt: prompt }),
  }
  return refusalOf(profile, adapter, version) !== undefined
}

/** As a product would write the same by hand, up to the start of the CLI. */
function isTurnRefused({ adapter, version, mode, approvals, transport, isShell }: Combination): boolean {
  const options = {
    adapter,
    prompt: 'hello',
    transport,
    approvals,
    tools: { mode, allow: ['look'] },
    bridge: [{ name: 'look', description: 'Looks.', input: { type: 'object' }, execute: () => '' }],
    ...(isShell && { apiTransport: 'native_shell', network: true, systemPrompt: { append: prompt } }),
    ...(isShell && adapter === 'codex-cli' && approvals !== 'approve-all' && { sandbox: 'workspace-write' }),
  }
  const server = { type: 'http' as const, url: 'http://127.0.0.1:9/mcp', tools: ['look'], hidden: [] }
  const context = { version, home: '/h', directory: '/h', platform: 'linux' as const, isRoot: false }
  try {
    const { checked } = onTransport(checkTurnOptions(options), version)
    const launch = { ...checked.launch, mcpServers: { bridge: server } }
    const { live, structured } = getAdapter(adapter)
    if (checked.transport === 'structured' || !live) structured.launch(launch, context)
    else live.launch({ ...launch, approvals: approvals === 'host' ? 'host' : launch.approvals }, context)
    return false
  } catch (error) {
    if (isAgentError(error)) return true
    throw error
  }
}

function refusalOf(profile: object, adapter: string, version?: string): AgentError | undefined {
  try {
    resolveProfile(profile, adapter, version)
    return undefined
  } catch (error) {
    if (isAgentError(error)) return error
    throw error
  }
}
