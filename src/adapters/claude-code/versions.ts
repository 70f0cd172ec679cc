import { isAtLeast } from '../version-order.ts'

/**
 * What changed in claude between the versions that we drive, each by the lowest version that was seen to have it: at a loopback
 * model server, and for 2.0.0 in its own help.
 */
const since = {
  /** `--setting-sources`. */
  settingSources: '2.0.0',
  /** CLAUDE_CODE_DISABLE_ATTACHMENTS, which also keeps mentioned files out. */
  attachmentsSwitch: '2.0.72',
  /** `--tools`, and `--disallowedTools` for the tools of MCP servers, too. */
  toolLists: '2.0.72',
  /** `--append-system-prompt-file`; 1.0.124 has `--system-prompt-file` alone. */
  appendSystemPromptFile: '2.0.72',
  /** CLAUDE_CODE_ADDITIONAL_DIRECTORIES_CLAUDE_MD. */
  additionalInstructions: '2.1.136',
  /** `cancel_async_message`, which 2.0.72 does not even answer. */
  withdrawsMessages: '2.1.136',
  /** `--effort`. */
  effort: '2.1.136',
  /** CLAUDE_CODE_DISABLE_BACKGROUND_TASKS. */
  backgroundTasksSwitch: '2.1.136',
  /** `${NAME}` in the headers of an MCP server is replaced twice over (2.1.118: once). */
  expandsHeadersTwice: '2.1.119',
  /** A resumed conversation keeps the system prompt that it began with, unless `--system-prompt-snapshot off` is given (2.1.267: not). */
  systemPromptSnapshot: '2.1.268',
  /** `--json-schema` and `jsonSchema` of `initialize`, with an end: 2.0.72 and 2.1.136 ask a model that only talks again for ever. */
  jsonSchema: '2.1.332',
  /** No header of an MCP server in its log of it (1.0.124, 2.0.72: each; 2.1.136: all but Authorization). */
  hidesServerHeaders: '2.1.332',
  /** CLAUDE_CODE_DISABLE_FILE_MENTIONS. */
  fileMentionsSwitch: '2.1.332',
} as const

export type ClaudeFeature = keyof typeof since

/** Whether this version of claude has a feature; of a version that nobody could tell, undefined. */
export function claudeHas(feature: ClaudeFeature, version: string): boolean | undefined {
  return isAtLeast(version, since[feature])
}

/** The first version that has the feature: '2.1.136'. */
export function claudeHasSince(feature: ClaudeFeature): string {
  return since[feature]
}
