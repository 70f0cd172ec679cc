import type { Adapter } from '../adapters/adapter.ts'
import type { DecisionWord, InteractionPayload } from '../protocol/events.ts'
import type { PromptPart } from '../protocol/prompt.ts'
import type { BridgeTool } from './bridge-tool.ts'
import type { Approvals, Budgets, ByName, Credentials, Endpoint, McpServer } from './option-parts.ts'
import type { Schema } from './schema-types.ts'

/** One of the built-in ones; what else a text names is refused when it is looked for. */
export type AdapterId = BuiltInAdapterId | (string & {})

export type BuiltInAdapterId = 'claude-code' | 'codex-cli' | 'cursor-cli' | 'pi-cli'

export type Decision =
  | DecisionWord
  | {
      decision: DecisionWord
      updatedInput?: unknown
      message?: string | undefined
      answers?: Readonly<Record<string, string | readonly string[] | undefined>> | undefined
      /** With 'allow': the request's option of kind `allow_always` that was chosen. */
      optionId?: string | undefined
    }

export type LogEntry = { level: 'debug' | 'info' | 'warning'; message: string }

/** Answers what the CLI asks, in the place of a person: one `interaction` event with phase 'request' at a time or several at once. */
export type ApprovalCallback<D extends Decision = Decision> = (request: InteractionPayload) => D | Promise<D>

/** One turn: what to ask, how to run the CLI, and what its process may see. */
export interface TurnOptions<S extends Schema = never, D extends Decision = Decision> {
  /** 'claude-code', 'codex-cli', 'cursor-cli', 'pi-cli', or an adapter of your own. */
  adapter: AdapterId | Adapter
  /** Text and images. Never on argv, and literal: no @file, no /command, unless `promptExpansion`. */
  prompt: string | readonly PromptPart[]
  promptExpansion?: boolean | undefined
  /** Default: the current directory. */
  cwd?: string | undefined
  model?: string | undefined
  effort?: string | undefined
  systemPrompt?: { append?: string | undefined; replace?: string | undefined } | undefined
  /**
   * What the answer shall be: a schema of zod 4 (any copy) or a JSON Schema. `completion.structuredOutput` has it, as the
   * schema makes it (defaults, transforms); an answer that does not fit is the error `output_mismatch`. Where the CLI cannot hold
   * its model to a schema, the prompt asks for it.
   */
  outputSchema?: S | undefined

  /** A sessionId from an earlier `session` event. */
  resume?: string | undefined
  fork?: boolean | undefined
  /** Where transcripts live. Default 'keep': the state directory. */
  conversations?: 'keep' | 'discard' | { directory: string } | undefined

  transport?: 'auto' | 'structured' | 'live' | 'tmux' | undefined
  liveInput?: 'none' | 'optional' | 'required' | undefined
  /** Default 'deny': what the CLI would ask is denied, what it does unasked still runs. */
  approvals?: Approvals | 'host' | ApprovalCallback<D> | undefined
  /** Default: the CLI's own under that approvals mode. */
  sandbox?: 'read-only' | 'workspace-write' | 'off' | undefined
  network?: boolean | undefined
  /**
   * Which tools the model gets: the CLI's own ('native', the default), those of `mcpServers` and `bridge` ('mcp_only'), or both
   * ('hybrid', the default where there are such). `allow` and `deny` name tools: a native one as the CLI calls it, an MCP tool
   * bare or as `server/tool`. `allow` in 'hybrid' limits the native tools only where it names one. Tools that a CLI has only
   * together are all meant by the name of one. A tool outside of this ends
   * the turn with `policy_violation`. `strict`: an error where the CLI cannot take every other tool away.
   */
  tools?:
    | {
        mode: 'native' | 'hybrid' | 'mcp_only'
        allow?: readonly string[] | undefined
        deny?: readonly string[] | undefined
        strict?: boolean | undefined
      }
    | undefined
  /** By name. Each is asked for its tools before the CLI starts: one that does not answer is `mcp_unavailable`. */
  mcpServers?: Readonly<Record<string, McpServer | undefined>> | undefined
  /** Functions of yours as tools, served under the name `bridge`: `coxswain/bridge` without the server. */
  bridge?: readonly BridgeTool[] | undefined
  /**
   * How the agent reaches the product's own interface. 'native_shell' (experimental): from the CLI's own shell, by MCP_API_URL,
   * MCP_MCP, MCP_CUSTOM, MCP_VIRTUAL and MCP_AUTH; all of them in `scope`, or made from `bridge`. Default 'bridge_shell': by
   * tools alone, which like 'disabled' asks nothing of a turn.
   */
  apiTransport?: 'bridge_shell' | 'native_shell' | 'disabled' | undefined
  /** Default 'forbid'. 'wait': the turn ends when the CLI reports no open background task. */
  backgroundTasks?: 'forbid' | 'wait' | undefined
  budgets?: Budgets | undefined
  signal?: AbortSignal | undefined

