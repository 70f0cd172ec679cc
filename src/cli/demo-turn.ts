import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Adapter } from '../adapters/adapter.ts'
import type { TurnOptions } from '../options/turn-options.ts'
import type { AgentEvent, CompletionEvent } from '../protocol/events.ts'
import { checkGuarantees } from '../testing/guarantees.ts'
import type { ModelServer } from '../testing/model-server.ts'
import { scenarios, toolTurnAnswer } from '../testing/scenarios.ts'
import { followTurn } from './follow-turn.ts'
import type { Screen } from './io.ts'

/** What is told of one adapter at the end of the demo. */
export interface DemoRow {
  adapter: string
  version: string
  transport: string
  firstEventMs: number | undefined
  contentDeltas: number
  thinkingDeltas: number
  toolCalls: number
  status: string
  /** The answer is, code point for code point, what the model said, and every guarantee holds. */
  intact: boolean
}

export interface DemoTurn {
  adapter: Adapter
  /** What was found, or given; undefined: on PATH. */
  binary: TurnOptions['binary']
  /** undefined: a CLI that cannot be pointed at it. */
  server: ModelServer | undefined
}

const prompt = 'Greet me from the shell, then print an accent and a boat, and sum it up in a table.'

/** Plays the tool turn on one CLI. */
export async function demoTurn(
  { adapter, binary, server }: DemoTurn,
  screen: Screen,
  show: (event: AgentEvent) => Promise<void>,
): Promise<{ row: DemoRow; completion: CompletionEvent }> {
  const { environment } = screen.io
  const [api] = adapter.capabilities.endpoint
  server?.play(scenarios.toolTurn)
  const cwd = await mkdtemp(join(tmpdir(), 'coxswain-demo-'))
  const events: AgentEvent[] = []
  const started = performance.now()
  let firstEventMs: number | undefined
  try {
    const completion = await followTurn(
      {
        adapter,
        prompt,
        cwd,
        approvals: 'approve-all',
        sandbox: 'off',
        conversations: 'discard',
        environment: { ...environment },
        budgets: { totalMs: 120_000 },
        ...(binary !== undefined && { binary }),
        ...(server && api && { endpoint: server.endpointFor(api) }),
      },
      screen,
      async (event) => {
        firstEventMs ??= Math.round(performance.now() - started)
        events.push(event)
        await show(event)
      },
    )
    const row = { ...summary(adapter, events, completion), firstEventMs }
    return { row, completion }
  } finally {
    await rm(cwd, { recursive: true, force: true })
  }
}

function summary(
  adapter: Adapter,
  events: readonly AgentEvent[],
  completion: CompletionEvent,
): Omit<DemoRow, 'firstEventMs'> {
  const session = events.find((event) => event.type === 'session')
  const { status, error, text } = completion
  const count = (is: (event: AgentEvent) => boolean) => events.filter(is).length
  return {
    adapter: adapter.id,
    version: session?.cliVersion ?? '?',
    transport: session?.transport ?? 'structured',
    contentDeltas: count((event) => event.type === 'delta' && event.contentDelta),
    thinkingDeltas: count((event) => event.type === 'thinking' && event.contentDelta),
    toolCalls: count((event) => event.type === 'tool' && event.phase === 'start'),
    status: error ? `${status}/${error.code}` : status,
    intact: status === 'success' && text === toolTurnAnswer && checkGuarantees(events).length === 0,
  }
}
