import { expect, test } from 'vitest'
import { type BridgeTool, resolveProfile } from '../../src/index.ts'
import { realCli } from './clis.ts'
import { Workbench } from './workbench.ts'

/**
 * From a product's profile down to what its agent's own shell sees and reaches: a test beside each part only proves that it agrees
 * with itself.
 */
const profile = {
  agentTools: { mode: 'hybrid' as const },
  apiTransport: { mode: 'native_shell' as const },
  approvals: 'approve-all' as const,
  tools: { enabled: ['look'] },
  systemPrompt:
    'The harbour is at $MCP_CUSTOM: curl -H "$MCP_AUTH" -d \'{"berth":"north"}\' "$MCP_CUSTOM/look".',
}

/** The header on the command line, and from a file, where others on the machine cannot list it. */
const calls = [
  'curl -sS -m 10 -H "$MCP_AUTH" -d \'{"berth":"north"}\' "$MCP_CUSTOM/look"',
  'header=$(mktemp) && chmod 600 "$header" && printf "%s\\n" "$MCP_AUTH" > "$header"',
  'curl -sS -m 10 -H @"$header" -d \'{"berth":"south"}\' "$MCP_CUSTOM/look"',
  'curl -sS -m 10 -H @"$header" -d \'{"berth":"east"}\' "$MCP_VIRTUAL/look"',
  'curl -sS -m 10 -H @"$header" -o /dev/null -w "\\nindex:%{http_code}\\n" "$MCP_API_URL"',
  'curl -sS -m 10 -o /dev/null -w "stranger:%{http_code}\\n" -d "{}" "$MCP_CUSTOM/look"',
  'rm "$header"',
]

const command = [
  'for name in MCP_CUSTOM MCP_AUTH SECRET_HARBOUR UNRELATED_KEY SECRET_OF_ANOTHER MCP_ANYTHING',
  'do [ -n "$(printenv "$name")" ] && echo "$name:set" || echo "$name:empty"; done',
  ...calls,
  'true',
].join('\n')

const rows = ['claude-2.0', 'claude-2.1', 'codex-0.113', 'codex-0.171', 'pi-1.3', 'pi-1.6'].flatMap((alias) =>
  (['structured', 'live'] as const).map((transport) => [alias, transport, realCli(alias)] as const),
)

test.each(rows)(
  'the shell of %s (%s) sees what the profile grants, and reaches the product by it',
  async (_alias, transport, cli) => {
    const looked: unknown[] = []
    const look: BridgeTool = {
      name: 'look',
      description: 'Looks at a berth.',
      input: { type: 'object', properties: { berth: { type: 'string' } }, required: ['berth'] },
      execute: (input) => {
        looked.push(input)
        return 'Petrel lies there.'
      },
    }
    const bench = await Workbench.open(cli, [
      { toolCalls: [{ name: 'shell', input: { command } }] },
      { text: 'Petrel is there.' },
    ])
    const { completion, events } = await bench.turn({
      ...resolveProfile({ ...profile, transport }, cli.adapter, cli.version),
      bridge: [look],
      scope: { SECRET_HARBOUR: 'harbour-master-7' },
      environment: {
        ...bench.environment,
        UNRELATED_KEY: 'not-for-it',
        SECRET_OF_ANOTHER: 'not-for-it',
        MCP_ANYTHING: 'not-for-it',
      },
    })
    expect(completion).toMatchObject({ status: 'success', text: 'Petrel is there.' })
    const printed = bench.server.requests.flatMap(({ toolResults }) => toolResults).join('\n')
    expect([...printed.matchAll(/^(\w+):(set|empty)$/gm)].map(([line]) => line).slice(0, 6)).toEqual([
      'MCP_CUSTOM:set',
      'MCP_AUTH:set',
      'SECRET_HARBOUR:set',
      'UNRELATED_KEY:empty',
      'SECRET_OF_ANOTHER:empty',
      'MCP_ANYTHING:empty',
    ])
    expect(printed).toMatch(/^index:200\nstranger:401$/m)
    expect(looked).toEqual([{ berth: 'north' }, { berth: 'south' }, { berth: 'east' }])
    expect(events.filter((event) => event.type === 'notice' && event.code === 'token_exposed')).toEqual([])
  },
)
