import { AgentError } from '../../errors.ts'
import { nativeLimit } from '../../options/tool-policy.ts'
import type { LiveLaunchOptions } from '../launch-options.ts'
import { piDefaultTools, piToolExtensions, piToolNames } from './native-tools.ts'
import { loadsExtensions } from './project.ts'
import { type PiFeature, piHas, piHasSince } from './versions.ts'

type Options = Pick<LiveLaunchOptions, 'tools' | 'arguments' | 'projectConfiguration'>

/**
 * The tools that pi may offer. `--tools` is a list of all that there are, an extension's and an MCP server's included;
 * `--exclude-tools` takes from what there would be.
 *
 * @param serverTools those of this turn's MCP servers, as pi calls them
 */
export function toolArguments(options: Options, version: string, serverTools: readonly string[]): string[] {
  const { tools } = options
  const limit = nativeLimit(tools, piToolNames)
  if (limit === undefined) return denialArguments(options, version)
  // 0.63.2 knows but its own tools in that list.
  refuseBesideExtensions(options, version, 'toolList')
  const names = [...limit, ...listedIn(serverTools)]
  const extensions = limit.flatMap((name) => (piHas('mcp', version) ? (piToolExtensions[name] ?? []) : []))
  return [
    ...extensions.flatMap((extension) => ['-e', extension]),
    ...(names.length === 0 ? ['--no-tools'] : ['--tools', names.join(',')]),
  ]
}

/** Linux takes 128 KiB in one word. */
const mostCharacters = 100_000

/** More than that are named by their servers: what of these is not admitted is hidden as it is (1.6.0). */
function listedIn(serverTools: readonly string[]): readonly string[] {
  if (serverTools.join(',').length <= mostCharacters) return serverTools
  return [...new Set(serverTools.map((name) => name.replace(/^(mcp__.+?__).*$/, '$1*')))]
}

function denialArguments(options: Options, version: string): string[] {
  const { deny } = options.tools
  // Others are a server's (`server/tool`), or would be patterns.
  const names = deny.filter((name) => /^[\w.-]+$/.test(name))
  if (names.length === 0) return []
  if (piHas('excludeTools', version)) return ['--exclude-tools', names.join(',')]
  refuseBesideExtensions(options, version, 'excludeTools')
  const left = piDefaultTools.filter((name) => !names.includes(name))
  return left.length === 0 ? ['--no-tools'] : ['--tools', left.join(',')]
}

function refuseBesideExtensions(options: Options, version: string, feature: PiFeature): void {
  if (piHas(feature, version) || !loadsExtensions(options)) return
  throw new AgentError(
    'unsupported',
    `pi-cli ${version} cannot keep to tools.allow and tools.deny where extensions bring tools of their own, which needs ${piHasSince(feature)}.`,
    { hint: "Update pi, or load none: projectConfiguration 'ignore', and no -e in `arguments`." },
  )
}
