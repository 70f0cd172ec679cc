import type { CompletionStatement, NoticePayload } from '../protocol/events.ts'

/** A good end whose process ended badly afterwards stays good, but is said. */
export function exitNotice(
  statement: CompletionStatement | undefined,
  { exitCode, signal }: { exitCode: number | null; signal: string | null },
): NoticePayload | undefined {
  if (statement?.status !== 'success') return undefined
  if (signal === null && (exitCode ?? 0) === 0) return undefined
  return {
    type: 'notice',
    level: 'warning',
    code: 'exit_after_success',
    message: `The CLI ended with ${signal ?? `exit ${exitCode}`} after it had said that all went well.`,
  }
}
