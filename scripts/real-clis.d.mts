/** A real CLI that test/clis pins. */
export interface RealCli {
  /** Its name in test/clis/package.json: 'claude-2.1'. */
  readonly alias: string
  readonly adapter: 'claude-code' | 'codex-cli' | 'pi-cli'
  readonly version: string
  /** Absolute; for `TurnOptions.binary`. A Node of its own before it where ours is too old. */
  readonly binary: [string, ...string[]]
}

/** The newest one of each adapter. */
export function newestClis(): RealCli[]

/** A real ACP agent that test/clis pins. */
export interface RealAcpAgent {
  readonly alias: string
  readonly version: string
  /** For `acpAgent`. */
  readonly command: readonly [string, ...string[]]
}

export const realAcpAgents: readonly RealAcpAgent[]

/** Every pinned CLI, by adapter, newest first. Nothing is installed by reading this. */
export const realClis: readonly RealCli[]

/** The path of a Node 24. */
export const node24: string

/**
 * Installs what test/clis pins, unless it is there already; about 2 GB. Says so in one line, to `say` (default: console.log).
 * Waits where another process is at it.
 */
export function ensureRealClis(say?: (line: string) => void): Promise<void>
