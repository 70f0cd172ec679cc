import type { LogEntry } from '../options/turn-options.ts'

export interface BridgeLog {
  warn(message: string): void
}

/** A log that a caller's function cannot break. */
export function bridgeLog(write: ((entry: LogEntry) => void) | undefined): BridgeLog {
  return {
    warn(message) {
      try {
        write?.({ level: 'warning', message: `tool bridge: ${message}` })
      } catch {
        // It is the caller's own, and no call may fail on it.
      }
    },
  }
}
