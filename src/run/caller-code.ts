/**
 * Runs the caller's own code. What it throws is his to hear of, as an uncaught exception, but not in the middle of our
 * reading: the turn goes on.
 */
export function runCallerCode(code: () => void): void {
  try {
    code()
  } catch (error) {
    queueMicrotask(() => {
      throw error
    })
  }
}
