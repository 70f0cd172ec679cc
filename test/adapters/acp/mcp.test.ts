import { describe, expect, test } from 'vitest'
import { acpServers } from '../../../src/adapters/acp/mcp.ts'
import type { LaunchMcpServer } from '../../../src/adapters/launch-options.ts'
import { acpAgent, explainEnvironment } from '../../../src/index.ts'
import { Driven, greeting, type Json } from './driving.ts'

const servers: Record<string, LaunchMcpServer> = {
  'dock-side': {
    type: 'stdio',
    command: 'serve',
    args: ['--loud'],
    env: { VALUE: '$x' },
    tools: ['moor'],
    hidden: [],
  },
  bridge: {
    type: 'http',
    url: 'http://127.0.0.1:1/mcp',
    headers: { Authorization: 'Bearer x' },
    tools: ['set.sail'],
    hidden: [],
  },
}
const given = [
  { name: 'dock-side', command: 'serve', args: ['--loud'], env: [{ name: 'VALUE', value: '$x' }] },
  {
    type: 'http',
    name: 'bridge',
    url: 'http://127.0.0.1:1/mcp',
    headers: [{ name: 'Authorization', value: 'Bearer x' }],
  },
]
const takesHttp = { mcpCapabilities: { http: true } }

test('servers are written as the protocol has them', () => {
  expect(acpServers('agent', servers)).toEqual(given)
  expect(acpServers('agent', { s: { type: 'stdio', command: 'c', tools: [], hidden: [] } })).toEqual([
    { name: 's', command: 'c', args: [], env: [] },
  ])
})

test('a tool that was not let through cannot be kept from an agent', () => {
  const bridge: LaunchMcpServer = { type: 'http', url: 'http://127.0.0.1:1/mcp', tools: [], hidden: ['sink'] }
  expect(() => acpServers('agent', { bridge })).toThrow(
    expect.objectContaining({
      code: 'unsupported',
      message: 'agent cannot be kept from sink of the MCP server bridge.',
    }),
  )
})

test("no agent can be held to 'mcp_only', nor to lists of its own tools", () => {
  const agent = acpAgent({ id: 'some-agent', command: ['agent'] })
  const mcpServers = { s: { type: 'stdio', command: 'c' } as const }
  const refusal = (tools: object) => () => explainEnvironment({ adapter: agent, mcpServers, ...tools })
  expect(refusal({ tools: { mode: 'mcp_only' } })).toThrow(
    "some-agent does not support tools.mode: 'mcp_only'. Supported: 'native' and 'hybrid'.",
  )
  expect(refusal({ mcpServers: {}, tools: { mode: 'native', deny: ['bash'] } })).toThrow(
    'some-agent does not support tools.allow and tools.deny of its own tools (bash).',
  )
  expect(refusal({})).not.toThrow()
})

describe('a conversation', () => {
  const opening = { mcpServers: given }

  test('begins with them', () => {
    const driven = new Driven({ opening })
    driven.answer(greeting(takesHttp))
    expect(driven.sent().at(-1)).toMatchObject({ method: 'session/new', params: { mcpServers: given } })
  })

  test('is resumed with them', () => {
    const driven = new Driven({ opening, options: { cwd: '/w', resume: 'old' } })
    driven.answer(greeting({ ...takesHttp, loadSession: true }))
    expect(driven.sent().at(-1)).toMatchObject({
      method: 'session/load',
      params: { sessionId: 'old', mcpServers: given },
    })
  })

  test('is not begun with an agent that takes none over HTTP', () => {
    const driven = new Driven({ opening })
    driven.sent()
    driven.answer(greeting())
    expect(driven.sent()).toEqual([])
    expect(driven.failures).toEqual([
      {
        code: 'unsupported',
        message: 'agent takes no MCP server over HTTP, so that it cannot have bridge.',
        hint: "Give it servers of type 'stdio': `bridge` is served over HTTP.",
      },
    ])
  })

  test('needs no word of the agent for servers on stdio', () => {
    const driven = new Driven({ opening: { mcpServers: given.slice(0, 1) } })
    driven.answer(greeting()).answer({ sessionId: 's1' })
    expect([driven.failures, driven.ready]).toEqual([[], 1])
  })
})

describe('the call of a tool of a server', () => {
  const codex = { server: 'dock-side', tool: 'moor', arguments: { word: 'w' } }

  test.each<[string, Json, object]>([
    [
      'claude-agent-acp 0.49.0',
      { title: 'mcp__dock-side__moor', _meta: { claudeCode: { toolName: 'mcp__dock-side__moor' } } },
      { server: 'dock-side', name: 'moor' },
    ],
    [
      'claude-agent-acp, a name that it had to write otherwise',
      { title: 'x', _meta: { claudeCode: { toolName: 'mcp__bridge__set_sail' } } },
      { server: 'bridge', name: 'set.sail' },
    ],
    [
      'claude-agent-acp, a server of its own',
      { title: 'x', _meta: { claudeCode: { toolName: 'mcp__own__sing' } } },
      { server: 'own', name: 'sing' },
    ],
    ['opencode 1.18.33', { title: 'dock-side_moor' }, { server: 'dock-side', name: 'moor' }],
    ['opencode, a server of its own', { title: 'own_sing' }, { name: 'own_sing' }],
    [
      'codex-acp 2.6.0',
      { title: 'mcp.dock-side.moor', rawInput: codex, _meta: { is_mcp_tool_call: true } },
      { server: 'dock-side', name: 'moor' },
    ],
    ['none: what a shell call is about', { title: 'mcp__dock-side__sink' }, { name: 'mcp__dock-side__sink' }],
  ])('%s', (_, call, expected) => {
    const driven = Driven.open({
      options: { cwd: '/w', serverTools: { 'dock-side': ['moor'], bridge: ['set.sail'] } },
    })
    driven.prompt().update({ sessionUpdate: 'tool_call', toolCallId: 't1', status: 'in_progress', ...call })
    const { server, name } = Object(driven.events.find((event) => event.type === 'tool'))
    expect({ ...(server !== undefined && { server }), name }).toEqual(expected)
  })

  test("has the input of the tool, not of the agent's wrapping", () => {
    const driven = Driven.open()
    const call = { title: 'x', rawInput: codex, _meta: { is_mcp_tool_call: true } }
    driven.prompt().update({ sessionUpdate: 'tool_call', toolCallId: 't1', status: 'in_progress', ...call })
    expect(driven.events).toContainEqual(expect.objectContaining({ phase: 'input', input: { word: 'w' } }))
  })

  test('is told by no name that two tools could have', () => {
    const driven = Driven.open({ options: { cwd: '/w', serverTools: { a: ['b_c'], a_b: ['c'] } } })
    driven.prompt().update({ sessionUpdate: 'tool_call', toolCallId: 't1', title: 'a_b_c' })
    expect(driven.events).toContainEqual(expect.objectContaining({ phase: 'start', name: 'a_b_c' }))
  })
})
