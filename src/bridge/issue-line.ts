import type { Issue } from '../errors.ts'

const mostSaid = 10

/** What is wrong with a value, in one line, and not all of thousands: 'city: expected a string; days: ...'. */
export function issueLine(issues: readonly Issue[]): string {
  const rest = issues.length - mostSaid
  const said = issues
    .slice(0, mostSaid)
    .map(({ path, message }) => (path === '' ? message : `${path}: ${message}`))
  return [...said, ...(rest > 0 ? [`and ${rest} more`] : [])].join('; ')
}
