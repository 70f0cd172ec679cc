import type { Issue } from '../errors.ts'
import { bridgeShell } from './native-shell.ts'
import type { RuntimeProfile } from './profile.ts'
import type { ReadProfile } from './read-profile.ts'

/** The variables that hold the route; a system prompt that names one of them tells the agent of it. */
const routes = /\bMCP_(?:API_URL|MCP|CUSTOM|VIRTUAL)\b/

const lists = ['enabled', 'additionalBridge'] as const

type IsWrong = ReadProfile['isWrong']

/** What contradicts itself in a profile, for any CLI: all of it. */
export function contradictionsIn(profile: RuntimeProfile, isWrong: IsWrong): Issue[] {
  return [...nameIssues(profile, isWrong), ...modeIssues(profile, isWrong), ...shellIssues(profile, isWrong)]
}

function nameIssues({ tools }: RuntimeProfile, isWrong: IsWrong): Issue[] {
  const seen = new Set<string>()
  return lists.flatMap((list) =>
    (tools[list] ?? []).flatMap((name, index): Issue[] => {
      const path = `tools.${list}.${index}`
      if (isWrong(path)) return []
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

function modeIssues({ agentTools, tools }: RuntimeProfile, isWrong: IsWrong): Issue[] {
  if (agentTools.mode !== 'hybrid' || isWrong('tools.enabled')) return []
  if ((tools.enabled ?? []).some((name) => name.trim() !== '')) return []
  return [
    {
      path: 'tools.enabled',
      message: "agentTools.mode 'hybrid' needs an allow-list.",
      fix: "Name the tools in `tools.enabled`, or use 'mcp_only'.",
    },
  ]
}

function shellIssues(
  { agentTools, apiTransport, tools, systemPrompt }: RuntimeProfile,
  isWrong: IsWrong,
): Issue[] {
  if (apiTransport.mode !== 'native_shell') return []
  const issues: Issue[] = []
  if (agentTools.mode !== 'hybrid' && !isWrong('agentTools.mode')) {
    issues.push({
      path: 'apiTransport.mode',
      message: `'native_shell' needs the CLI's own shell, which agentTools.mode '${agentTools.mode}' takes away.`,
      fix: "Use agentTools.mode 'hybrid', or apiTransport.mode 'bridge_shell'.",
    })
  }
  for (const list of lists) {
    for (const [index, name] of (tools[list] ?? []).entries()) {
      if (name.trim().split('/').at(-1) !== bridgeShell) continue
      issues.push({
        path: `tools.${list}.${index}`,
        message: "'native_shell' and the tool execute_shell_command exclude each other.",
        fix: "Take the tool out, or use apiTransport.mode 'bridge_shell'.",
      })
    }
  }
  if (!routes.test(wordsOf(systemPrompt)) && !isWrong('systemPrompt')) {
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
