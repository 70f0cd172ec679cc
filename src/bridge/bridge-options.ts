import type { BridgeTool } from '../options/bridge-tool.ts'
import type { LogEntry } from '../options/turn-options.ts'

export interface ToolBridgeOptions {
  tools: readonly BridgeTool[]
  /** How long one call may take. Default 60,000; `Infinity` for no limit. */
  callTimeoutMs?: number | undefined
  /** The longest body of a request. Default 4 MiB. */
  maxBodyBytes?: number | undefined
  /** Hears what was refused, which tool failed and which took too long. Never a token, and no value of a stranger's. */
  log?: ((entry: LogEntry) => void) | undefined
}

export interface BridgeSessionOptions {
  /** Default: a random one. Up to 128 letters, digits, '.', '_' and '-': it stands in the session's address. */
  sessionId?: string | undefined
  /** How long its token is good. Default 24 hours; `Infinity` for until it is closed. */
  lifetimeMs?: number | undefined
  /** Those of the bridge's tools that this session has. Default: all. */
  tools?: readonly string[] | undefined
}
