import type { z } from 'zod'
import type { Adapter } from '../adapters/adapter.ts'
import { AgentError, type Issue } from '../errors.ts'
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
 * @throws AgentError `invalid_options` with all that is wrong in `issues`, each with its path and what to do
 */
export function resolveProfile(
  profile: z.input<typeof runtimeProfileSchema>,
  adapter: AdapterId | Adapter,
  version?: string,
): ProfileOptions {
  const resolved = resolveAdapter(adapter)
  const { profile: read, issues, isWrong } = readProfile(profile)
  if (!read) throw refusal(issues)
  const limits = limitsOn(resolved, read, version).filter(({ path }) => !hangsOnUnread(path, isWrong))
  const found = [...contradictionsIn(read, isWrong), ...limits].filter(
    ({ path }) => path === '' || !isWrong(path),
  )
  const all = [...issues, ...found]
  if (all.length === 0) all.push(...refusedAtStart(resolved, read, version))
  if (all.length > 0) throw refusal(all)
  return optionsOf(read, resolved, version)
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
