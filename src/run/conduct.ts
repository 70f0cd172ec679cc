import { isAgentError, wordsOf } from '../errors.ts'
import type { CallerSchema } from '../options/caller-schema.ts'
import type { Stop } from '../protocol/completion.ts'
import type { CompletionEvent } from '../protocol/events.ts'
import { emptyLedger } from '../protocol/ledger.ts'
import type { ProcessFacts } from '../protocol/outcome.ts'
import { runCallerCode } from './caller-code.ts'
import { judgeOutput } from './judge-output.ts'
import { runOneLiveTurn } from './one-live-turn.ts'
import type { TurnPlan } from './plan-turn.ts'
import { type PreparedTurn, prepareTurn } from './prepare.ts'
import { runStructuredTurn } from './structured-turn.ts'
import type { Conduct, Outcome, TurnParts } from './turn-parts.ts'

const noProcess: Omit<ProcessFacts, 'durationMs'> = {
  credentialExposure: 'none',
  ledger: emptyLedger,
  stderrTail: '',
  exitCode: null,
  signal: null,
}

/** Takes a turn with a process of its own to its completion. Never throws. */
export function conductTurn(conduct: Conduct): Promise<CompletionEvent> {
  const { output } = conduct.plan.checked
  return completeTurn({ ...conduct, output }, () => runTurn(conduct))
}

type Completing = Pick<TurnParts, 'publisher' | 'stop'> & {
  /** What checks the answer. */
  output: CallerSchema | undefined
}

/** Publishes the completion of what ran. Never throws. */
export async function completeTurn(
  { publisher, stop: request, output }: Completing,
  run: () => Promise<Outcome>,
): Promise<CompletionEvent> {
  const started = performance.now()
  // The caller has yet to attach what listens.
  await Promise.resolve()
  const { statement, facts, stop } = await run().catch(
    (error: unknown): Outcome => ({ stop: request.reason(false) ?? launchFailure(error) }),
  )
  const durationMs = Math.round(performance.now() - started)
  const judged = statement && output && !stop ? await judgeOutput(statement, output) : statement
  return publisher.complete(judged, { ...(facts ?? noProcess), durationMs }, stop)
}

async function runTurn(conduct: Conduct): Promise<Outcome> {
  const { plan, stop } = conduct
  if (stop.made) return { stop: stop.reason(false) }
  const prepared = await prepareTurn(plan, stop.signal)
  try {
    if (stop.made) return { stop: stop.reason(false) }
    const { start } = prepared
    return start.transport === 'live'
      ? await runOneLiveTurn(conduct, prepared, start)
      : await runStructuredTurn(conduct, prepared, start.launch)
  } finally {
    cleanUp(plan, prepared)
  }
}

/** Nothing of the process is left: nor shall anything be of its home and its tokens. */
export function cleanUp({ redactor, checked }: TurnPlan, { home, release }: PreparedTurn): void {
  release()
  try {
    home.remove()
  } catch (error) {
    const text = `The home ${home.directory} could not be removed: ${wordsOf(error)}`
    const message = redactor?.text(text) ?? text
    runCallerCode(() => checked.log?.({ level: 'warning', message }))
  }
}

/** Why nothing was started. */
function launchFailure(error: unknown): Stop {
  const known = isAgentError(error)
  const code = known ? error.code : 'spawn_failed'
  const what = wordsOf(error)
  return {
    status: 'error',
    code,
    message: known ? what : `The turn could not be started: ${what}`,
    ...(known && error.hint !== undefined && { hint: error.hint }),
    evidence: { by: 'spawn', detail: code },
  }
}
