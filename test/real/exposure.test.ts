import { describe, expect, test } from 'vitest'
import type { TurnOptions } from '../../src/index.ts'
import { namedClis, type RealCli } from './clis.ts'
import { freshKey, hunt, traces } from './hunt.ts'
import { Workbench } from './workbench.ts'

const granted = {
  SECRET_X: 'granted-secret-x',
  VAR_Y: 'granted-variable-y',
  MCP_API_URL: 'http://127.0.0.1:9',
  MCP_API_TOKEN: 'granted-mcp-token',
  MCP_AUTH: 'Authorization: Bearer granted-mcp-auth',
}

const homes = {
  'claude-code': 'CLAUDE_CONFIG_DIR',
  'codex-cli': 'CODEX_HOME',
  'pi-cli': 'PI_CODING_AGENT_DIR',
}

/** The newest of each, and the one that differs most. */
const hunted = namedClis.filter(([, { alias }]) => ['claude-2.1', 'claude-2.0', 'claude-1.0'].includes(alias))

async function huntIn(cli: RealCli, key: string, options: (bench: Workbench) => Partial<TurnOptions>) {
  const bench = await Workbench.open(cli, [{ text: 'Not yet.' }])
  const places = ['$HOME', `$${homes[cli.adapter]}`, '$PWD', bench.folder, '/tmp/claude-0', '/dev/shm']
  bench.server.play([
    { toolCalls: [{ name: 'shell', input: { command: hunt(key, places) } }] },
    { text: 'Hunted.' },
  ])
  const { events, completion, breaches } = await bench.turn({
    scope: granted,
    redact: false,
    ...(process.env.VISIBLE && { credentialExposure: 'visible' }),
    budgets: { totalMs: 40_000 },
    ...options(bench),
  })
  const seen = bench.server.requests.flatMap((request) => request.toolResults).join('\n')
  return { bench, events, completion, breaches, seen }
}

/** What no hunt must change: the turn works, the key is nowhere, what was granted is there, and the provider got the key. */
function expectHidden(
  { bench, events, completion, breaches, seen }: Awaited<ReturnType<typeof huntIn>>,
  key: string,
) {
  expect(completion).toMatchObject({ status: 'success', text: 'Hunted.', credentialExposure: 'hidden' })
  expect(breaches).toEqual([])
  expect(seen).toContain('HUNTED')
  expect(seen.split('\n').filter((line) => line.startsWith('TURN')).length).toBeGreaterThan(0)
  expect(seen.split('\n').filter((line) => line.startsWith('HIT'))).toEqual([])
  const all = `${seen}\n${JSON.stringify(events)}\n${JSON.stringify(completion)}`
  expect(traces(key).filter((trace) => all.includes(trace))).toEqual([])
  for (const [name, value] of Object.entries(granted)) expect(seen).toContain(`${name}=${value}`)
  const sent = bench.steps().map(({ headers }) => Object.values(headers).some((value) => value.includes(key)))
  expect(sent).toEqual(sent.map(() => true))
}

describe.each(hunted)('%s', (_, cli) => {
  test('a model that hunts for the key of an endpoint finds nothing', async () => {
    const key = freshKey('sk-loop-')
    const found = await huntIn(cli, key, (bench) => ({
      endpoint: { ...bench.server.endpointFor(bench.api), credential: key },
    }))
    expectHidden(found, key)
  })
})
