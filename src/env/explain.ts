import {
  type ComposedCredentials,
  type ComposeOptions,
  composeChildEnvironment,
  refusedCredentials,
} from './compose.ts'
import { refusedScope } from './grant.ts'
import { type EnvironmentReportEntry, type EnvironmentRule, environmentRules } from './report.ts'

/** What a child would see: names and rules, never a value. */
export interface EnvironmentReport {
  /** One entry per name: the base's in its order, then what was granted, added, refused. */
  entries: EnvironmentReportEntry[]
  credentials: ComposedCredentials
  /** Each rule that occurs, in one sentence. */
  rules: Partial<Record<EnvironmentRule, string>>
}

/**
 * A dry run of `composeChildEnvironment`. Names that `scope` or `inherit` cannot have are entries with fate 'refused' here,
 * and an error there.
 */
export function explainComposition(options: ComposeOptions): EnvironmentReport {
  const scope = options.scope
  const notGranted = scope === undefined ? [] : refusedScope(scope)
  const notInherited = refusedCredentials(options.inherit ?? [], options)
  const composed = composeChildEnvironment({
    ...options,
    inherit: (options.inherit ?? []).filter((name) => !notInherited.includes(name)),
    scope: scope && Object.fromEntries(Object.entries(scope).filter(([name]) => !notGranted.includes(name))),
  })
  const entries: EnvironmentReportEntry[] = [
    ...composed.report,
    ...notGranted.map((name) => ({ name, fate: 'refused' as const, rule: 'not_scoped' as const })),
    ...notInherited.map((name) => ({ name, fate: 'refused' as const, rule: 'not_inheritable' as const })),
  ]
  const rules: Partial<Record<EnvironmentRule, string>> = {}
  for (const { rule } of entries) rules[rule] = environmentRules[rule]
  return { entries, credentials: composed.credentials, rules }
}
