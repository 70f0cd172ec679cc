import { type ConsideredSet, considerSets } from '../env/considered-credentials.ts'
import { type EnvironmentReport as CompositionReport, explainComposition } from '../env/explain.ts'
import { checkTurnOptions } from '../options/check.ts'
import { readOptions } from '../options/read-options.ts'
import type { Schema } from '../options/schema-types.ts'
import type { TurnOptions } from '../options/turn-options.ts'
import { asObject } from '../protocol/narrow.ts'
import { type Payment, paymentOf } from './billing.ts'
import { compositionOf } from './composition.ts'
import { sound } from './launch.ts'
import { planTurn } from './plan-turn.ts'
import { markVariable } from './processes.ts'
import { findSignIn, type SignInFile } from './sign-in.ts'

/** What a turn's child would see, and whom it would be billed to: names and rules, never a value. */
export interface EnvironmentReport extends CompositionReport {
  /** The credential sets that are there, or half there, and why each is in use or not. */
  considered: ConsideredSet[]
  /** The sign-in within the child's reach, and what kind it is. */
  signIn: SignInFile[]
  payment: Payment
}

/** A turn's options; those that say nothing of its environment do not matter. */
export type ExplainOptions = Omit<TurnOptions<Schema>, 'prompt'> & {
  prompt?: TurnOptions['prompt'] | undefined
}

/**
 * A dry run: which variables a turn's child would see, on the transport that it would run on (with a new enough CLI), which are dropped, and by which rule. Names only, never values. A name
 * that `scope` or `inherit` cannot have is an entry with fate 'refused' here, where `startTurn` throws.
 */
export function explainEnvironment(options: ExplainOptions): EnvironmentReport {
  const given = asObject(readOptions(options))
  const checked = checkTurnOptions({ ...given, prompt: given?.prompt ?? 'explain' })
  const { adapter, launch, transport, interactions } = checked
  const { scope: _scope, inherit: _inherit, ...undisputed } = checked
  const plan = planTurn({ ...undisputed, inherit: [] }, 'explain')
  const { home, composed } = plan
  const context = {
    version: adapter.version.tested,
    home: home.directory,
    directory: home.directory ?? home.homes,
    platform: process.platform,
    isRoot: process.getuid?.() === 0,
  }
  const { live } = adapter
  const approvals = interactions === 'default' ? launch.approvals : 'host'
  const { environment: set } =
    transport === 'live' && live
      ? sound(adapter, live.launch({ ...launch, approvals }, context))
      : sound(adapter, adapter.structured.launch(launch, context))
  const composition = compositionOf(checked)
  const signIn = findSignIn(plan)
  const report = explainComposition({
    ...composition,
    set: { ...home.environment, ...set, [markVariable]: '' },
  })
  return {
    ...report,
    considered: considerSets(composition.environment, adapter.credentials, composed.credentials),
    signIn,
    payment: paymentOf(plan, signIn),
  }
}
