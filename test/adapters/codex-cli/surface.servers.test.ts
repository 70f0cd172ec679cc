import { describe, expect, it } from 'vitest'
import type { LaunchMcpServer } from '../../../src/adapters/launch-options.ts'
import { http, launch, live, policy, settingsIn } from './surface-launching.ts'

const stdio: LaunchMcpServer = {
  type: 'stdio',
  command: 'node',
  args: ['harbour.mjs'],
  env: { HARBOUR_KEY: 'secret-key' },
  tools: [],
  hidden: ['moor'],
}

describe('servers', () => {
  const all = { default_tools_approval_mode: 'approve' }
  const each = { tools: { sing: { approval_mode: 'approve' }, row: { approval_mode: 'approve' } } }
  it.each([
    ['0.55.0', each, { tools: {} }],
    ['0.113.0', each, { tools: {} }],
    ['0.121.0', each, { tools: {} }],
    ['0.122.0', all, all],
    ['0.171.0', all, all],
  ])('of %s stand in its configuration, required', (version, grantsOfBridge, grantsOfHarbour) => {
    const {
      files,
      environment,
      arguments: argv,
    } = launch(version, {
      tools: policy('hybrid'),
      mcpServers: { bridge: http, harbour: stdio },
    })
    expect(settingsIn({ files }).mcp_servers).toEqual({
      bridge: {
        url: 'http://127.0.0.1:7/s/1/mcp',
        env_http_headers: {
          Authorization: 'COXSWAIN_MCP_HEADER_0',
          'X-Crew': 'COXSWAIN_MCP_HEADER_1',
        },
        required: true,
        enabled_tools: ['sing', 'row'],
        startup_timeout_sec: 60,
        tool_timeout_sec: 86_400,
        ...grantsOfBridge,
        omit_tools_from: ['code_mode', 'deferred'],
      },
      harbour: {
        command: 'node',
        args: ['harbour.mjs'],
        env: { HARBOUR_KEY: 'secret-key' },
        required: true,
        enabled_tools: [],
        startup_timeout_sec: 60,
        tool_timeout_sec: 86_400,
        ...grantsOfHarbour,
        omit_tools_from: ['code_mode', 'deferred'],
      },
    })
    expect(environment).toEqual({
      COXSWAIN_MCP_HEADER_0: 'Bearer secret-token',
      COXSWAIN_MCP_HEADER_1: 'secret-crew',
    })
    expect(argv.join(' ')).not.toMatch(/secret|mcp/)
  })

  it('are the same on the live transport', () => {
    const started = live('0.171.0')
    expect(settingsIn(started).mcp_servers).toEqual(settingsIn(launch('0.171.0')).mcp_servers)
    expect(started.environment).toMatchObject({ COXSWAIN_MCP_HEADER_0: 'Bearer secret-token' })
  })

  it("stand on the command line where the configuration is the user's, their headers never", () => {
    const options = { home: 'user', tools: policy('hybrid') } as const
    const { arguments: argv, environment } = launch('0.171.0', options, { home: undefined, directory: '/t' })
    expect(argv).toContain('mcp_servers.bridge.url="http://127.0.0.1:7/s/1/mcp"')
    expect(argv).toContain('mcp_servers.bridge.env_http_headers.Authorization="COXSWAIN_MCP_HEADER_0"')
    expect(argv.join(' ')).not.toContain('secret')
    expect(environment).toMatchObject({ COXSWAIN_MCP_HEADER_1: 'secret-crew' })
  })

  it('with variables of their own are refused there: only the command line could carry them', () => {
    const options = { home: 'user', tools: policy('hybrid'), mcpServers: { harbour: stdio } } as const
    expect(() => launch('0.171.0', options, { home: undefined, directory: '/t' })).toThrow(
      expect.objectContaining({
        code: 'unsupported',
        message: expect.stringContaining('mcpServers.harbour.env'),
      }),
    )
  })
})
