import type { z } from 'zod'
import type { Adapter } from '../adapters/adapter.ts'
import { AgentError, type Issue, isAgentError } from '../errors.ts'
import { resolveAdapter } from './check.ts'
import type { runtimeProfileSchema } from './profile.ts'
import { limitsOn, refusedAtStart } from './profile-limits.ts'
import { optionsOf, type ProfileOptions } from './profile-options.ts'
import { contradictionsIn } from './profile-rules.ts'
import { readProfile } from './read-profile.ts'
import type { AdapterId } from './turn-options.ts'

/**
 * A turn's options of a profile, for one CLI: spread them into `startTurn` or `openSession`, beside the adapter, the prompt and the
 * bridge. It adds no text to any prompt.
 *
 * @param version the CLI's, where it is known: what needs a newer one is refused then, and 'auto' falls back below the floor of
 *   the live transport
 * @throws AgentError `invalid_options` with all that is wrong in `issues`, each with its path and what to do; that of an adapter
 *   that there is not is `adapter`
 */
export function resolveProfile(
  profile: z.input<typeof runtimeProfileSchema>,
  adapter: AdapterId | Adapter,
  version?: string,
): ProfileOptions {
  const { adapter: resolved, issues: unresolved } = readAdapter(adapter)
  const { profile: read, issues: unread, isWrong } = readProfile(profile)
  const issues = [...unresolved, ...unread]
  if (!read) throw refusal(issues)
  // Without an adapter nobody knows what it cannot do.
  const limits = resolved ? limitsOn(resolved, read, version) : []
  const found = [
    ...contradictionsIn(read, isWrong),
    ...limits.filter(({ path }) => !hangsOnUnread(path, isWrong)),
  ].filter(({ path }) => path === '' || !isWrong(path))
  const all = [...issues, ...found]
  if (!resolved) throw refusal(all)
  if (all.length === 0) all.push(...refusedAtStart(resolved, read, version))
  if (all.length > 0) throw refusal(all)
  return optionsOf(read, resolved, version)
}

function readAdapter(adapter: AdapterId | Adapter): { adapter?: Adapter; issues: Issue[] } {
  try {
    return { adapter: resolveAdapter(adapter), issues: [] }
  } catch (error) {
    if (!isAgentError(error)) throw error
    const { message, hint = 'Name one of the known ids.' } = error
    return { issues: [{ path: 'adapter', message, fix: hint }] }
  }
}

/** Whether a CLI's shell reaches anything is a matter of approvals: a default in the place of wrong ones decides nothing. */
function hangsOnUnread(path: string, isWrong: (path: string) => boolean): boolean {
  return path === 'apiTransport.mode' && isWrong('approvals')
}

function refusal(issues: Issue[]): AgentError {
  const [first] = issues
  const more = issues.length > 1 ? ` (and ${issues.length - 1} more)` : ''
  return new AgentError(
    'invalid_options',
    `The profile is refused: ${first?.message ?? 'it is no object.'}${more}`,
    {
      ...(first?.fix !== undefined && { hint: first.fix }),
      issues,
    },
  )
}
