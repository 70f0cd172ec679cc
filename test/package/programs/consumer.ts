/** What users write, as strictly as a compiler can be told to read it; nobody runs it. */
import {
  type AgentEvent,
  acpAgent,
  adapters,
  type Decision,
  isAgentError,
  type McpServer,
  openSession,
  replay,
  resolveProfile,
  startTurn,
  type TurnOptions,
} from 'coxswain'
import { defineTool, startToolBridge } from 'coxswain/bridge'
import { composeChildEnvironment, environmentFingerprint } from 'coxswain/env'
import { cursorStandIn, listFixtures, replayFixture, startModelServer } from 'coxswain/testing'
import { z } from 'zod'

interface Settings {
  adapter: string
  model: string | undefined
  effort: string | undefined
  limitMs: number | undefined
  token: string | undefined
  servers: Readonly<Record<string, McpServer | undefined>>
  deny: readonly string[] | undefined
}

/** Conditional values, spread or not, and lists that nobody may change. */
export function optionsOf(settings: Settings, signal: AbortSignal | undefined): TurnOptions {
  const { adapter, model, effort, deny } = settings
  return {
    adapter,
    prompt: [{ type: 'text', text: 'Go.' }],
    model,
    effort,
    signal,
    budgets: { totalMs: settings.limitMs, idleMs: undefined },
    tools: deny && { mode: 'native', deny },
    mcpServers: settings.servers,
    scope: { SECRET_TOKEN: settings.token },
    endpoint:
      settings.token === undefined ? undefined : { url: 'http://127.0.0.1:1', credential: settings.token },
    systemPrompt: { append: model, replace: undefined },
    environment: process.env,
  }
}

const fixed = {
  adapter: 'codex-cli',
  prompt: [{ type: 'text', text: 'Go.' }],
  approvals: 'approve-all',
  sandbox: 'workspace-write',
  inherit: ['EDITOR'],
  tools: { mode: 'native', allow: ['shell'] },
  binary: ['node', 'cli.js'],
  mcpServers: { one: { type: 'stdio', command: 'one', args: ['--quiet'] } },
} as const satisfies TurnOptions

export async function outcome(): Promise<string> {
  const { status, error, structuredOutput } = await startTurn({
    ...fixed,
    outputSchema: z.object({ verdict: z.enum(['ship', 'wait']) }),
  }).completion
  // Told apart by the status alone, without a `?` or a `!`.
  if (status === 'success') return structuredOutput.verdict
  return `${error.code}: ${error.message}`
}

export function line(event: AgentEvent): string {
  switch (event.type) {
    case 'tool':
      return event.phase === 'end' ? event.status : event.name
    case 'completion':
      return event.status === 'success' ? event.text : (event.error.hint ?? event.error.message)
    case 'notice':
      return event.code
    default:
      return event.type
  }
}

export async function talk(chosen: Decision | undefined): Promise<void> {
  await using session = await openSession({
    adapter: adapters['claude-code'],
    approvals: (request) => chosen ?? { decision: 'deny', message: request.title, answers: undefined },
    outputSchema: undefined,
  })
  const prompt = [{ type: 'text', text: 'Go.' }] as const
  const turn = session.send(prompt, { busy: undefined })
  turn.on('tool', ({ toolId, phase }) => console.log(toolId, phase))
  try {
    await turn.text()
  } catch (error) {
    if (!isAgentError(error)) throw error
    const delay: number | undefined = error.retryable ? error.retryAt : undefined
    switch (error.code) {
      case 'rate_limit':
        console.log(delay)
        break
      // @ts-expect-error: no code of the closed list
      case 'rate-limit':
        break
    }
  }
}

const weather = defineTool({
  name: 'weather',
  title: undefined,
  description: 'How warm it is.',
  input: z.object({ city: z.string() }),
  annotations: { readOnlyHint: true, title: undefined },
  execute: ({ city }) => city.length,
})

export async function more(name: string | undefined): Promise<unknown[]> {
  const agent = acpAgent({ id: 'agent', command: ['agent'], title: name, environment: undefined })
  await using bridge = await startToolBridge({ tools: [weather], log: undefined, callTimeoutMs: undefined })
  await using server = await startModelServer({ scenario: undefined, port: undefined })
  const chunks = ['{}\n'] as const
  return [
    startTurn({ ...fixed, adapter: agent, bridge: [weather], ...resolveProfile({}, 'pi-cli') }),
    bridge.openSession({ sessionId: name, tools: ['weather'] }),
    replay({ adapter: 'pi-cli', stdout: chunks, exit: undefined, options: { ...fixed, resume: name } }),
    replayFixture(listFixtures()[0] ?? ''),
    server.endpointFor('anthropic'),
    cursorStandIn({ paceMs: undefined }),
    environmentFingerprint({ VAR_NAME: name }),
    composeChildEnvironment({ environment: process.env, scope: { VAR_NAME: name }, hasEndpoint: undefined }),
  ]
}
