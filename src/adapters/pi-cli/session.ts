import type { Failure } from '../../protocol/ending.ts'
import type { SessionPayload } from '../../protocol/events.ts'
import { asString, type JsonObject } from '../../protocol/narrow.ts'
import type { WireOptions } from '../../protocol/wire.ts'

/** Whether the `session` record is of the conversation that was asked for. A fork names its source's file, which has its id. */
export function originOf(record: JsonObject, { resume, fork }: WireOptions): SessionPayload['origin'] {
  if (resume === undefined) return 'new'
  if (fork) return asString(record.parentSession)?.includes(resume) ? 'forked' : 'new'
  return record.id === resume ? 'resumed' : 'new'
}

/** The same of `get_state`, which does not name a fork's source: pi would have ended, had it not found that. */
export function originOfState(
  sessionId: string,
  messages: number,
  { resume, fork }: WireOptions,
): SessionPayload['origin'] {
  if (resume === undefined) return 'new'
  if (fork) return sessionId !== resume && messages > 0 ? 'forked' : 'new'
  return sessionId === resume ? 'resumed' : 'new'
}

export function wrongConversation(
  origin: SessionPayload['origin'],
  { resume }: WireOptions,
): Failure | undefined {
  if (origin !== 'new' || resume === undefined) return undefined
  return {
    code: 'resume_rejected',
    message: `pi began another conversation instead of going on with ${resume}.`,
    hint: 'Give the `conversations` folder and the directory of the turn that began it.',
  }
}
