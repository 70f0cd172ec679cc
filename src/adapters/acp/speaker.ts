import { asObject, asString, type JsonObject } from '../../protocol/narrow.ts'

/** The call of the sub-agent that speaks. ACP has no place for it; claude-agent-acp says it in `_meta`. */
export function parentOf({ _meta }: JsonObject): string | undefined {
  return asString(asObject(asObject(_meta)?.claudeCode)?.parentToolUseId)
}
