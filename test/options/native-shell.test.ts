import { describe, expect, it } from 'vitest'
import { type AgentError, defineAdapter, deriveBridgeVariables, startTurn } from '../../src/index.ts'
import { checkTurnOptions } from '../../src/options/check.ts'
import { tinyCli } from '../tiny-cli.ts'

const adapter = defineAdapter({
  ...tinyCli(),
  capabilities: { mcpServers: ['http'], toolModes: ['native', 'hybrid', 'mcp_only'] },
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

  it('is asked of no turn that does not say so', () => {
    expect(
      checkTurnOptions({ adapter, prompt: 'hello', scope: { MCP_CUSTOM: 'http://h' } }).apiTransport,
    ).toBe('bridge_shell')
  })
})
