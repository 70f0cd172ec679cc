import { AgentError, shortened } from '../../errors.ts'
import type { PromptPart } from '../../protocol/prompt.ts'
import type { Launch, LaunchContext, LiveLaunch, PlannedFile } from '../adapter.ts'
import type { LaunchOptions, LiveLaunchOptions } from '../launch-options.ts'
import { json, planEndpoint } from './endpoint.ts'
import { forwardedModels } from './exposure.ts'
import { planServers } from './mcp.ts'
import {
  literalPrompt,
  projectArguments,
  projectInstructionsArguments,
  withoutUserSkills,
} from './project.ts'
import { rpcOpening } from './rpc-opening.ts'
import { toolArguments } from './tool-arguments.ts'
import { piHas } from './versions.ts'

/**
 * `pi --print --mode json` with the prompt on stdin, which pi takes as it is (it trims it): `@file` is only expanded on argv, and
 * `/command` only where extensions, skills or prompt templates are loaded: those of a project that is trusted.
 */
export function launchPi(options: LaunchOptions, context: LaunchContext): Launch {
  const files = new Files(context.directory)
  const process = launchProcess(['--print', '--mode', 'json'], options, context, files)
  return {
    ...process,
    arguments: [...process.arguments, ...imageArguments(options.prompt, files)],
    stdin: literalPrompt(options),
  }
}

/** `pi --mode rpc`: prompts, with their images, are records on stdin. */
export function launchPiRpc(options: LiveLaunchOptions, context: LaunchContext): LiveLaunch {
  const process = launchProcess(['--mode', 'rpc'], options, context, new Files(context.directory))
  return { ...process, opening: rpcOpening(options, context.version) }
}

type ProcessOptions = Omit<LaunchOptions, 'prompt' | 'approvals'>

function launchProcess(
  mode: string[],
  options: ProcessOptions,
  context: LaunchContext,
  files: Files,
): Omit<Launch, 'stdin'> {
  const { version } = context
  const endpoint = endpointOf(options, context)
  if (endpoint) files.plan(endpoint.file)
  for (const file of forwardedModels(context)) files.plan(file)
  if (context.home !== undefined) files.plan(settingsFile(options, version))
  const servers = planServers(options, context)
  for (const file of servers.files) files.plan(file)
  return {
    arguments: [
      ...mode,
      ...projectArguments(options, context),
      ...servers.arguments,
      ...toolArguments(options, version, servers.toolNames),
      ...projectInstructionsArguments(options, version),
      ...(endpoint?.arguments ?? (options.model === undefined ? [] : ['--model', options.model])),
      ...effortArguments(options.effort, version),
      ...systemPromptArguments(options, context, files),
      ...conversationArguments(options, context.home),
      ...options.arguments,
    ],
    environment: {
      // No update check, no download of tools, no catalog refresh, no install report.
      PI_OFFLINE: '1',
      PI_SKIP_VERSION_CHECK: '1',
      PI_TELEMETRY: '0',
      ...(context.home !== undefined && {
        PI_CODING_AGENT_DIR: context.home,
        // An ambient one would take the transcripts elsewhere.
        PI_CODING_AGENT_SESSION_DIR: '',
      }),
      ...endpoint?.environment,
    },
    files: files.planned,
    // SIGINT leaves tool shells behind, SIGTERM takes them along (0.73.1).
    firstSignal: 'SIGTERM',
  }
}

/** The files of one turn, with the absolute paths that the arguments need. */
class Files {
  readonly planned: PlannedFile[] = []
  readonly #directory: string

  constructor(directory: string) {
    this.#directory = directory
  }

  plan(file: PlannedFile): string {
    this.planned.push(file)
    return `${this.#directory}/${file.path}`
  }
}

