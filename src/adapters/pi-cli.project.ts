import { AgentError } from '../errors.ts'
import type { LaunchOptions, LiveLaunchOptions } from '../options/turn-options.ts'
import { asObject } from '../protocol/narrow.ts'
import type { LaunchContext } from './adapter.ts'
import { piHas, piHasSince } from './pi-cli.versions.ts'

type ProcessOptions = Omit<LiveLaunchOptions, 'approvals'>

/** The project's settings, which versions without project trust read in any case. */
export const projectSettingsFile = '.pi/settings.json'

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
  const settings = parse(surroundings?.consulted[projectSettingsFile])
  const found = programs.filter((name) => settings?.[name] !== undefined)
  if (found.length === 0) return
  throw new AgentError(
    'unsupported',
    `pi-cli ${version} cannot ignore ${found.join(' and ')} in the project's ${projectSettingsFile}, which needs ${piHasSince('projectTrust')}.`,
    { hint: "Update pi, take the setting out, or give projectConfiguration: 'trust'." },
  )
}

function parse(text: string | undefined): Record<string, unknown> | undefined {
  try {
    return asObject(JSON.parse(text ?? ''))
  } catch {
    return undefined // nor would pi read it
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

/** Whether a prompt that begins with / may run something: of a trusted project, or of what the caller's own arguments load. */
export function loadsCommands(
  options: Pick<LiveLaunchOptions, 'arguments' | 'projectConfiguration'>,
): boolean {
  return options.projectConfiguration === 'trust' || options.arguments.some((word) => loading.test(word))
}

/**
 * pi trims a prompt that comes by stdin, so that no space keeps it from beginning with a /; a zero-width one, which no trimming
 * takes, does.
 */
export function literalPrompt(options: LaunchOptions): string {
  const text = options.prompt.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')
  return loadsCommands(options) && text.trimStart().startsWith('/') ? `\u200b${text}` : text
}
