import { asArray, asObject, asString, type JsonObject } from '../../protocol/narrow.ts'
import type { SessionStatement } from '../../protocol/transcript.ts'
import type { WireOptions, WireStart } from '../../protocol/wire.ts'
import { answerTool } from './answer-tool.ts'

/** What is known of the conversation before claude says its id. */
export interface Conversation {
  transport: 'structured' | 'live'
  originOf(sessionId: string): SessionStatement['origin']
  /** What each MCP server of the turn has. */
  serverTools?: WireOptions['serverTools']
}

/** The conversation of a process, as its first turn says it. */
export function conversationOf({ transport, options }: WireStart): Conversation {
  const { resume, fork, serverTools } = options
  return {
    transport,
    ...(serverTools && { serverTools }),
    originOf(sessionId) {
      if (resume === undefined) return 'new'
      if (fork) return 'forked'
      return resume === sessionId ? 'resumed' : 'new'
    },
  }
}

/** What an `init` record says of who is speaking. */
export function sessionOf(
  init: JsonObject,
  { transport, originOf }: Conversation,
): SessionStatement | undefined {
  const sessionId = asString(init.session_id)
  if (sessionId === undefined) return undefined
  return {
    sessionId,
    transport,
    model: asString(init.model),
    cwd: asString(init.cwd),
    tools: asArray(init.tools).flatMap((tool) => (tool === answerTool ? [] : (asString(tool) ?? []))),
    mcpServers: asArray(init.mcp_servers).flatMap((value) => {
      const name = asString(asObject(value)?.name)
      return name === undefined ? [] : [{ name, status: asString(asObject(value)?.status) ?? 'unknown' }]
    }),
    cliVersion: asString(init.claude_code_version),
    origin: originOf(sessionId),
  }
}