  /** SECRET_*, VAR_* and the MCP session routes; anything else is refused, by name. */
  scope?: ByName | undefined
  /** The base to scrub. Default process.env. */
  environment?: ByName | undefined
  /** Names that the scrub would drop but you want. */
  inherit?: readonly string[] | undefined
  /** More names that never pass, not even with `inherit`; `PREFIX_*` is all that begin so. For a host's own secrets. */
  reserve?: readonly string[] | undefined
  /**
   * Default 'keep'. 'neutral': the child's git reads no system or user configuration, asks nothing, opens no editor, and is
   * not bound to the repository that the host happens to run in. Set after the scrub; `inherit` does not undo it.
   */
  git?: 'keep' | 'neutral' | undefined
  /**
   * Default 'inherit': this adapter's own credentials, from the environment or the user's sign-in. `{ set }` names one of the
   * adapter's sets, or 'sign-in': the user's sign-in and no variable.
   */
  credentials?: Credentials | undefined
  /**
   * Who may be billed: 'api', by use, or 'subscription', a plan of the user's. Default 'any'. A turn whose credential in use
   * contradicts it, or does not tell, ends with `billing_mismatch` before anything starts.
   */
  billing?: 'any' | 'api' | 'subscription' | undefined
  credentialExposure?: 'auto' | 'hidden' | 'visible' | undefined
  /** Default true. A list adds values to hide. */
  redact?: boolean | readonly string[] | undefined
  /** Default 'private'. */
  home?: 'private' | 'user' | { directory: string } | undefined
  /**
   * The hooks, MCP servers, plugins, extensions and settings that lie in `cwd`. Default 'ignore': none of them runs. 'trust': they
   * run as if the user had accepted them, with all rights of the CLI. The user's own stay out of a private home either way.
   */
  projectConfiguration?: 'ignore' | 'trust' | undefined
  /** AGENTS.md / CLAUDE.md in cwd. Default true. */
  projectInstructions?: boolean | undefined

  /** A gateway or test server instead of the provider's own. Neither the user's sign-in nor an ambient key is sent there. */
  endpoint?: Endpoint | undefined
  /** The CLI's own settings; those that an option owns are refused, by name. */
  configuration?: Readonly<Record<string, unknown>> | undefined
  /** The CLI's own flags; those that an option owns are refused, by name. */
  arguments?: readonly string[] | undefined
  /** A path, or a command with its first arguments: [another node, cli.js]. */
  binary?: string | readonly string[] | undefined
  includeRaw?: boolean | undefined
  log?: ((entry: LogEntry) => void) | undefined
}

/** One process for many turns: what `openSession` takes. `outputSchema` holds for every turn. */
export type SessionOptions<S extends Schema = Schema, D extends Decision = Decision> = Omit<
  TurnOptions<S, D>,
  'prompt'
>
