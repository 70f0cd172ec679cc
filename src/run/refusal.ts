import type { Stop } from '../protocol/completion.ts'
import type { Failure } from '../protocol/ending.ts'

/** A live protocol that takes no turn any more, as the stop of the turn that waits for it. */
export function refusalOf({ code, message, retryable, hint }: Failure): Stop {
  return {
    status: 'error',
    code,
    message,
    ...(retryable !== undefined && { retryable }),
    ...(hint !== undefined && { hint }),
    evidence: { by: 'record', detail: 'the live protocol' },
  }
}
