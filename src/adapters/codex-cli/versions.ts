import { isAtLeast } from '../version-order.ts'

/**
 * What a version of codex can do. Each floor is the lowest version that was seen to do it at a loopback model server; the
 * version before it that was seen not to is named beside it.
 */
const floors = {
  /** `exec fork`. */
  fork: '0.148.0',
  /** `approvals_reviewer = "auto_review"` is asked in exec; below, exec never escalates. */
  autoReview: '0.140.0',
  /** `skills.bundled.enabled = false` (0.113.0: not yet). */
  switchesBundledSkills: '0.124.0',
  /** Items that were finished before a connection was cut stay in the conversation; below, the retry starts without them. */
  keepsItemsOnReconnect: '0.130.0',
  /** A resumed conversation's usage counts from its start; below, from the process's. */
  cumulativeUsage: '0.80.0',
  /** `--dangerously-bypass-hook-trust` (0.130.0: not yet). */
  bypassHookTrust: '0.131.0',
  /** A project is trusted only where the configuration says so; below, whoever may write in it trusts it. */
  leavesTrustToUsers: '0.169.0',
  /** `openai_base_url` counts; 0.113 has the variable OPENAI_BASE_URL instead, as 0.55 has. */
  baseUrlSetting: '0.120.0',
  /** `experimental_instructions_file` is ignored; above, it is reported as an error item. */
  modelInstructionsFile: '0.90.0',
  /** `shell_tool` and `unified_exec` take the shell away (0.55.0: not). */
  switchesShell: '0.113.0',
  /** `agents.enabled`, `features.view_image` and switches below `tools`, all of them (0.144.6: not yet; the first is an error). */
  switchesTools: '0.147.0',
  /** Models that have sub-agents whatever `features.multi_agent` says (0.139.0: none; seen in 0.144.6). */
  modelsBringAgents: '0.140.0',
  /** Tools of a server whose names differ only in what the model's API takes no name with get a hash; 0.113.0 and 0.115.0 offer one of them. */
  tellsToolsApart: '0.120.0',
  /** `default_tools_approval_mode` of an MCP server (0.121.0: only that of each tool). */
  approvesToolsOfServer: '0.122.0',
  /** An approval policy by kind is called `granular`; in 0.113.0 it is `reject`, and the other way round. */
  asksByKind: '0.120.0',
} as const

export type CodexAbility = keyof typeof floors

/** undefined where the version is not known. */
export function codexCan(ability: CodexAbility, version: string | undefined): boolean | undefined {
  return version === undefined ? undefined : isAtLeast(version, floors[ability])
}

export function codexFloor(ability: CodexAbility): string {
  return floors[ability]
}
