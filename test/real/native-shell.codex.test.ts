import { once } from 'node:events'
import { createServer } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { deriveBridgeVariables } from '../../src/env/bridge-variables.ts'
import { type BridgeTool, resolveProfile, type TurnOptions } from '../../src/index.ts'
import { realCli } from './clis.ts'
import { Workbench } from './workbench.ts'

const newest = realCli('codex-0.171')
const older = realCli('codex-0.113')

const command = [
  'echo "custom: $' + '{MCP_CUSTOM:+set}, auth: $' + '{MCP_AUTH:+set}, token: $' + '{MCP_API_TOKEN:+set}"',
  'curl -sS -m 10 -H "$MCP_AUTH" -d "{}" "$MCP_CUSTOM/greet"',
].join('; ')

const open = { approvals: 'approve-all' } as const
const write = { sandbox: 'workspace-write' } as const

/** The network of the sandbox is on when and only when the options say so, and without a sandbox there is no other. */
const rows: [string, Partial<TurnOptions>, boolean][] = [
  ['the read-only sandbox that is its own', {}, false],
  ['a sandbox that lets it write', { ...write, network: false }, false],
  ['the same, with network', { ...write, network: true }, true],
  ['no sandbox', open, true],
  ['approve-all in a sandbox, with network', { ...open, ...write, network: true }, true],
]

const hybrid = { agentTools: { mode: 'hybrid' as const }, tools: { enabled: ['look'] } }
const asking = {
  ...hybrid,
  apiTransport: { mode: 'native_shell' as const },
  systemPrompt: 'The harbour is at $MCP_CUSTOM.',
}

/** The same, where a profile asks for it or does not. */
const profiles: [string, Parameters<typeof resolveProfile>[0], Partial<TurnOptions>, boolean][] = [
  ['a profile that asks for its shell', asking, {}, true],
  ['a profile that asks for tools alone', hybrid, {}, false],
  ['the same in a sandbox that lets it write', hybrid, write, false],
  [
    'a profile that asks for nothing of the product',
    { ...hybrid, apiTransport: { mode: 'disabled' } },
    write,
    false,
  ],
]

/** What makes the variables here is the scope; it is not asked for anything. */
const bridge: BridgeTool[] = [
  { name: 'look', description: 'Looks.', input: { type: 'object' }, execute: () => 'Nothing.' },
]

const clis = [newest, older]
const protocols = ['structured', 'live'] as const

test.each(
  clis.flatMap((cli) => [
    ...rows.map(([title, options, reaches]) => [`${cli.version}, ${title}`, cli, options, reaches] as const),
    ...protocols.flatMap((transport) =>
      profiles.map(([title, profile, more, reaches]) => {
        const options = { ...resolveProfile({ ...profile, transport }, 'codex-cli', cli.version), ...more }
        return [`${cli.version} (${transport}), ${title}`, cli, { ...options, bridge }, reaches] as const
      }),
    ),
  ]),
)("the agent's shell sees the granted route, and reaches it or not: %s", async (_, cli, options, reaches) => {
  const heard: string[] = []
  const server = createServer((request, response) => {
    heard.push(`${request.method} ${request.url} ${request.headers.authorization}`)
    response.end('"Ahoy from the host."')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const address = server.address()
  const scope = deriveBridgeVariables({
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/s/crew`,
    token: 'token-of-the-crew',
    sessionId: 'crew',
  })
  const bench = await Workbench.open(cli, [
    { toolCalls: [{ name: 'shell', input: { command } }] },
    { text: 'Called.' },
  ])
  const { completion } = await bench.turn({ approvals: 'deny', ...options, scope })
  expect(completion.status).toBe('success')
  const said = bench.steps().at(-1)?.toolResults.join('\n') ?? ''
  expect(said).toContain('custom: set, auth: set, token: set')
  expect(heard).toEqual(reaches ? ['POST /s/crew/tools/custom/greet Bearer token-of-the-crew'] : [])
  expect(said.includes('Ahoy from the host.')).toBe(reaches)
})
