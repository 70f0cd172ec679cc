import { randomUUID } from 'node:crypto'
import { AgentError } from '../errors.ts'
import { checkTurnOptions } from '../options/check.ts'
import type { Schema } from '../options/schema-types.ts'
import type { Decision, TurnOptions } from '../options/turn-options.ts'
import type { Tap } from './attend.ts'
import { conductTurn } from './conduct.ts'
import { enlist, refuseAfterShutdown } from './live-turns.ts'
import { planTurn } from './plan-turn.ts'
import { TurnHandle } from './turn-handle.ts'
import type { Turn } from './turn-interface.ts'

/**
 * Starts one turn of a CLI. Throws AgentError for what the options alone decide; everything else is told by the completion.
 */
// `const` keeps the one word of an async callback from being widened to `string`.
export function startTurn<S extends Schema = never, const D extends Decision = Decision>(
  options: TurnOptions<S, D>,
): Turn<S>
export function startTurn(options: TurnOptions<Schema>): Turn<Schema> {
  return startTappedTurn(options)
}

/** The same, with an ear on the child's raw output: for the recorder. */
export function startTappedTurn(options: TurnOptions<Schema>, tap?: Tap): Turn<Schema> {
  refuseToStart()
  const plan = planTurn(checkTurnOptions(options), randomUUID())
  const { adapter, includeRaw, signal } = plan.checked
  const turn = new TurnHandle({
    adapter: adapter.id,
    includeRaw,
    redactor: plan.redactor,
    signal,
    conduct: (parts) => conductTurn({ ...parts, plan, tap }),
  })
  enlist({ stop: () => turn.stop('shutdownAll()'), over: turn.over })
  return turn
}

/** Throws where nothing starts: after shutdownAll(), and on Windows. */
export function refuseToStart(): void {
  refuseAfterShutdown()
  if (process.platform !== 'win32') return
  throw new AgentError('unsupported', 'Coxswain does not run on Windows.', {
    hint: 'Use Linux or macOS; on Windows, WSL.',
  })
}
