import { isAtLeast } from '../version-order.ts'

/** What changed in pi between the versions that we drive, by the version that changed it. */
const since = {
  /** `--no-context-files`. */
  contextFilesFlag: '0.67.4',
  /** `--tools` lists an extension's tools, too; before, it only knows pi's own. */
  toolList: '0.68.0',
  /** models.json takes `$NAME` for a variable; before, a bare name was one. */
  dollarReferences: '0.77.0',
  /** `--exclude-tools`. */
  excludeTools: '0.77.0',
  /** `--no-approve`: what lies in the project's `.pi` is not read. */
  projectTrust: '0.79.0',
  /** A run ends with `agent_settled`. */
  agentSettled: '0.80.4',
  /** `--thinking max`. */
  maxThinking: '0.80.6',
  /** `clear_queue` of `--mode rpc`. */
  clearQueue: '0.84.4',
  /** MCP, built in, and the other built-in extensions that `-e builtin:<name>` loads. */
  mcp: '0.99.0',
} as const

export type PiFeature = keyof typeof since

/** Whether this version of pi has a feature; a version that nobody could tell counts as a new one. */
export function piHas(feature: PiFeature, version: string): boolean {
  return isAtLeast(version, since[feature]) ?? true
}

/** The first version that has the feature: '0.67.4'. */
export function piHasSince(feature: PiFeature): string {
  return since[feature]
}
