import type { Approvals, Endpoint } from '../options/option-parts.ts'
import type { JsonSchema } from '../options/schema-types.ts'
import type { PromptPart } from '../protocol/prompt.ts'

/** Which tools the model may have. */
export interface ToolPolicy {
  /** 'native': the CLI's own; 'mcp_only': those of `mcpServers` and `bridge`; 'hybrid': both. */
  mode: 'native' | 'hybrid' | 'mcp_only'
  /**
   * Names: a native tool's as the CLI has it, an MCP tool's bare or as `server/tool`. Absent: all of the mode's. In 'hybrid' it
   * limits the native tools only where it names one.
   */
  allow?: readonly string[]
  deny: readonly string[]
  /** The model must be offered nothing else, not even what a CLI cannot take away but which does nothing. */
  strict: boolean
}

/** The caller's server after checking: every value is there. */
export type CheckedMcpServer =
  | {
      type: 'stdio'
      command: string
      args?: readonly string[]
      env?: Readonly<Record<string, string>>
    }
  | { type: 'http'; url: string; headers?: Readonly<Record<string, string>> }

/** A server as a launch gets it. Values of `env` and `headers` may be secrets: never on argv. */
export type LaunchMcpServer = CheckedMcpServer & {
  /** What the tool policy lets through of what the server lists. */
  tools: readonly string[]
  /** The rest of its list: not to be offered. */
  hidden: readonly string[]
}

/** The caller's endpoint after checking. */
export interface LaunchEndpoint extends Endpoint {
  headers?: Readonly<Record<string, string>>
}

/** Options after checking: defaults filled in, the prompt as parts, the adapter resolved. What a `launch` gets. */
export interface LaunchOptions {
  prompt: PromptPart[]
  promptExpansion: boolean
  /** Absolute. */
  cwd: string
  model?: string
  effort?: string
  systemPrompt: { append?: string; replace?: string }
  resume?: string
  fork: boolean
  approvals: Approvals
  sandbox?: 'read-only' | 'workspace-write' | 'off'
  network?: boolean
  backgroundTasks: 'forbid' | 'wait'
  tools: ToolPolicy
  mcpServers: Readonly<Record<string, LaunchMcpServer>>
  home: 'private' | 'user' | { directory: string }
  projectConfiguration: 'ignore' | 'trust'
  projectInstructions: boolean
  /** Only where the CLI is to hold its model to it itself. An object's, without `$schema`. */
  outputSchema?: JsonSchema
  endpoint?: LaunchEndpoint
  configuration: Record<string, unknown>
  arguments: string[]
}

/** The same for a process that listens while it works. */
export interface LiveLaunchOptions extends Omit<LaunchOptions, 'prompt' | 'approvals'> {
  /** 'host': what the CLI would ask is asked as an `interaction`. */
  approvals: Approvals | 'host'
}
