import { AgentError } from '../../errors.ts'
import { asArray, asObject } from '../../protocol/narrow.ts'
import { acpServers } from '../acp/mcp.ts'
import type { Launch, LaunchContext, LiveLaunch, PlannedFile } from '../adapter.ts'
import type { LaunchOptions, LiveLaunchOptions } from '../launch-options.ts'
import { serverFiles, toolPermissions } from './mcp.ts'

/**
 * The prompt goes by stdin: without positional words print mode reads it from there, also where it begins with `-`, and a
 * stdin that stays open keeps the process alive after its result (2026.09.10).
 */
export function launchCursor(options: LaunchOptions, context: LaunchContext): Launch {
  refuseUnsafe(options)
  return {
    arguments: [
      '--print',
      '--output-format',
      'stream-json',
      '--stream-partial-output',
      // Without it nothing runs at all; it lets the project's hooks and rules in, whatever was asked for.
      ...(knowsTrust(context.version) ? ['--trust'] : []),
      ...(options.projectConfiguration === 'trust' ? ['--approve-mcps'] : []),
      ...modelArguments(options, context),
      ...approvalArguments(options),
      ...sandboxArguments(options),
      // Its value is optional, so as a word of its own it would also take what follows.
      ...(options.resume === undefined ? [] : [`--resume=${options.resume}`]),
      ...options.arguments,
    ],
    ...surroundings(options, context),
    stdin: options.prompt.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n'),
  }
}

/** What is said on argv stands before `acp` (2026.08). The prompts come by stdin, and so do the answers to what it asks. */
export function launchCursorAcp(options: LiveLaunchOptions, context: LaunchContext): LiveLaunch {
  refuseUnsafe(options)
  // Others tell that it takes them and does nothing with them (2026.06 to 2026.09): those of mcp.json are there besides.
  const servers = acpServers('cursor-cli', options.mcpServers, 'denied')
  return {
    arguments: [
      ...modelArguments(options, context),
      ...approvalArguments(options),
      ...sandboxArguments(options),
      ...options.arguments,
      'acp',
    ],
    ...surroundings(options, context),
    opening: { approvals: options.approvals, mcpServers: servers },
  }
}

type Options = Omit<LiveLaunchOptions, 'promptExpansion'>

function surroundings(
  options: Options,
  context: LaunchContext,
): Pick<Launch, 'environment' | 'files' | 'firstSignal'> {
  const permissions = toolPermissions(options, context)
  return {
    environment: {
      NO_OPEN_BROWSER: '1',
      // Trust and MCP approvals of projects.
      ...(context.home !== undefined && { CURSOR_DATA_DIR: context.home }),
      // Neither keychain nor file: without it the CLI finds a sign-in that no configuration directory moves.
      ...(context.signIn === false && { AGENT_CLI_CREDENTIAL_STORE: 'memory' }),
      // Hooks are written for PowerShell and then run by bash, so that every tool call is rejected.
      ...(context.platform === 'win32' && { MSYSTEM: '' }),
    },
    files: [
      ...(context.home === undefined ? [] : [configurationFile(options, permissions)]),
      ...serverFiles(options, context),
    ],
    // Both end it at once ("Aborting operation..."), and what either leaves behind is not known. This one it gets in the field.
    firstSignal: 'SIGTERM',
  }
}

/** What this CLI accepts but would not do. */
function refuseUnsafe(options: Options): void {
  if (options.sandbox === 'workspace-write' && options.approvals === 'approve-all') {
    throw new AgentError(
      'unsupported',
      "cursor-cli cannot confine writes under approvals 'approve-all': --force lifts the limits of file edits.",
      { hint: "Use sandbox 'workspace-write' with approvals 'deny' or 'auto', or leave the sandbox out." },
    )
  }
  if (options.sandbox === 'workspace-write' && options.network === true) {
    throw new AgentError('unsupported', 'cursor-cli cannot open the network inside its sandbox.', {
      hint: 'Leave `network` or `sandbox` out.',
    })
  }
  // "-1" would resume whatever came last.
  if (options.resume !== undefined && !/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(options.resume)) {
    throw new AgentError('invalid_options', 'cursor-cli resumes by a UUID, and `resume` is none.', {
      hint: 'Give the sessionId of an earlier `session` event.',
    })
  }
}

/** An unknown flag ends the run, and before this version nothing shows that the CLI had this one. */
function knowsTrust(version: string): boolean {
  return !/^\d{4}\.\d\d\.\d\d/.test(version) || version.slice(0, 10) >= '2026.02.13'
}

/**
 * Left out, the CLI takes the model that anyone used last; given, it becomes the user's own setting, which a turn in the
 * user's home must not do unasked.
 */
function modelArguments({ model }: Options, { home }: LaunchContext): string[] {
  if (model !== undefined) return ['--model', model]
  return home === undefined ? [] : ['--model', 'auto']
}

function approvalArguments({ approvals }: Options): string[] {
  if (approvals === 'approve-all') return ['--force']
  return approvals === 'auto' ? ['--auto-review'] : []
}

function sandboxArguments({ sandbox }: Options): string[] {
  if (sandbox === 'workspace-write') return ['--sandbox', 'enabled']
  return sandbox === 'off' ? ['--sandbox', 'disabled'] : []
}

/** A home of its own also keeps parallel runs from racing for one cli-config.json, which every run rewrites. */
function configurationFile(
  { configuration }: Options,
  ofTools: ReturnType<typeof toolPermissions>,
): PlannedFile {
  const { permissions, ...rest } = configuration
  const own = asObject(permissions)
  refuseOverruled(asArray(own?.allow), ofTools.deny)
  const settings = {
    version: 1,
    editor: { vimMode: false },
    // The CLI's own default allows `ls`.
    permissions: {
      ...own,
      allow: [...asArray(own?.allow), ...ofTools.allow],
      deny: [...asArray(own?.deny), ...ofTools.deny],
    },
    approvalMode: 'allowlist',
    ...rest,
  }
  return { path: 'cli-config.json', content: `${JSON.stringify(settings, undefined, 2)}\n` }
}

/** A denial wins over every permission of its kind, without a word. */
function refuseOverruled(allowed: readonly unknown[], denied: readonly string[]): void {
  const kinds = denied.flatMap((each) => (each.startsWith('Mcp(') ? [] : [kindOf(each)]))
  const vain = allowed.find(
    (each) => typeof each === 'string' && (denied.includes(each) || kinds.includes(kindOf(each))),
  )
  if (vain === undefined) return
  throw new AgentError(
    'invalid_options',
    `The setting "permissions.allow" has ${JSON.stringify(vain)}, which \`tools\` denies.`,
    { hint: 'Take it out of one of the two.' },
  )
}

/** 'Shell' of 'Shell(ls)'. */
function kindOf(permission: string): string {
  return permission.replace(/\(.*$/s, '')
}
