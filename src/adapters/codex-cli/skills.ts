import { posix } from 'node:path'
import type { LaunchContext } from '../adapter.ts'
import type { LiveLaunchOptions } from '../launch-options.ts'
import { codexCan } from './versions.ts'

/** What codex puts into every home, and 0.113.0 has no switch for. */
const bundled = ['skill-creator', 'skill-installer']

/**
 * The SKILL.md files to turn off, each by its path. Those below HOME reach the model in every home, the project's whether it is
 * trusted or not; and one that is only left out of the list still comes where a prompt says `$its-name`.
 */
export function unwantedSkills(
  { projectConfiguration }: LiveLaunchOptions,
  { home, surroundings, version }: LaunchContext,
): string[] {
  const { user = [], project = [] } = surroundings?.skills ?? {}
  const ofProject = projectConfiguration === 'trust' ? [] : project
  if (home === undefined) return [...ofProject]
  const hasSwitch = codexCan('switchesBundledSkills', version) !== false
  const brought = hasSwitch ? [] : bundled.map((name) => posix.join(home, 'skills/.system', name, 'SKILL.md'))
  return [...user, ...ofProject, ...brought]
}
