import { describe, expect, it, test } from 'vitest'
import {
  type AdapterDefinition,
  AgentError,
  defineAdapter,
  resolveProfile,
  runtimeProfileSchema,
} from '../../src/index.ts'
import { tinyCli } from '../tiny-cli.ts'
import { tinyLiveCli } from '../tiny-live-cli.ts'

type Profile = Parameters<typeof resolveProfile>[0]

const able: Partial<AdapterDefinition['capabilities']> = {
  approvals: ['deny', 'approve-all'],
  mcpServers: ['http'],
  toolModes: ['native', 'hybrid', 'mcp_only'],
  nativeShell: ['deny', 'approve-all'],
  systemPrompt: { append: true, replace: true },
}
const live = tinyLiveCli('lively')
const lively = defineAdapter({ ...live, capabilities: { ...live.capabilities, ...able } })
const mute = defineAdapter({ ...tinyCli(undefined, 'mute'), capabilities: able })
const boxed = defineAdapter({ ...mute, id: 'boxed', capabilities: { ...able, sandbox: ['workspace-write'] } })
const asking = defineAdapter({
  ...mute,
  id: 'asking',
  capabilities: { ...able, nativeShell: ['approve-all'] },
})
const shellless = defineAdapter({ ...mute, id: 'shellless', capabilities: { ...able, nativeShell: [] } })
const bare = tinyCli(undefined, 'bare')

const naming = 'Call curl -H "$MCP_AUTH" "$MCP_CUSTOM/look".'
const shell: Profile = {
  agentTools: { mode: 'hybrid' },
  apiTransport: { mode: 'native_shell' },
  tools: { enabled: ['look'] },
  systemPrompt: naming,
}

test('a profile that says nothing gives the least', () => {
  expect(runtimeProfileSchema.parse({})).toEqual({
    transport: 'auto',
    liveInput: 'optional',
    agentTools: { mode: 'mcp_only' },
    apiTransport: { mode: 'bridge_shell' },
    approvals: 'deny',
    tools: {},
  })
  expect(resolveProfile({}, mute)).toEqual({
    transport: 'auto',
    liveInput: 'optional',
    approvals: 'deny',
    tools: { mode: 'mcp_only' },
  })
})

describe('what is right becomes options', () => {
  const rows: [string, Profile, Parameters<typeof resolveProfile>[1], object][] = [
    [
      'the allow-list is what is enabled and what is added',
      {
        agentTools: { mode: 'hybrid' },
        tools: { enabled: ['look', 'execute_shell_command'], additionalBridge: [' buy '] },
      },
      mute,
      { tools: { mode: 'hybrid', allow: ['look', 'execute_shell_command', 'buy'] } },
    ],
    [
      'what is added alone is no limit',
      { tools: { additionalBridge: ['buy'] } },
      mute,
      { tools: { mode: 'mcp_only' } },
    ],
    [
      'a host that answers',
      { approvals: 'host', liveInput: 'required' },
      lively,
      { approvals: 'host', liveInput: 'required' },
    ],
    [
      'a shell with its route',
      shell,
      mute,
      { apiTransport: 'native_shell', network: true, systemPrompt: { append: naming } },
    ],
    ['a shell in a sandbox that it can leave', shell, boxed, { network: true, sandbox: 'workspace-write' }],
    ['a shell without a sandbox', { ...shell, approvals: 'approve-all' }, boxed, { network: true }],
  ]
  it.each(rows)('%s', (_title, profile, adapter, options) => {
    expect(resolveProfile(profile, adapter)).toMatchObject(options)
  })

  it('the network is opened for a native shell alone', () => {
    expect(
      resolveProfile({ agentTools: { mode: 'hybrid' }, tools: { enabled: ['look'] } }, boxed),
    ).not.toHaveProperty('network')
    expect(resolveProfile({ ...shell, approvals: 'approve-all' }, boxed)).not.toHaveProperty('sandbox')
  })
})

