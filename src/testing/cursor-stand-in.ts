import { fileURLToPath } from 'node:url'
import type { Reply } from './scenario.ts'
import { scenarios } from './scenarios.ts'

export interface CursorStandInOptions {
  /** What the model does: thinking, text and tool calls of each reply, in turn. Default: the tool turn. */
  replies?: readonly Reply[] | undefined
  /**
   * What goes wrong. 'auth': nobody is signed in. 'usage-limit': the plan is used up. 'retry': the last text is cut once and said
   * again. 'cut': the connection is lost for good in mid-text. 'lingers': it does not go after its result. Default: nothing.
   */
  failure?: 'auth' | 'usage-limit' | 'retry' | 'cut' | 'lingers' | undefined
  /** Between two records, in milliseconds. Default 2. */
  paceMs?: number | undefined
}

/**
 * A program that stands in for Cursor's CLI, which no registry has: takes its flags, prints its records, runs the shell calls of
 * its script for real, keeps its chats where that one does, and ends as that one is known to. Nothing proves that the real
 * one behaves the same. Needs no network and no account.
 *
 * A tool call named 'server/tool' is made to that MCP server: of the private mcp.json where it is approved there, or, as `acp`, of
 * `session/new`, and only where the permissions allow it.
 *
 * As `acp` it speaks ACP; tool calls named 'askQuestion', 'createPlan', 'updateTodos', 'task' and 'generateImage' are Cursor's own
 * requests there.
 *
 * @returns what `TurnOptions.binary` takes
 */
export function cursorStandIn(options: CursorStandInOptions = {}): [string, ...string[]] {
  const { replies = scenarios.toolTurn, failure, paceMs = 2 } = options
  const script = fileURLToPath(new URL('./cursor-stand-in-process.js', import.meta.url))
  return [process.execPath, script, JSON.stringify({ replies, failure, paceMs })]
}
