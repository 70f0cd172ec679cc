import { describe, expect, it } from 'vitest'
import { claudeCode } from '../../src/adapters/claude-code.ts'
import { codexCli } from '../../src/adapters/codex-cli.ts'
import { launchContext, launchOptions } from './claude-code/launching.ts'

const adapters = { 'claude-code': claudeCode, 'codex-cli': codexCli }
type Servers = Record<string, { tools: string[]; hidden?: string[] }>

const long = 'x'.repeat(118)

function launch(cli: keyof typeof adapters, version: string, servers: Servers) {
  const mcpServers = Object.fromEntries(
    Object.entries(servers).map(([name, { tools, hidden = [] }]) => [
      name,
      { type: 'http' as const, url: 'http://127.0.0.1:9/mcp', tools, hidden },
    ]),
  )
  const tools = { mode: 'mcp_only' as const, deny: [], strict: false }
  return () =>
    adapters[cli].structured.launch(launchOptions({ tools, mcpServers }), launchContext({ version }))
}

describe('tools that the CLI would lose in silence are refused', () => {
  const apart = (cli: string) =>
    `${cli} cannot tell the tools shop/a.b and shop/a_b apart: both are mcp__shop__a_b to its model.`
  it.each<[keyof typeof adapters, string, Servers, string]>([
    ['claude-code', '2.1.332', { shop: { tools: ['a.b', 'a_b'] } }, apart('claude-code')],
    ['claude-code', '2.0.72', { shop: { tools: ['a.b', 'a_b'] } }, apart('claude-code')],
    ['claude-code', '1.0.124', { shop: { tools: ['a.b', 'a_b'] } }, apart('claude-code')],
    // What hides one of them hides the other.
    ['claude-code', '2.1.332', { shop: { tools: ['a.b'], hidden: ['a_b'] } }, apart('claude-code')],
    [
      'claude-code',
      '2.1.332',
      { shop: { tools: ['look', long] } },
      `The tool shop/${'x'.repeat(60)}… (118 characters) has too long a name for claude-code: 129 characters with that of its server, of at most 128.`,
    ],
    ['codex-cli', '0.113.0', { shop: { tools: ['a.b', 'a_b'] } }, apart('codex-cli')],
  ])('%s %s: %j', (cli, version, servers, message) => {
    expect(launch(cli, version, servers)).toThrow(
      expect.objectContaining({ code: 'invalid_options', message }),
    )
  })
})

describe('and those that it offers are not', () => {
  it.each<[keyof typeof adapters, string, Servers]>([
    [
      'claude-code',
      '2.1.332',
      { shop: { tools: ['a.b', 'a-b', 'A_b', 'x'.repeat(117)] }, depot: { tools: ['a_b'] } },
    ],
    ['claude-code', '2.1.332', { shop: { tools: ['look'], hidden: [long, 'a.b', 'a_b'] } }],
    ['codex-cli', '0.171.0', { shop: { tools: ['a.b', 'a_b', long] } }],
    ['codex-cli', '0.113.0', { shop: { tools: ['a.b', long], hidden: ['a_b'] } }],
  ])('%s %s: %j', (cli, version, servers) => {
    expect(launch(cli, version, servers)).not.toThrow()
  })
})
