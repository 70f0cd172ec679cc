import type { ComposeOptions } from '../env/compose.ts'
import type { CheckedOptions } from '../options/check.ts'

/** What a turn's options say of its child's environment: read here once, for turns, dry runs and recordings alike. */
export function compositionOf(checked: CheckedOptions): ComposeOptions {
  const { adapter, launch } = checked
  return {
    environment: checked.environment ?? process.env,
    scope: checked.scope,
    inherit: checked.inherit,
    reserve: checked.reserve,
    git: checked.git,
    sets: adapter.credentials,
    precedence: adapter.credentialPrecedence,
    credentials: checked.credentials,
    hasEndpoint: launch.endpoint !== undefined,
    transport: checked.transport,
  }
}
