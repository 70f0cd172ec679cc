import { AgentError } from '../../errors.ts'
import { nativeLimit } from '../../options/tool-policy.ts'
import type { JsonObject } from '../../protocol/narrow.ts'
import type { LaunchContext } from '../adapter.ts'
import type { LiveLaunchOptions } from '../launch-options.ts'
import { codexNativeTools, isHarmless, type ToolGroup, toolGroups } from './native-tools.ts'
import { sandboxOf } from './permissions.ts'
import { merge } from './toml.ts'
import { codexCan, codexFloor } from './versions.ts'

const names = codexNativeTools.map(({ name }) => name)

/** In 'hybrid' these are there only where `allow` names them, or somebody answers. */
const unattended = ['questions', 'agents', 'goals', 'clock']

/**
 * What gives the model the tools of the policy and no others of codex's own.
 *
 * @throws AgentError `unsupported`, by name, for what this version cannot take away
 */
export function toolSettings(options: LiveLaunchOptions, context: LaunchContext): JsonObject {
  const { tools: policy } = options
  refuseImpossible(options, context)
  const limit = nativeLimit(policy, names)
  const isOff = (group: ToolGroup): boolean => {
    if (isNamed(group, policy.deny)) return true
    if (limit) return !isNamed(group, limit)
    return policy.mode === 'hybrid' && options.approvals !== 'host' && unattended.includes(group.id)
  }
  const settings = toolGroups.filter(isOff).map(({ off }) => off(context.version) ?? {})
  if (policy.mode === 'mcp_only') settings.push(bare(context))
  return settings.reduce(merge, {})
}

/** No more of codex's own, whatever `configuration` says, and nothing for the JavaScript of the newest models to reach. */
function bare({ version }: LaunchContext): JsonObject {
  const off = ['apps', 'plugins', 'remote_plugin', 'tool_suggest', 'js_repl', 'request_permissions_tool']
  return {
    features: {
      ...Object.fromEntries(off.map((name) => [name, false])),
      default_mode_request_user_input: false,
      ...(codexCan('switchesTools', version) !== false && {
        code_mode: { enabled: false, excluded_tool_namespaces: ['functions', 'clock'] },
      }),
    },
  }
}

function refuseImpossible(options: LiveLaunchOptions, { home, version }: LaunchContext): void {
  const { tools: policy, projectConfiguration } = options
  const limit = nativeLimit(policy, names)
  if (policy.mode === 'mcp_only') {
    if (home === undefined) {
      throw unsupported(
        "tools.mode 'mcp_only' with home: 'user', whose MCP servers would be offered, too",
        'Use a private home.',
      )
    }
    if (projectConfiguration === 'trust') {
      throw unsupported(
        "tools.mode 'mcp_only' with projectConfiguration: 'trust', since the project's MCP servers would be offered, too",
        "Use projectConfiguration: 'ignore', or tools.mode 'hybrid'.",
      )
    }
  }
  const stuck = toolGroups.find(
    (group) => limit && !isNamed(group, limit) && group.off(version) === undefined && !isHarmless(group),
  )
  if (stuck) {
    const floor = codexFloor(codexCan('switchesShell', version) === false ? 'switchesShell' : 'switchesTools')
    throw unsupported(
      `tools without ${stuck.names[0]} on codex ${version}`,
      `Use codex ${floor} or newer${policy.mode === 'mcp_only' ? '' : `, or leave ${stuck.names[0]} among the tools`}.`,
    )
  }
  const denied = policy.deny.find((name) => names.includes(name) && !canRemove(name, version))
  if (denied !== undefined) {
    throw unsupported(
      `tools.deny with ${denied}, which codex ${version} cannot take away`,
      denied === 'apply_patch'
        ? "Use sandbox: 'read-only', under which it changes nothing."
        : `Leave it out: ${codexNativeTools.find(({ name }) => name === denied)?.residual ?? 'see the README'}.`,
    )
  }
  const sandbox = sandboxOf(options) ?? (home === undefined ? undefined : 'read-only')
  const mayWrite = sandbox !== 'read-only'
  // `apply_patch` stays with the models that have it: what keeps it from doing anything is the sandbox.
  if (limit && policy.mode !== 'mcp_only' && !limit.includes('apply_patch') && mayWrite) {
    throw unsupported(
      'tools.allow without apply_patch where the turn may write, since it cannot be taken away',
      "Allow apply_patch, or use sandbox: 'read-only', under which it changes nothing.",
    )
  }
}

function isNamed({ names: own }: ToolGroup, list: readonly string[]): boolean {
  return own.some((name) => list.includes(name))
}

function canRemove(tool: string, version: string): boolean {
  return toolGroups.some(({ names: own, off }) => own.includes(tool) && off(version) !== undefined)
}

function unsupported(what: string, hint: string): AgentError {
  return new AgentError('unsupported', `codex-cli does not support ${what}.`, { hint })
}
