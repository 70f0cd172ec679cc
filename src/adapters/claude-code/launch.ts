import { posix } from 'node:path'
import { AgentError, shortened } from '../../errors.ts'
import type { PromptPart } from '../../protocol/prompt.ts'
import type { Launch, LaunchContext, LiveLaunch, PlannedFile } from '../adapter.ts'
import type { LaunchEndpoint, LaunchOptions, LiveLaunchOptions } from '../launch-options.ts'
import { projectShare } from './project.ts'
import { literalPrompt, userRecord } from './prompt.ts'
import { serverShare } from './servers.ts'
import { toolShare } from './tool-lists.ts'
import { claudeHas, claudeHasSince } from './versions.ts'

const appendFile = 'append-system-prompt.txt'
const replaceFile = 'system-prompt.txt'

const permissionModes = {
  deny: 'default',
  host: 'default',
  auto: 'acceptEdits',
  'approve-all': 'bypassPermissions',
} as const

/** 2.1.332 guesses a prompt's tokens and refuses a long one itself; whether it fits is for the model's own API to say. */
const guessedWindow = 400_000
const unguessedWindow = { CLAUDE_CODE_BLOCKING_LIMIT_OVERRIDE: '1000000000' }

/** A part of the launch: what it adds to each. */
interface Share {
  arguments?: string[]
  environment?: Record<string, string>
  files?: PlannedFile[]
}

/** `claude -p` for one turn: the prompt on stdin, long texts and settings in files. */
export function launchStreamJson(options: LaunchOptions, context: LaunchContext): Launch {
  const prompt = options.promptExpansion
    ? { parts: options.prompt, environment: {} }
    : literalPrompt(options.prompt, context.version)
  const asRecord = prompt.parts.length > 1 || prompt.parts[0]?.type === 'image'
  const share = together([
    { arguments: outputArguments, environment: prompt.environment },
    asRecord ? { arguments: ['--input-format', 'stream-json'] } : {},
    sizeOf(options.prompt) > guessedWindow ? { environment: unguessedWindow } : {},
    options.outputSchema ? { arguments: ['--json-schema', JSON.stringify(options.outputSchema)] } : {},
    ...commonShares(options, context),
  ])
  return {
    ...share,
    stdin: asRecord ? `${JSON.stringify(userRecord(prompt.parts))}\n` : textOf(prompt.parts),
    // Answered with a `result` of its own (2.1); the tools are gone after it, as they are after SIGTERM.
    firstSignal: 'SIGINT',
  }
}

/** `claude -p` for many turns: stdin stays open, and the control protocol goes both ways. */
export function launchStreamJsonLive(options: LiveLaunchOptions, context: LaunchContext): LiveLaunch {
  const share = together([
    { arguments: [...outputArguments, '--input-format', 'stream-json', '--replay-user-messages'] },
    options.approvals === 'host' ? { arguments: ['--permission-prompt-tool', 'stdio'] } : {},
    options.promptExpansion ? {} : { environment: { CLAUDE_CODE_DISABLE_FILE_MENTIONS: '1' } },
    // A conversation grows past any guess that one prompt could be measured by.
    { environment: unguessedWindow },
    ...commonShares(options, context),
  ])
  const { outputSchema: jsonSchema } = options
  return { ...share, firstSignal: 'SIGINT', opening: { ...(jsonSchema && { jsonSchema }) } }
}

const outputArguments = ['-p', '--output-format', 'stream-json', '--verbose', '--include-partial-messages']

function commonShares(options: LiveLaunchOptions, context: LaunchContext): Share[] {
  const tools = toolShare(options, context)
  return [
    {
      environment: {
        DISABLE_AUTOUPDATER: '1',
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
        // What one conversation noted down would reach every later one from the same cwd.
        CLAUDE_CODE_DISABLE_AUTO_MEMORY: '1',
        // The MCP servers of a claude.ai account come with its sign-in, into every home (2.1.332 names the switch).
        ...(context.home !== undefined && { ENABLE_CLAUDEAI_MCP_SERVERS: 'false' }),
      },
    },
    approvals(options, context),
    tools,
    serverShare(options, context),
    projectShare(options, context, tools.settings),
    model(options, context),
    systemPrompt(options, context),
    conversation(options),
    options.backgroundTasks === 'forbid'
      ? { environment: { CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: '1' } }
      : {},
    options.endpoint ? { environment: endpointEnvironment(options.endpoint) } : {},
    forwarded(context),
    { arguments: options.arguments },
  ]
}

