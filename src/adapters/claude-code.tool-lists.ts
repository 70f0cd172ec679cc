import { AgentError } from '../errors.ts'
import { admitsNativeTool, nativeLimit } from '../options/tool-policy.ts'
import type { LiveLaunchOptions } from '../options/turn-options.ts'
import { mcpName } from '../protocol/mcp-names.ts'
import type { LaunchContext, NativeTool } from './adapter.ts'
import { claudeNativeTools } from './claude-code.native-tools.ts'
import { claudeHas, claudeHasSince } from './claude-code.versions.ts'
import { refuseToolNames } from './tool-names.ts'

const known = claudeNativeTools.map(({ name }) => name)

interface ToolShare {
  arguments: string[]
  environment: Record<string, string>
}

/**
 * Which tools the model is offered. A name in `--disallowedTools` is not there any more, not even in bypassPermissions; one in
 * `--allowedTools` runs without a question, as the caller granted it.
 */
export function toolShare(options: LiveLaunchOptions, context: LaunchContext): ToolShare {
  // Its API takes no longer name; 2.1.332 leaves such a tool out in silence.
  refuseToolNames(options.mcpServers, { cli: 'claude-code', nameOf: mcpName, most: 128 })
  const offered = serverTools(options, 'tools')
  const hidden = serverTools(options, 'hidden')
  if (hidden.length > 0) refuseToHide(hidden, context)
  const withheld = withheldTools(options)
  const limit = nativeLimit(options.tools, known)?.filter((name) => !withheld.includes(name))
  const denied = [...withheld, ...hidden]
  return {
    arguments: [
      ...(limit && hasLists(context) ? ['--tools', limit.join(',')] : []),
      ...(denied.length > 0 ? ['--disallowedTools', denied.join(',')] : []),
      ...(offered.length > 0 && options.approvals !== 'host' ? ['--allowedTools', offered.join(',')] : []),
    ],
    // 2.1.332 shows the model a search in the place of tools.
    environment: limit || offered.length > 0 ? { ENABLE_TOOL_SEARCH: 'false' } : {},
  }
}

/** Of claude's own: what the policy excludes, what asks where nobody answers, and what goes on when the turn is over. */
function withheldTools({ tools, approvals, backgroundTasks }: LiveLaunchOptions): string[] {
  const unwanted: NativeTool['kind'][] = [
    ...(approvals === 'host' ? [] : (['question', 'plan'] as const)),
    ...(backgroundTasks === 'wait' ? [] : (['background', 'schedule'] as const)),
  ]
  const isWithheld = ({ name, kind }: NativeTool) =>
    unwanted.includes(kind) || !admitsNativeTool(tools, name, known)
  return claudeNativeTools.filter(isWithheld).map(({ name }) => name)
}

function serverTools({ mcpServers }: LiveLaunchOptions, list: 'tools' | 'hidden'): string[] {
  return Object.entries(mcpServers).flatMap(([name, server]) =>
    server[list].map((tool) => mcpName(name, tool)),
  )
}

/** 1.0.124 denies such calls, but offers the tools all the same. */
function refuseToHide([first]: string[], context: LaunchContext): void {
  if (hasLists(context)) return
  throw new AgentError(
    'unsupported',
    `claude ${context.version} cannot hide a tool of a server (${first}).`,
    {
      hint: `Use claude ${claudeHasSince('toolLists')} or newer, or allow all tools of its servers.`,
    },
  )
}

function hasLists({ version }: LaunchContext): boolean {
  return claudeHas('toolLists', version) !== false
}
