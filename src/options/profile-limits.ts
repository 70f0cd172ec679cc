import type { Adapter } from '../adapters/adapter.ts'
import { deriveBridgeVariables } from '../env/bridge-variables.ts'
import { type AgentError, type Issue, isAgentError } from '../errors.ts'
import { unsupportedIn } from './honoured.ts'
import { faultOfReach, faultOfShell } from './native-shell.ts'
import type { McpServer } from './option-parts.ts'
import type { RuntimeProfile } from './profile.ts'
import { likelyTransport, optionsOf } from './profile-options.ts'
import { rehearsedFault } from './rehearse.ts'
import { turnOptionsSchema } from './schema.ts'
import { capabilitiesOn, resolveTransport } from './transport.ts'
import type { TurnOptions } from './turn-options.ts'
import { faultOfVersion } from './version-floor.ts'

/**
 * What this CLI, in this version, cannot do of a profile: what the turn's own checks say of the options that come of it, with
 * something in the place of the servers that the profile leaves to the turn.
 */
export function limitsOn(adapter: Adapter, profile: RuntimeProfile, version: string | undefined): Issue[] {
  const tooOld = version === undefined ? undefined : faultOfVersion(adapter, version)
  if (tooOld) return [issueOf('', tooOld)]
  const options = turnOf(profile, adapter, version)
  const parsed = turnOptionsSchema.parse(options)
  const transport = likelyTransport(profile, adapter, version)
  const issues = transportIssues(adapter, profile, version)
  for (const { option, said, supported } of unsupportedIn(adapter, transport, parsed)) {
    const path = pathOf(option, profile)
    if (issues.some((issue) => issue.path === path)) continue
    const value = /: .*/.exec(said)?.[0] ?? ''
    issues.push({
      path,
      message: `${adapter.id} does not support ${option === 'mcpServers' ? 'MCP servers' : path + value}. Supported: ${supported}.`,
      fix: fixOf(path, adapter, profile),
    })
  }
  if (profile.apiTransport.mode === 'native_shell') {
    // Approvals that it does not have let nothing run, which needs no saying.
    const isSaid = issues.some(({ path }) => path === 'approvals')
    const reach = isSaid ? undefined : faultOfReach(adapter, transport, parsed)
    if (reach) issues.push(issueOf('apiTransport.mode', reach))
    const shell = profile.agentTools.mode === 'hybrid' ? faultOfShell(adapter, parsed) : undefined
    if (shell) issues.push({ ...issueOf('tools.enabled', shell), fix: 'Name its shell in `tools.enabled`.' })
  }
  return issues
}

/** What only the start itself would say: asked where nothing else is wrong. */
export function refusedAtStart(
  adapter: Adapter,
  profile: RuntimeProfile,
  version: string | undefined,
): Issue[] {
  const faultOf = (options: TurnOptions) => rehearsedFault(adapter, options, version)
  const whole = turnOf(profile, adapter, version)
  const fault = faultOf(whole)
  if (!fault) return []
  const { tools, systemPrompt: _, apiTransport: _shell, network: _open, sandbox: _box, ...rest } = whole
  const { mode = 'hybrid' } = tools ?? {}
  // The part without which it would start is the part that is wrong.
  const without: [string, TurnOptions][] = [
    ['tools.enabled', { ...whole, tools: { mode } }],
    ['systemPrompt', { ...whole, systemPrompt: {} }],
    ['apiTransport.mode', { ...rest, ...(tools && { tools }), systemPrompt: whole.systemPrompt ?? {} }],
    ['approvals', { ...whole, approvals: 'deny' }],
    ['agentTools.mode', { ...rest, tools: { mode: 'native' }, mcpServers: {} }],
    ['transport', { ...whole, transport: 'auto' }],
  ]
  const culprit = without.find(([, options]) => faultOf(options) === undefined)
  return [issueOf(culprit?.[0] ?? '', fault)]
}

function turnOf(profile: RuntimeProfile, adapter: Adapter, version: string | undefined): TurnOptions {
  const options = optionsOf(profile, adapter, version)
  const { mcpServers } = capabilitiesOn(adapter, likelyTransport(profile, adapter, version))
  const server: McpServer =
    mcpServers.includes('http') || mcpServers.length === 0
      ? { type: 'http', url: 'http://127.0.0.1:9' }
      : { type: 'stdio', command: 'server' }
  return {
    adapter,
    prompt: 'rehearsal',
    ...options,
    mcpServers: { bridge: server },
    ...(options.apiTransport === 'native_shell' && {
      scope: deriveBridgeVariables({ url: 'http://127.0.0.1:9', token: 'none', sessionId: 'none' }),
    }),
  }
}

/** `auto` is resolved first: what it comes to decides whether input can be taken. */
function transportIssues(
  adapter: Adapter,
  { transport, liveInput, approvals }: RuntimeProfile,
  version: string | undefined,
): Issue[] {
  try {
    resolveTransport(adapter, { transport, liveInput, approvals }, version)
    return []
  } catch (error) {
    if (!isAgentError(error)) throw error
    const needs = liveInput === 'required' ? 'liveInput' : approvals === 'host' ? 'approvals' : 'transport'
    return [issueOf(transport === 'tmux' ? 'transport' : needs, error)]
  }
}

/** Where in the profile an option of the turn's stands. */
function pathOf(option: string, { systemPrompt }: RuntimeProfile): string {
  if (option.startsWith('systemPrompt')) return typeof systemPrompt === 'string' ? 'systemPrompt' : option
  const paths: Readonly<Record<string, string>> = {
    'tools.mode': 'agentTools.mode',
    'tools.allow': 'tools.enabled',
    mcpServers: 'agentTools.mode',
    sandbox: 'apiTransport.mode',
    network: 'apiTransport.mode',
  }
  return paths[option] ?? option
}

function fixOf(path: string, adapter: Adapter, { agentTools }: RuntimeProfile): string {
  const { toolModes, mcpServers } = adapter.capabilities
  const hasHybrid = agentTools.mode === 'mcp_only' && toolModes.includes('hybrid') && mcpServers.length > 0
  if (path === 'agentTools.mode' && hasHybrid) return "Use 'hybrid' here, or another CLI."
  return 'Use what it supports, or another CLI.'
}

function issueOf(path: string, { message, hint }: AgentError): Issue {
  return { path, message, fix: hint ?? 'Use another CLI.' }
}