function together(shares: Share[]): Required<Share> {
  return {
    arguments: shares.flatMap((share) => share.arguments ?? []),
    environment: Object.assign({}, ...shares.map((share) => share.environment ?? {})),
    files: shares.flatMap((share) => share.files ?? []),
  }
}

function approvals(options: LiveLaunchOptions, context: LaunchContext): Share {
  // Where there are none but the tools of servers, all that may run is allowed by name, and nothing else is to run.
  const mode = options.tools.mode === 'mcp_only' ? 'default' : permissionModes[options.approvals]
  const isBypass = mode === 'bypassPermissions'
  return {
    arguments: ['--permission-mode', mode],
    // claude refuses to bypass permissions as root anywhere else.
    ...(isBypass && context.isRoot && { environment: { IS_SANDBOX: '1' } }),
  }
}

function model(options: LiveLaunchOptions, { version }: LaunchContext): Share {
  const { effort } = options
  if (effort !== undefined && claudeHas('effort', version) === false) {
    throw new AgentError('unsupported', `claude ${version} does not support effort.`, {
      hint: `Use claude ${claudeHasSince('effort')} or newer, or leave the option out.`,
    })
  }
  return {
    arguments: [
      ...(options.model === undefined ? [] : ['--model', options.model]),
      ...(effort === undefined ? [] : ['--effort', effort]),
    ],
  }
}

function systemPrompt(options: LiveLaunchOptions, context: LaunchContext): Share {
  const { append, replace } = options.systemPrompt
  const share: Required<Pick<Share, 'arguments' | 'files'>> = { arguments: [], files: [] }
  const addFile = (flag: string, path: string, content: string) => {
    share.arguments.push(flag, posix.join(context.directory, path))
    share.files.push({ path, content })
  }
  const isAsked = append !== undefined || replace !== undefined
  if (isAsked && options.resume !== undefined && claudeHas('systemPromptSnapshot', context.version)) {
    share.arguments.push('--system-prompt-snapshot', 'off')
  }
  if (replace !== undefined) addFile('--system-prompt-file', replaceFile, replace)
  if (append !== undefined && replace !== undefined && !takesAppendFile(context)) {
    // One file that says both, where claude cannot take two.
    return { ...share, files: [{ path: replaceFile, content: `${replace}\n\n${append}` }] }
  }
  if (append !== undefined && takesAppendFile(context))
    addFile('--append-system-prompt-file', appendFile, append)
  else if (append !== undefined) share.arguments.push('--append-system-prompt', append)
  return share
}

function takesAppendFile({ version }: LaunchContext): boolean {
  return claudeHas('appendSystemPromptFile', version) !== false
}

function conversation({ resume, fork }: LiveLaunchOptions): Share {
  if (resume === undefined) return {}
  if (!/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(resume)) {
    // claude would take it for a title to search for, or for a flag.
    throw new AgentError(
      'resume_rejected',
      `No claude conversation has the id ${JSON.stringify(shortened(resume))}.`,
      {
        hint: 'Give the sessionId of an earlier `session` event: a UUID.',
      },
    )
  }
  return { arguments: ['--resume', resume, ...(fork ? ['--fork-session'] : [])] }
}

function endpointEnvironment({ url, credential, headers = {} }: LaunchEndpoint): Record<string, string> {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  return {
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_API_KEY: credential || 'none',
    ...(lines.length > 0 && { ANTHROPIC_CUSTOM_HEADERS: lines.join('\n') }),
  }
}

/** The sets in use share one provider, and the forwarder holds the headers. */
function forwarded({ forwarders = {} }: LaunchContext): Share {
  const [url] = Object.values(forwarders)
  return url === undefined ? {} : { environment: { ANTHROPIC_BASE_URL: url, ANTHROPIC_CUSTOM_HEADERS: '' } }
}

function textOf(parts: readonly PromptPart[]): string {
  return parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('')
}

function sizeOf(prompt: readonly PromptPart[]): number {
  return prompt.reduce((size, part) => size + (part.type === 'text' ? part.text.length : 0), 0)
}
