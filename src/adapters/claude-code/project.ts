import { posix } from 'node:path'
import { asObject } from '../../protocol/narrow.ts'
import type { LaunchContext, PlannedFile } from '../adapter.ts'
import type { LiveLaunchOptions } from '../launch-options.ts'
import { claudeHas } from './versions.ts'

const settingsFile = 'coxswain-settings.json'

/** What the launch gets from here. */
export interface ProjectShare {
  arguments: string[]
  environment: Record<string, string>
  files: PlannedFile[]
}

/**
 * Whose settings, hooks, servers and instructions count: the generated ones, those that lie in a home of the caller's choice, and
 * the project's where it is trusted. `-p` skips claude's trust dialog, so that all it is not told to leave alone just runs.
 *
 * @param ofTools what the tools of the turn add to the generated settings
 */
export function projectShare(
  options: LiveLaunchOptions,
  context: LaunchContext,
  ofTools: Readonly<Record<string, unknown>> = {},
): ProjectShare {
  const isTrusted = options.projectConfiguration === 'trust'
  const told = isTrusted ? trustedInstructions(options) : instructions(options, context)
  const settings = { ...settingsOf(options, context), ...ofTools }
  const isEmpty = Object.keys(settings).length === 0
  return {
    arguments: [
      ...(hasSources(context) ? ['--setting-sources', sources(options, context).join(',')] : []),
      ...(isTrusted && options.tools.mode !== 'mcp_only' ? [] : ['--strict-mcp-config']),
      ...(isEmpty ? [] : ['--settings', posix.join(context.directory, settingsFile)]),
      ...told.arguments,
    ],
    environment: told.environment,
    files: [
      ...(isEmpty ? [] : [{ path: settingsFile, content: `${JSON.stringify(settings, undefined, 2)}\n` }]),
      ...told.files,
    ],
  }
}

function hasSources({ version }: LaunchContext): boolean {
  return claudeHas('settingSources', version) !== false
}

function sources(options: LiveLaunchOptions, context: LaunchContext): string[] {
  const readsHome = options.home !== 'private' || importsInstructions(options, context)
  return [
    ...(readsHome ? ['user'] : []),
    ...(options.projectConfiguration === 'trust' ? ['project', 'local'] : []),
  ]
}

function settingsOf(options: LiveLaunchOptions, context: LaunchContext): Record<string, unknown> {
  const { configuration, projectConfiguration } = options
  // claude asks for each server of .mcp.json where it can, and leaves it out where it cannot (1.0.124).
  if (projectConfiguration === 'trust') {
    return { ...configuration, ...destination(options, context), enableAllProjectMcpServers: true }
  }
  return hasSources(context) ? configuration : { ...configuration, disableAllHooks: true }
}

/** Where requests go is not for the project's own settings to say, whose `env` beats the environment (1.0.124 to 2.1.332). */
function destination({ endpoint, configuration }: LiveLaunchOptions, { forwarders = {} }: LaunchContext) {
  const [url = endpoint?.url] = Object.values(forwarders)
  return url === undefined ? {} : { env: { ...asObject(configuration.env), ANTHROPIC_BASE_URL: url } }
}

const nothing: ProjectShare = { arguments: [], environment: {}, files: [] }
const withoutInstructions: ProjectShare = {
  ...nothing,
  environment: { CLAUDE_CODE_DISABLE_CLAUDE_MDS: '1' },
}

/** claude reads them itself, with the rest of the project. */
function trustedInstructions({ projectInstructions }: LiveLaunchOptions): ProjectShare {
  return projectInstructions ? nothing : withoutInstructions
}

/** The project's CLAUDE.md and its like, which go with the project's settings, alone. */
function instructions(options: LiveLaunchOptions, context: LaunchContext): ProjectShare {
  if (!options.projectInstructions) {
    // 1.0 reads the project's instructions itself; a home of the caller's choice keeps its own.
    return hasSources(context) ? nothing : withoutInstructions
  }
  const readsAdded = claudeHas('additionalInstructions', context.version) !== false
  const imports = importsInstructions(options, context)
    ? [{ path: 'CLAUDE.md', content: importLines(options.cwd, context.realCwd, readsAdded) }]
    : []
  if (!readsAdded) return { ...nothing, files: imports }
  return {
    arguments: ['--add-dir', options.cwd],
    environment: { CLAUDE_CODE_ADDITIONAL_DIRECTORIES_CLAUDE_MD: '1' },
    files: imports,
  }
}

/** A private home's own CLAUDE.md can name the project's; a home of the caller's choice may hold one. */
function importsInstructions(options: LiveLaunchOptions, { version }: LaunchContext): boolean {
  return (
    options.projectConfiguration === 'ignore' &&
    options.projectInstructions &&
    options.home === 'private' &&
    claudeHas('settingSources', version) === true
  )
}

/** What claude itself would read, in its order: from the root down. A file that is not there is passed over. */
function importLines(cwd: string, realCwd: string | undefined, readsAdded: boolean): string {
  const directories = downTo(realCwd ?? cwd)
  const paths = directories.flatMap((directory, index) => {
    // --add-dir brings the working directory's own, its rules included.
    const isAdded = readsAdded && index === directories.length - 1
    const names = isAdded ? ['CLAUDE.local.md'] : ['CLAUDE.md', '.claude/CLAUDE.md', 'CLAUDE.local.md']
    return names.map((name) => posix.join(directory, name))
  })
  return paths.map((path) => `@${path.replaceAll(' ', '\\ ')}\n`).join('')
}

function downTo(directory: string): string[] {
  const above = posix.dirname(directory)
  return above === directory ? [directory] : [...downTo(above), directory]
}
