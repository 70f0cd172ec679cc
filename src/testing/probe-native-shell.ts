import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Adapter } from '../adapters/adapter.ts'
import { deriveBridgeVariables } from '../env/bridge-variables.ts'
import { bridgeVariables } from '../env/policy.ts'
import { resolveAdapter } from '../options/check.ts'
import type { Approvals } from '../options/option-parts.ts'
import type { AdapterId, TurnOptions } from '../options/turn-options.ts'
import type { AgentEvent, CompletionEvent } from '../protocol/events.ts'
import { startTurn } from '../run/turn.ts'
import { startModelServer } from './model-server.ts'
import type { Scenario } from './scenario.ts'

/** How the turn is to run: what decides whether there is a shell, and how far it reaches. */
export interface NativeShellProbeOptions
  extends Pick<TurnOptions, 'sandbox' | 'network' | 'transport' | 'binary' | 'environment' | 'signal'> {
  /** Default 'deny'. */
  approvals?: Approvals | undefined
  /** Of the whole turn. Default 60,000. */
  timeoutMs?: number | undefined
}

export interface NativeShellReport {
  adapter: string
  /** undefined where the turn did not come so far. */
  version: string | undefined
  transport: 'structured' | 'live' | undefined
  approvals: Approvals
  /** A command of the model's ran. */
  shell: boolean
  /** What that command saw of the variables that were granted; 'unknown' where none ran. Never a value. */
  variables: Record<string, 'set' | 'empty' | 'unknown'>
  /** A request to $MCP_CUSTOM with the header $MCP_AUTH came from that shell to an address of the loopback. */
  loopback: boolean
  /** How the turn failed, where it did. */
  detail?: string
}

/**
 * Tries the shell of a real CLI: a scripted model on the loopback calls it once, and what then happens is what is reported.
 * Nothing is taken from what a model or the CLI says of itself. No account is needed, and none is used.
 *
 * @throws AgentError for options that are wrong, and `unsupported` for a CLI that cannot be given a scripted model (cursor-cli)
 */
export async function probeNativeShell(
  adapter: AdapterId | Adapter,
  options: NativeShellProbeOptions = {},
): Promise<NativeShellReport> {
  const { approvals = 'deny', timeoutMs = 60_000, ...rest } = options
  const resolved = resolveAdapter(adapter)
  const [api = 'anthropic'] = resolved.capabilities.endpoint
  const token = randomBytes(24).toString('hex')
  const cwd = await mkdtemp(join(tmpdir(), 'coxswain-shell-'))
  const product = await startProduct(token)
  const model = await startModelServer({ scenario })
  try {
    const turn = startTurn({
      ...rest,
      adapter: resolved,
      prompt: 'Run the command.',
      cwd,
      approvals,
      scope: deriveBridgeVariables({ url: product.url, token, sessionId: 'probe' }),
      endpoint: model.endpointFor(api),
      conversations: 'discard',
      budgets: { totalMs: timeoutMs },
    })
    const events: AgentEvent[] = []
    turn.on('session', (event) => events.push(event))
    const completion = await turn.completion
    const printed = model.requests.flatMap(({ toolResults }) => toolResults).join('\n')
    return {
      adapter: resolved.id,
      approvals,
      loopback: product.wasReached(),
      ...sessionOf(events),
      ...shellIn(printed),
      ...detailOf(completion),
    }
  } finally {
    await Promise.all([model.close(), product.close()])
    await rm(cwd, { recursive: true, force: true })
  }
}

/** Says which variables have a value, and calls the product as an agent would. */
const command = [
  `for name in ${bridgeVariables.join(' ')}; do`,
  '  if [ -n "$(printenv "$name")" ]; then echo "$name:set"; else echo "$name:empty"; fi',
  'done',
  'echo "ran:$((6 * 7))"',
  'if command -v curl > /dev/null',
  'then curl -sS -m 10 -H "$MCP_AUTH" "$MCP_CUSTOM/probe"',
  // A machine without curl has at least what runs this.
  `else "${process.execPath}" -e 'const [name, value] = process.env.MCP_AUTH.split(/: (.*)/); fetch(process.env.MCP_CUSTOM + "/probe", { headers: { [name]: value } })'`,
  'fi',
  // What it prints counts, not how it ended.
  'true',
].join('\n')

const scenario: Scenario = [
  { toolCalls: [{ name: 'shell', input: { command } }] },
  { text: 'The command was run.' },
]

/** Stands where a bridge would. */
async function startProduct(token: string) {
  let reached = false
  const server = createServer((request, response) => {
    const isRight =
      request.url === '/s/probe/tools/custom/probe' && request.headers.authorization === `Bearer ${token}`
    if (isRight) reached = true
    response.writeHead(isRight ? 200 : 404).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return {
    url: `http://127.0.0.1:${port}`,
    wasReached: () => reached,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function sessionOf(events: readonly AgentEvent[]): Pick<NativeShellReport, 'version' | 'transport'> {
  const session = events.find((event) => event.type === 'session')
  return {
    version: session?.cliVersion,
    transport: session?.transport === 'live' ? 'live' : session && 'structured',
  }
}

/** What the command printed went to the model, which is here. */
function shellIn(printed: string): Pick<NativeShellReport, 'shell' | 'variables'> {
  const stateOf = (name: string) => {
    const [, state] = new RegExp(`\\b${name}:(set|empty)\\b`).exec(printed) ?? []
    return state === 'set' || state === 'empty' ? state : 'unknown'
  }
  return {
    shell: /\bran:42\b/.test(printed),
    variables: Object.fromEntries(bridgeVariables.map((name) => [name, stateOf(name)])),
  }
}

function detailOf({ error }: CompletionEvent): { detail?: string } {
  return error ? { detail: `${error.code}: ${error.message}` } : {}
}
