import { AgentError, shortened } from '../errors.ts'

/**
 * Refuses to pass on, by `inherit`, what the launch itself sets: the child would have another value than the caller named.
 *
 * @param given the caller's environment
 * @param own what is set on top of it
 */
export function refuseOverruledVariables(
  inherit: readonly string[],
  given: Readonly<Record<string, string | undefined>>,
  own: Readonly<Record<string, string>>,
): void {
  const name = inherit.find(
    (each) => Object.hasOwn(own, each) && given[each] !== undefined && given[each] !== own[each],
  )
  if (name === undefined) return
  throw new AgentError(
    'environment_key_refused',
    `inherit cannot pass on ${JSON.stringify(shortened(name))}, which this CLI is started with a value of its own for.`,
    { hint: 'Take it out: an option decides on it.' },
  )
}
