import { describe, expect, it } from 'vitest'
import { type AgentError, defineAdapter, deriveBridgeVariables, startTurn } from '../../src/index.ts'
import { checkTurnOptions } from '../../src/options/check.ts'
import { tinyCli } from '../tiny-cli.ts'

const adapter = defineAdapter({
  ...tinyCli(),
  nativeTools: [
    { name: 'sh', kind: 'shell' },
    { name: 'read', kind: 'read' },
  ],
  capabilities: {
    approvals: ['deny', 'approve-all'],
    mcpServers: ['http'],
    toolModes: ['native', 'hybrid', 'mcp_only'],
    nativeToolLists: true,
    nativeShell: ['deny', 'approve-all'],
  },
})
const asking = defineAdapter({
  ...adapter,
  capabilities: { ...adapter.capabilities, nativeShell: ['approve-all'] },
})
const boxed = defineAdapter({
  ...adapter,
  capabilities: { ...adapter.capabilities, sandbox: ['read-only', 'workspace-write'], network: true },
})
const whole = deriveBridgeVariables({ url: 'http://127.0.0.1:9', token: 'a-token', sessionId: 's1' })
const look = { name: 'look', description: 'Looks.', input: { type: 'object' }, execute: () => 'ok' }
const turn = { adapter, prompt: 'hello', apiTransport: 'native_shell' as const }
const without = (...names: string[]) =>
  Object.fromEntries(Object.entries(whole).filter(([name]) => !names.includes(name)))

describe('a shell that is to reach the product', () => {
  it.each([
    ['nothing', {}, 'MCP_API_URL, MCP_MCP, MCP_CUSTOM, MCP_VIRTUAL, MCP_AUTH'],
    ['no header', without('MCP_AUTH'), 'MCP_AUTH'],
    ['a blank route', { ...whole, MCP_CUSTOM: ' ' }, 'MCP_CUSTOM'],
    ['no virtual tools', without('MCP_VIRTUAL', 'MCP_MCP'), 'MCP_MCP, MCP_VIRTUAL'],
  ])('is refused with %s', (_title, scope, missing) => {
    expect(() => startTurn({ ...turn, scope })).toThrowError(
      expect.objectContaining({
        code: 'bridge_environment_incomplete',
        message: `apiTransport 'native_shell' lacks ${missing}.`,
      }),
    )
  })

  it('is refused with a part of the variables, also beside a bridge', () => {
    expect(() => startTurn({ ...turn, scope: without('MCP_AUTH'), bridge: [look] })).toThrowError(
      'lacks MCP_AUTH',
    )
  })

  it.each([
    [{ scope: whole }],
    [{ scope: without('MCP_SESSION_ID', 'MCP_API_TOKEN') }],
    [{ bridge: [look] }],
    [{ bridge: [look], scope: { SECRET_A: 'some-secret' } }],
  ])('is taken with %j', (options) => {
    expect(checkTurnOptions({ ...turn, ...options }).apiTransport).toBe('native_shell')
  })

  it.each<[object, AgentError['message']]>([
    [{ scope: whole, bridge: [look], tools: { mode: 'mcp_only' } }, "tools.mode 'mcp_only' takes away"],
    [
      { scope: whole, bridge: [look], tools: { mode: 'hybrid', allow: ['execute_shell_command'] } },
      'exclude each other',
    ],
    [{ scope: whole, network: false }, 'network'],
  ])('contradicts %j', (options, message) => {
    expect(() => checkTurnOptions({ ...turn, ...options })).toThrow(message)
  })

  it.each([
    [
      { tools: { mode: 'native' as const, deny: ['sh'] } },
      'the shell of tiny-cli, which tools.allow and tools.deny take away',
    ],
    [{ tools: { mode: 'hybrid' as const, allow: ['read', 'look'] }, bridge: [look] }, 'take away'],
    [{ bridge: [{ ...look, name: 'execute_shell_command' }] }, 'exclude each other'],
    [
      { bridge: [look], tools: { mode: 'hybrid' as const, allow: ['bridge/execute_shell_command'] } },
      'exclude each other',
    ],
    [{ adapter: asking }, "reaches nothing with approvals: 'deny'"],
    [
      { adapter: defineAdapter({ ...adapter, capabilities: { approvals: ['deny'] } }) },
      'It is not known what the shell of tiny-cli reaches',
    ],
    [{ adapter: boxed }, 'a sandbox of tiny-cli that lets the shell out'],
    [{ adapter: boxed, sandbox: 'read-only' as const, network: true }, 'a sandbox of tiny-cli'],
    [{ adapter: boxed, sandbox: 'workspace-write' as const }, 'a sandbox of tiny-cli'],
  ])('is refused where it is none: %j', (options, message) => {
    const { bridge } = { bridge: undefined, ...options }
    expect(() => checkTurnOptions({ ...turn, ...(bridge ? {} : { scope: whole }), ...options })).toThrow(
      message,
    )
  })

  it.each([
    [{ adapter: asking, approvals: 'approve-all' as const }],
    [{ adapter: boxed, approvals: 'approve-all' as const }],
    [{ adapter: boxed, sandbox: 'workspace-write' as const, network: true }],
    [{ adapter: boxed, sandbox: 'off' as const }],
  ])('is taken where it reaches the product: %j', (options) => {
    expect(checkTurnOptions({ ...turn, scope: whole, ...options }).apiTransport).toBe('native_shell')
  })

  it("has no other session's variables beside those of its bridge", () => {
    expect(() => startTurn({ ...turn, bridge: [look], scope: { MCP_API_TOKEN: 'of-another' } })).toThrowError(
      expect.objectContaining({ code: 'bridge_environment_incomplete' }),
    )
  })

  it('is asked of no turn that does not say so', () => {
    expect(
      checkTurnOptions({ adapter, prompt: 'hello', scope: { MCP_CUSTOM: 'http://h' } }).apiTransport,
    ).toBe('bridge_shell')
  })
})
