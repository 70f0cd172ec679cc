import type { NoticePayload } from './events.ts'
import type { CompletionStatus } from './outcome.ts'

/** A good end whose process ended badly afterwards stays good, but is said. undefined: there is nothing to say. */
export function exitNotice(
  status: CompletionStatus | undefined,
  { exitCode, signal }: { exitCode: number | null; signal: string | null },
): NoticePayload | undefined {
  if (status !== 'success' || (signal === null && (exitCode ?? 0) === 0)) return undefined
  return {
    type: 'notice',
    level: 'warning',
    code: 'exit_after_success',
    message: `The CLI ended with ${signal ?? `exit ${exitCode}`} after it had said that all went well.`,
  }
}
