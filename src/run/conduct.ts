import { isAgentError, wordsOf } from '../errors.ts'
import type { ProcessFacts, Stop } from '../protocol/completion.ts'
import type { CompletionEvent } from '../protocol/events.ts'
import { runCallerCode } from './caller-code.ts'
import { runOneLiveTurn } from './one-live-turn.ts'
import { prepareTurn } from './prepare.ts'
import { runStructuredTurn } from './structured-turn.ts'
import type { Conduct, Outcome } from './turn-parts.ts'

const noProcess: Omit<ProcessFacts, 'durationMs'> = {
  credentialExposure: 'none',
  ledger: { bytes: 0, records: 0, ignored: 0, unknown: 0, invalid: 0, oversized: 0 },
  stderrTail: '',
  exitCode: null,
  signal: null,
}

/** Takes a turn to its completion. Never throws. */
export async function conductTurn(conduct: Conduct): Promise<CompletionEvent> {
  const started = performance.now()
  // The caller has yet to attach what listens.
  await Promise.resolve()
  const { statement, facts, stop } = await runTurn(conduct).catch(
    (error: unknown): Outcome => ({ stop: conduct.stop.reason(false) ?? launchFailure(error) }),
  )
  const durationMs = Math.round(performance.now() - started)
  return conduct.publisher.complete(statement, { ...(facts ?? noProcess), durationMs }, stop)
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
    prepared.release()
    try {
      prepared.home.remove()
    } catch (error) {
      const text = `The home ${prepared.home.directory} could not be removed: ${wordsOf(error)}`
      const message = plan.redactor?.text(text) ?? text
      runCallerCode(() => plan.checked.log?.({ level: 'warning', message }))
    }
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