function endpointOf(options: ProcessOptions, context: LaunchContext) {
  const { endpoint, model, effort } = options
  if (!endpoint) return undefined
  if (context.home === undefined) {
    throw new AgentError('unsupported', "pi-cli cannot use `endpoint` with home: 'user'.", {
      hint: 'pi reads its providers from its configuration directory: leave `home` out.',
    })
  }
  const thinks = effort !== undefined && thinkingLevel(effort, context.version) !== 'off'
  return planEndpoint(endpoint, model, thinks, context.version)
}

function settingsFile(options: ProcessOptions, version: string): PlannedFile {
  const settings = {
    enableInstallTelemetry: false,
    ...(piHas('projectTrust', version) && { defaultProjectTrust: 'never' }),
    ...(options.projectConfiguration === 'trust' && withoutUserSkills),
    ...options.configuration,
  }
  return { path: 'settings.json', content: json(settings) }
}

function effortArguments(effort: string | undefined, version: string): string[] {
  return effort === undefined ? [] : ['--thinking', thinkingLevel(effort, version)]
}

function thinkingLevel(effort: string, version: string): string {
  if (effort === 'none') return 'off'
  return effort === 'max' && !piHas('maxThinking', version) ? 'xhigh' : effort
}

/**
 * As files: nothing long sits on argv, and a text that happens to be the name of a file is not replaced by that file. Where pi
 * cannot be told to distrust the project, an empty text keeps its `.pi/SYSTEM.md` and `.pi/APPEND_SYSTEM.md` out.
 */
function systemPromptArguments(options: ProcessOptions, context: LaunchContext, files: Files): string[] {
  const { append, replace } = options.systemPrompt
  const isKeptOut =
    options.projectConfiguration === 'ignore' &&
    context.home !== undefined &&
    !piHas('projectTrust', context.version)
  const nothing = isKeptOut ? '' : undefined
  const flag = (name: string, text: string | undefined): string[] => {
    const value = text ? files.plan({ path: `${name}.md`, content: text }) : nothing
    return value === undefined ? [] : [`--${name}`, value]
  }
  return [...flag('system-prompt', replace), ...flag('append-system-prompt', append)]
}

/** By id, never `--session-id`, which makes a fresh conversation of an unknown id. */
function conversationArguments({ cwd, resume, fork }: ProcessOptions, home: string | undefined): string[] {
  if (resume === undefined) return conversationDirectory(cwd, home)
  if (!/^[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?$/.test(resume) || resume.endsWith('.jsonl')) {
    throw new AgentError(
      'invalid_options',
      `\`resume\` is no id of a pi conversation: "${shortened(resume)}".`,
      {
        hint: 'Give the sessionId of an earlier `session` event.',
      },
    )
  }
  // A fork may come from another directory, where 1.6 only looks when it is not told where to keep it.
  return fork ? ['--fork', resume] : [...conversationDirectory(cwd, home), '--session', resume]
}

/** Where pi would keep them itself, said aloud: a `sessionDir` in the project's settings counts even with `--no-approve` (1.6.0). */
function conversationDirectory(cwd: string, home: string | undefined): string[] {
  if (home === undefined) return []
  const name = cwd.replace(/^[/\\]/, '').replace(/[/\\:]/g, '-')
  return ['--session-dir', `${home}/sessions/--${name}--`]
}

const imageTypes: Readonly<Record<string, string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/gif': 'gif',
  'image/webp': 'webp',
}

/** pi adds the name of each file to the end of the prompt. */
function imageArguments(prompt: readonly PromptPart[], files: Files): string[] {
  const images = prompt.filter((part) => part.type === 'image')
  return images.map((image, index) => {
    const extension = imageTypes[image.mimeType]
    if (extension === undefined) {
      throw new AgentError('unsupported', `pi-cli cannot send an image of type ${image.mimeType}.`, {
        hint: `Use one of ${Object.keys(imageTypes).join(', ')}.`,
      })
    }
    const path = `image-${index + 1}.${extension}`
    return `@${files.plan({ path, content: image.data, encoding: 'base64' })}`
  })
}
