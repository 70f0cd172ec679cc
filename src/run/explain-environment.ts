import { type EnvironmentReport, explainComposition } from '../env/explain.ts'
import { checkTurnOptions } from '../options/check.ts'
import type { TurnOptions } from '../options/turn-options.ts'
import { compositionOf } from './composition.ts'
import { planTurn } from './prepare.ts'
import { markVariable } from './processes.ts'

export type { EnvironmentReport } from '../env/explain.ts'

/** A turn's options; those that say nothing of its environment do not matter. */
export type ExplainOptions = Omit<TurnOptions, 'prompt'> & { prompt?: TurnOptions['prompt'] }

/**
 * A dry run: which variables a turn's child would see, which are dropped, and by which rule. Names only, never values. A name
 * that `scope` or `inherit` cannot have is an entry with fate 'refused' here, where `startTurn` throws.
 */
export function explainEnvironment(options: ExplainOptions): EnvironmentReport {
  const checked = checkTurnOptions({ prompt: 'explain', ...options })
  const { adapter, launch } = checked
  const { scope: _scope, inherit: _inherit, ...undisputed } = checked
  const { home } = planTurn({ ...undisputed, inherit: [] }, 'explain')
  const { environment: set } = adapter.structured.launch(launch, {
    version: adapter.version.tested,
    home: home.directory,
    directory: home.directory ?? home.homes,
    platform: process.platform,
    isRoot: process.getuid?.() === 0,
  })
  return explainComposition({
    ...compositionOf(checked),
    set: { ...home.environment, ...set, [markVariable]: '' },
  })
}
