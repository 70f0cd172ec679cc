import type { Adapter } from '../adapters/adapter.ts'
import { isAtLeast } from '../adapters/version-order.ts'
import { AgentError } from '../errors.ts'

/** Below the oldest version that works; a version that nobody can tell is not. */
export function faultOfVersion(
  { title, version: { floor }, install }: Pick<Adapter, 'title' | 'version' | 'install'>,
  version: string,
): AgentError | undefined {
  if (isAtLeast(version, floor) !== false) return undefined
  return new AgentError(
    'unsupported_version',
    `${title} ${version} is too old: ${floor} is the oldest that works.`,
    { hint: `Update it: ${install}.` },
  )
}
