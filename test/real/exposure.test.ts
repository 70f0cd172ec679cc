import { describe, expect, test } from 'vitest'
import { defineAdapter, getAdapter, type TurnOptions } from '../../src/index.ts'
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

/** A way to give a turn its key. */
interface Way {
  title: string
  prefix: string
  options(key: string, bench: Workbench): Partial<TurnOptions>
  hasOwnProvider?: boolean
}

const endpoint: Way = {
  title: 'an endpoint',
  prefix: 'sk-loop-',
  options: (key, bench) => ({ endpoint: { ...bench.server.endpointFor(bench.api), credential: key } }),
}

const endpointHeader: Way = {
  title: "an endpoint's header",
  prefix: 'hdr-',
  options: (key, bench) => {
    const { credential: _, ...rest } = bench.server.endpointFor(bench.api)
    return { endpoint: { ...rest, headers: { 'X-Gateway-Key': key } } }
  },
}

/** A set of the CLI's own, with its provider at the model server. */
function ownSet(set: string, variable: string, prefix: string, more: Record<string, string> = {}): Way {
  return {
    title: `the set ${set}, in ${variable}`,
    prefix,
    hasOwnProvider: true,
    options: (key, bench) => ({
      adapter: withProvidersAt(bench),
      credentials: { set, values: { [variable]: key, ...more } },
      environment: { ...bench.environment, ANTHROPIC_BASE_URL: bench.server.url },
      ...(bench.cli.adapter === 'pi-cli' && { model: 'anthropic/claude-haiku-4-5' }),
    }),
  }
}

/** Not every CLI has an option that says where its provider is. */
function withProvidersAt({ cli, server }: Workbench) {
  const adapter = getAdapter(cli.adapter)
  const url = cli.adapter === 'codex-cli' ? `${server.url}/v1` : server.url
  const credentials = adapter.credentials.map((set) => {
    const { forwarding } = set
    if (!forwarding) return set
    const target: typeof forwarding.target = (request) => ({ ...forwarding.target(request), url })
    return {
      ...set,
      requires: set.requires ?? set.variables,
      variables: [...set.variables, 'ANTHROPIC_BASE_URL'],
      forwarding: { ...forwarding, target },
    }
  })
  return defineAdapter({ ...adapter, credentials })
}

const waysOf: Readonly<Record<RealCli['adapter'], Way[]>> = {
  'claude-code': [
    endpoint,
    endpointHeader,
    ownSet('api-key', 'ANTHROPIC_API_KEY', 'sk-ant-api03-'),
    ownSet('auth-token', 'ANTHROPIC_AUTH_TOKEN', 'gw-'),
    ownSet('oauth', 'CLAUDE_CODE_OAUTH_TOKEN', 'sk-ant-oat01-'),
    ownSet('api-key', 'ANTHROPIC_CUSTOM_HEADERS', 'X-Gateway-Key: ', { ANTHROPIC_API_KEY: 'sk-another-key' }),
  ],
  'codex-cli': [endpoint, endpointHeader, ownSet('api-key', 'CODEX_API_KEY', 'sk-proj-')],
  'pi-cli': [
    endpoint,
    endpointHeader,
    ownSet('anthropic', 'ANTHROPIC_API_KEY', 'sk-ant-api03-'),
    ownSet('anthropic-oauth', 'ANTHROPIC_OAUTH_TOKEN', 'sk-ant-oat01-'),
  ],
}

/** What no hunt must change: the turn works, the key is nowhere, what was granted is there, and the provider got the key. */
async function huntFor(cli: RealCli, way: Way): Promise<void> {
  const key = freshKey(way.prefix)
  const bench = await Workbench.open(cli, [{ text: 'Not yet.' }])
  const places = ['$HOME', `$${homes[cli.adapter]}`, '$PWD', bench.folder, '/tmp/claude-0', '/dev/shm']
  bench.server.play([
    { toolCalls: [{ name: 'shell', input: { command: hunt(key, places) } }] },
    { text: 'Hunted.' },
  ])
  const options: Partial<TurnOptions> = {
    scope: granted,
    // What hides a failure must be off.
    redact: false,
    credentialExposure: 'hidden',
    budgets: { totalMs: 60_000 },
    ...way.options(key, bench),
  }
  const { events, completion, breaches } = way.hasOwnProvider
    ? await bench.turnWithoutEndpoint(options)
    : await bench.turn(options)
  const seen = bench.server.requests.flatMap((request) => request.toolResults).join('\n')
  expect(completion).toMatchObject({ status: 'success', text: 'Hunted.', credentialExposure: 'hidden' })
  expect(breaches).toEqual([])
  expect(seen).toContain('HUNTED')
  expect(seen).toMatch(/^TURN /m)
  expect(seen.split('\n').filter((line) => line.startsWith('HIT'))).toEqual([])
  const all = `${seen}\n${JSON.stringify(events)}\n${JSON.stringify(completion)}`
  expect(traces(key).filter((trace) => all.includes(trace))).toEqual([])
  for (const [name, value] of Object.entries(granted)) expect(seen).toContain(`${name}=${value}`)
  const sent = bench.steps().map(({ headers }) => Object.entries(headers).some((pair) => carries(pair, key)))
  expect(sent.length).toBeGreaterThan(1)
  expect(new Set(sent)).toEqual(new Set([true]))
}

function carries([name, value]: [string, string], key: string): boolean {
  return value.includes(key) || `${name}: ${value}` === key.toLowerCase()
}

/** Ten hunts in all on the newest of each CLI, one for each way on the one that differs most from it. */
const hunted = [
  { alias: 'claude-2.1', runs: 2 },
  { alias: 'claude-2.0', runs: 1 },
  { alias: 'codex-0.171', runs: 4 },
  { alias: 'codex-0.113', runs: 1 },
  { alias: 'pi-1.6', runs: 3 },
  { alias: 'pi-0.73', runs: 1 },
].flatMap(({ alias, runs }) =>
  namedClis.filter(([, cli]) => cli.alias === alias).map(([name, cli]) => [name, cli, runs] as const),
)

describe.each(hunted)('%s', (_, cli, runs) => {
  const hunts = waysOf[cli.adapter].flatMap((way) =>
    Array.from({ length: runs }, (_, run) => [way.title, run + 1, way] as const),
  )
  test.each(hunts)('a model that hunts for the key of %s finds nothing (%i)', async (_title, _run, way) => {
    await huntFor(cli, way)
  })
})

test.each(hunted.filter(([, , runs]) => runs > 1))(
  '%s: the same hunt finds a key that is visible',
  async (_, cli) => {
    const key = freshKey(endpoint.prefix)
    const bench = await Workbench.open(cli, [{ text: 'Not yet.' }])
    bench.server.play([
      { toolCalls: [{ name: 'shell', input: { command: hunt(key, ['$PWD']) } }] },
      { text: 'Hunted.' },
    ])
    const visible = { redact: false, credentialExposure: 'visible' } as const
    const { completion } = await bench.turn({ ...visible, ...endpoint.options(key, bench) })
    expect(completion).toMatchObject({ text: 'Hunted.', credentialExposure: 'visible' })
    const seen = bench.server.requests.flatMap((request) => request.toolResults).join('\n')
    expect(seen).toMatch(/^HIT \/proc\/\d+\/environ /m)
  },
)
