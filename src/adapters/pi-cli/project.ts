import { AgentError } from '../../errors.ts'
import { asObject } from '../../protocol/narrow.ts'
import type { LaunchContext } from '../adapter.ts'
import type { LaunchOptions, LiveLaunchOptions } from '../launch-options.ts'
import { piHas, piHasSince } from './versions.ts'

type ProcessOptions = Omit<LiveLaunchOptions, 'approvals'>

/** The project's settings, which versions without project trust read in any case. */
export const projectSettingsFile = '.pi/settings.json'

/** The MCP servers of a project. */
export const projectServersFile = '.pi/mcp.json'

/** Project settings that run a program, or something before each command. */
const programs = ['shellPath', 'shellCommandPrefix', 'npmCommand'] as const

/** Whether what lies in the project's `.pi` and `.agents` counts. */
export function projectArguments(options: ProcessOptions, context: LaunchContext): string[] {
  const hasTrust = piHas('projectTrust', context.version)
  if (options.projectConfiguration === 'trust') return hasTrust ? ['--approve'] : []
  if (!hasTrust) refusePrograms(context)
  return ['--no-extensions', '--no-skills', '--no-prompt-templates', ...(hasTrust ? ['--no-approve'] : [])]
}

function refusePrograms({ surroundings, version }: LaunchContext): void {
  const settings = readSettings(surroundings?.consulted[projectSettingsFile])
  const found = programs.filter((name) => settings?.[name] !== undefined)
  if (found.length === 0) return
  throw new AgentError(
    'unsupported',
    `pi-cli ${version} cannot ignore ${found.join(' and ')} in the project's ${projectSettingsFile}, which needs ${piHasSince('projectTrust')}.`,
    { hint: "Update pi, take the setting out, or give projectConfiguration: 'trust'." },
  )
}

/** undefined for what pi would not read either. */
export function readSettings(text: string | undefined): Record<string, unknown> | undefined {
  try {
    return asObject(JSON.parse(text ?? ''))
  } catch {
    return undefined
  }
}

/** Skills below HOME would come along with the project's into a private home. The project's own list is another setting. */
export const withoutUserSkills = { skills: ['!**', '!**/.*'] }

export function projectInstructionsArguments(options: ProcessOptions, version: string): string[] {
  if (options.projectInstructions) return []
  if (piHas('contextFilesFlag', version)) return ['--no-context-files']
  throw new AgentError(
    'unsupported',
    `pi-cli ${version} cannot honour projectInstructions: false, which needs ${piHasSince('contextFilesFlag')}.`,
    { hint: 'Update pi, or leave the option out.' },
  )
}

const loading = /^(?:-e|--extension|--skill|--prompt-template)(?:=|$)/
const loadingExtensions = /^(?:-e|--extension)(?:=|$)/

/** What decides it. */
export type Loading = Pick<LiveLaunchOptions, 'arguments' | 'projectConfiguration' | 'mcpServers'>

/**
 * Whether a prompt that begins with / may run something: of a trusted project, of what the caller's own arguments load, or `/mcp`,
 * which pi has with its MCP.
 */
export function loadsCommands(options: Loading): boolean {
  return (
    options.projectConfiguration === 'trust' ||
    Object.keys(options.mcpServers).length > 0 ||
    options.arguments.some((word) => loading.test(word))
  )
}

/** Whether extensions may bring tools of their own. */
export function loadsExtensions(options: Omit<Loading, 'mcpServers'>): boolean {
  return (
    options.projectConfiguration === 'trust' || options.arguments.some((word) => loadingExtensions.test(word))
  )
}

/**
 * pi trims a prompt that comes by stdin, so that no space keeps it from beginning with a /; a zero-width one, which no trimming
 * takes, does.
 */
export function literalPrompt(options: LaunchOptions): string {
  const text = options.prompt.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')
  return loadsCommands(options) && text.trimStart().startsWith('/') ? `\u200b${text}` : text
}