describe('what is wrong is refused, with its path and what to do', () => {
  const hybrid = { agentTools: { mode: 'hybrid' as const }, tools: { enabled: ['look'] } }
  const rows: [string, unknown, Parameters<typeof resolveProfile>[1], string[]][] = [
    ['an unknown word', { transport: 'pigeon' }, mute, ['transport']],
    ['an unknown key', { transprot: 'auto' }, mute, ['transprot']],
    ['an unknown key further in', { tools: { enable: [] } }, mute, ['tools.enable']],
    ['no object', 7, mute, ['']],
    ['live input that auto cannot take', { liveInput: 'required' }, mute, ['liveInput']],
    ['live input on structured', { liveInput: 'required', transport: 'structured' }, lively, ['liveInput']],
    ['a host without anybody to ask', { approvals: 'host' }, mute, ['approvals']],
    ['a transport that is not there', { transport: 'live' }, mute, ['transport']],
    ['a transport that is not built', { transport: 'tmux' }, lively, ['transport']],
    ['approvals that the CLI has not', { approvals: 'auto' }, mute, ['approvals']],
    ['a mode that the CLI has not', {}, bare, ['agentTools.mode']],
    ['hybrid without an allow-list', { agentTools: { mode: 'hybrid' } }, mute, ['tools.enabled']],
    [
      'hybrid with an empty one',
      { agentTools: { mode: 'hybrid' }, tools: { enabled: [] } },
      mute,
      ['tools.enabled'],
    ],
    ['a blank name', { ...hybrid, tools: { enabled: ['look', ' '] } }, mute, ['tools.enabled.1']],
    ['a repeated name', { ...hybrid, tools: { enabled: ['look', 'look '] } }, mute, ['tools.enabled.1']],
    [
      'a name in both lists',
      { ...hybrid, tools: { enabled: ['look'], additionalBridge: ['look'] } },
      mute,
      ['tools.additionalBridge.0'],
    ],
    [
      'native_shell without hybrid',
      { ...shell, agentTools: { mode: 'mcp_only' } },
      mute,
      ['apiTransport.mode'],
    ],
    [
      'native_shell beside the tool of the bridge',
      { ...shell, tools: { enabled: ['look', 'execute_shell_command'] } },
      mute,
      ['tools.enabled.1'],
    ],
    [
      'native_shell beside it, added',
      { ...shell, tools: { enabled: ['look'], additionalBridge: ['execute_shell_command'] } },
      mute,
      ['tools.additionalBridge.0'],
    ],
    ['native_shell that nobody is told of', { ...shell, systemPrompt: 'Be brief.' }, mute, ['systemPrompt']],
    ['an empty system prompt', { systemPrompt: '' }, mute, ['systemPrompt']],
    [
      'native_shell whose prompt names another variable',
      { ...shell, systemPrompt: 'Use $XMCP_CUSTOM.' },
      mute,
      ['systemPrompt'],
    ],
    ['native_shell without a prompt', { ...shell, systemPrompt: undefined }, mute, ['systemPrompt']],
    ['native_shell where the shell asks first', shell, asking, ['apiTransport.mode']],
    ['native_shell where there is none', shell, shellless, ['apiTransport.mode']],
    [
      'everything at once',
      {
        transport: 'pigeon',
        liveInput: 'required',
        apiTransport: { mode: 'native_shell' },
        approvals: 'auto',
        tools: { enabled: ['', 'execute_shell_command'] },
      },
      mute,
      [
        'transport',
        'tools.enabled.0',
        'apiTransport.mode',
        'tools.enabled.1',
        'systemPrompt',
        'liveInput',
        'approvals',
      ],
    ],
  ]
  it.each(rows)('%s', (_title, profile, adapter, paths) => {
    const error = refusalOf(profile, adapter)
    expect(error.code).toBe('invalid_options')
    expect(error.issues?.map(({ path }) => path)).toEqual(paths)
    for (const { message, fix } of error.issues ?? []) {
      expect(message).toMatch(/^\S.*[^.]\.$/)
      expect(fix).toMatch(/^\S.*[.?]$/)
    }
  })
})

test('a version below the floor of the live transport takes no live input', () => {
  expect(() => resolveProfile({ liveInput: 'required' }, 'codex-cli', '0.55.0')).toThrowError(
    expect.objectContaining({ issues: [expect.objectContaining({ path: 'liveInput' })] }),
  )
})

function refusalOf(profile: unknown, adapter: Parameters<typeof resolveProfile>[1]): AgentError {
  try {
    // As a caller without types, or a file, gives it.
    resolveProfile(JSON.parse(JSON.stringify(profile)), adapter)
  } catch (error) {
    if (error instanceof AgentError) return error
    throw error
  }
  throw new Error('It was not refused.')
}
