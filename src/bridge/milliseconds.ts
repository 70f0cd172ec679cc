import { longestTimeout } from '../longest-timeout.ts'
import { invalid } from '../options/faults.ts'

/** @throws AgentError `invalid_options` for what is no time that a timer can wait; `Infinity` is one without a timer */
export function readMilliseconds(given: number | undefined, name: string, otherwise: number): number {
  const value = given ?? otherwise
  if (
    typeof value === 'number' &&
    value > 0 &&
    (value <= longestTimeout || value === Number.POSITIVE_INFINITY)
  ) {
    return value
  }
  throw invalid(
    `${name} is no number of milliseconds`,
    `Give one above 0 and up to ${longestTimeout} (24 days), or Infinity for no limit.`,
  )
}
