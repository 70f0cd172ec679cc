import { AgentError } from '../../errors.ts'
import { admitsNativeTool, nativeLimit } from '../../options/tool-policy.ts'
import { mcpName } from '../../protocol/mcp-names.ts'
import type { LaunchContext } from '../adapter.ts'
import type { LiveLaunchOptions } from '../launch-options.ts'
import type { NativeTool } from '../native-tool.ts'
import { refuseToolNames } from '../tool-names.ts'
import { claudeNativeTools } from './native-tools.ts'
import { claudeHas, claudeHasSince } from './versions.ts'

const known = claudeNativeTools.map(({ name }) => name)

interface ToolShare {
  arguments: string[]
  environment: Record<string, string>
  /** For the generated settings: the names of a server's tools may be more than a command line can hold. */
  settings: Record<string, unknown>
}

/**
 * Which tools the model is offered. One that is denied is not there any more, not even in bypassPermissions; one that is allowed
 * runs without a question, as the caller granted it. Neither says anything of a tool that a server lists only later.
 */
export function toolShare(options: LiveLaunchOptions, context: LaunchContext): ToolShare {
  // Its API takes no longer name; 2.1.332 leaves such a tool out in silence.
  refuseToolNames(options.mcpServers, { cli: 'claude-code', nameOf: mcpName, most: 128 })
  const offered = serverTools(options, 'tools')
  const hidden = serverTools(options, 'hidden')
  if (hidden.length > 0) refuseToHide(hidden, context)
  const withheld = withheldTools(options)
  const limit = nativeLimit(options.tools, known)?.filter((name) => !withheld.includes(name))
  const permissions = {
    ...(offered.length > 0 && options.approvals !== 'host' && { allow: offered }),
    ...(hidden.length > 0 && { deny: hidden }),
  }
  return {
    arguments: [
      ...(limit && hasLists(context) ? ['--tools', limit.join(',')] : []),
      ...(withheld.length > 0 ? ['--disallowedTools', withheld.join(',')] : []),
    ],
    // 2.1.332 shows the model a search in the place of tools.
    environment: limit || offered.length > 0 ? { ENABLE_TOOL_SEARCH: 'false' } : {},
    settings: {
      ...(Object.keys(permissions).length > 0 && { permissions }),
      ...(Object.keys(options.mcpServers).length > 0 && refuseStrangers(options, context)),
    },
  }
}

/**
 * A hook that no listed tool matches, so that nothing is started for those: any other of these servers is refused before it runs,
 * also in bypassPermissions. Where 1.0.124 is told to leave the project's hooks alone, it leaves all alone.
 */
function refuseStrangers({ mcpServers }: LiveLaunchOptions, context: LaunchContext) {
  if (claudeHas('settingSources', context.version) === false) return {}
  const strangers = Object.entries(mcpServers).map(([server, { tools }]) => {
    const known = tools.map((tool) => `${mcpName(server, tool)}$`)
    return [...known.map((name) => `(?!${name})`), `${mcpName(server, '')}`].join('')
  })
  const command = `echo 'coxswain: its server had no such tool when it was asked, before the start.' >&2; exit 2`
  return {
    hooks: {
      PreToolUse: [{ matcher: `^(?:${strangers.join('|')})`, hooks: [{ type: 'command', command }] }],
    },
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
