import type { Adapter } from '../adapters/adapter.ts'
import { type Issue, isAgentError } from '../errors.ts'
import { bridgeShell, canRunShell, hintFor } from './native-shell.ts'
import type { RuntimeProfile } from './profile.ts'
import { capabilitiesOn, resolveTransport, type TransportChoice } from './transport.ts'

/** The variables that hold the route; a system prompt that names one of them tells the agent of it. */
const routes = /\bMCP_(?:API_URL|MCP|CUSTOM|VIRTUAL)\b/

/** What contradicts itself in a profile, for any CLI: all of it. */
export function contradictionsIn(profile: RuntimeProfile): Issue[] {
  return [...nameIssues(profile), ...modeIssues(profile), ...shellIssues(profile)]
}

/** What this CLI, in this version, cannot do of it. */
export function limitsOn(adapter: Adapter, profile: RuntimeProfile, version: string | undefined): Issue[] {
  const { transport, issues } = transportOf(adapter, profile, version)
  if (!transport) return issues
  const { toolModes, approvals, mcpServers, nativeShell } = capabilitiesOn(adapter, transport)
  const { mode } = profile.agentTools
  if (!toolModes.includes(mode) || mcpServers.length === 0) {
    issues.push({
      path: 'agentTools.mode',
      message: `${adapter.id} cannot keep its model to '${mode}'.`,
      fix: `Use ${toolModes.includes('hybrid') && mcpServers.length > 0 ? "'hybrid' here, or " : ''}another CLI.`,
    })
  }
  if (profile.approvals !== 'host' && !approvals.includes(profile.approvals)) {
    issues.push({
      path: 'approvals',
      message: `${adapter.id} does not support approvals: '${profile.approvals}'.`,
      fix: `Use ${approvals.map((word) => `'${word}'`).join(', ')}.`,
    })
  }
  if (profile.apiTransport.mode === 'native_shell' && !canRunShell(nativeShell, profile.approvals)) {
    issues.push({
      path: 'apiTransport.mode',
      message: `The shell of ${adapter.id} reaches nothing under approvals: '${profile.approvals}'.`,
      fix: hintFor(nativeShell),
    })
  }
  return issues
}

/** `auto` is resolved first: what it comes to decides whether input can be taken. */
function transportOf(
  adapter: Adapter,
  { transport, liveInput, approvals }: RuntimeProfile,
  version: string | undefined,
): { transport?: TransportChoice['transport']; issues: Issue[] } {
  try {
    return {
      transport: resolveTransport(adapter, { transport, liveInput, approvals }, version).transport,
      issues: [],
    }
  } catch (error) {
    if (!isAgentError(error)) throw error
    const path =
      transport === 'tmux'
        ? 'transport'
        : liveInput === 'required'
          ? 'liveInput'
          : approvals === 'host'
            ? 'approvals'
            : 'transport'
    return {
      issues: [{ path, message: error.message, ...(error.hint !== undefined && { fix: error.hint }) }],
    }
  }
}

function nameIssues({ tools }: RuntimeProfile): Issue[] {
  const seen = new Set<string>()
  return (['enabled', 'additionalBridge'] as const).flatMap((list) =>
    (tools[list] ?? []).flatMap((name, index): Issue[] => {
      const path = `tools.${list}.${index}`
      if (name.trim() === '') {
        return [{ path, message: 'The name of a tool is blank.', fix: 'Take the entry out.' }]
      }
      if (seen.has(name.trim())) {
        return [
          { path, message: `The tool ${JSON.stringify(name.trim())} is named twice.`, fix: 'Name it once.' },
        ]
      }
      seen.add(name.trim())
      return []
    }),
  )
}

function modeIssues({ agentTools, tools }: RuntimeProfile): Issue[] {
  if (agentTools.mode !== 'hybrid' || (tools.enabled ?? []).some((name) => name.trim() !== '')) return []
  return [
    {
      path: 'tools.enabled',
      message: "agentTools.mode 'hybrid' needs an allow-list.",
      fix: "Name the tools in `tools.enabled`, or use 'mcp_only'.",
    },
  ]
}

function shellIssues({ agentTools, apiTransport, tools, systemPrompt }: RuntimeProfile): Issue[] {
  if (apiTransport.mode !== 'native_shell') return []
  const issues: Issue[] = []
  if (agentTools.mode !== 'hybrid') {
    issues.push({
      path: 'apiTransport.mode',
      message: `'native_shell' needs the CLI's own shell, which agentTools.mode '${agentTools.mode}' takes away.`,
      fix: "Use agentTools.mode 'hybrid', or apiTransport.mode 'bridge_shell'.",
    })
  }
  for (const list of ['enabled', 'additionalBridge'] as const) {
    const index = (tools[list] ?? []).findIndex((name) => name.trim().split('/').at(-1) === bridgeShell)
    if (index === -1) continue
    issues.push({
      path: `tools.${list}.${index}`,
      message: "'native_shell' and the tool execute_shell_command exclude each other.",
      fix: "Take the tool out, or use apiTransport.mode 'bridge_shell'.",
    })
  }
  if (!routes.test(wordsOf(systemPrompt))) {
    issues.push({
      path: 'systemPrompt',
      message: "'native_shell' needs a system prompt that names the route.",
      fix: 'Say in it how to call $MCP_CUSTOM (or MCP_API_URL, MCP_MCP, MCP_VIRTUAL) with $MCP_AUTH.',
    })
  }
  return issues
}

function wordsOf(systemPrompt: RuntimeProfile['systemPrompt']): string {
  if (typeof systemPrompt === 'string') return systemPrompt
  return `${systemPrompt?.replace ?? ''}\n${systemPrompt?.append ?? ''}`
}
