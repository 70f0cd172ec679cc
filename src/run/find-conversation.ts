import { existsSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { AgentError } from '../errors.ts'
import type { TurnPlan } from './plan-turn.ts'

/** A CLI that takes an unknown id for a new conversation's without a word must not be asked to resume one. */
export function findConversation({ checked, home }: TurnPlan): boolean | undefined {
  const { adapter, launch } = checked
  const place = adapter.home.conversation
  if (!place || launch.resume === undefined || home.directory === undefined) return undefined
  const file = join(home.directory, place(launch.resume, realpathSync(launch.cwd)))
  if (existsSync(file)) return true
  throw new AgentError('resume_rejected', `There is no conversation ${launch.resume} to resume.`, {
    hint: 'Use a sessionId of an earlier `session` event, with the same `cwd` and `conversations`.',
  })
}
