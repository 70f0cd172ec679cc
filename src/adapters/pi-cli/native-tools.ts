import type { NativeTool } from '../native-tool.ts'

/** Every tool that 0.63.2 to 1.6.0 register. What is not among `piDefaultTools` is offered only where something asks for it. */
export const piNativeTools: readonly NativeTool[] = [
  { name: 'read', kind: 'read' },
  { name: 'bash', kind: 'shell' },
  { name: 'edit', kind: 'edit' },
  { name: 'write', kind: 'edit' },
  { name: 'grep', kind: 'read' },
  { name: 'find', kind: 'read' },
  { name: 'ls', kind: 'read' },
  { name: 'powershell', kind: 'shell' },
  // Those of the built-in extensions. A script reaches the other tools, none that is not there.
  { name: 'codemode', kind: 'other' },
  { name: 'tool_search', kind: 'mcp' },
  { name: 'list_mcp_resources', kind: 'mcp' },
  { name: 'list_mcp_resource_templates', kind: 'mcp' },
  { name: 'read_mcp_resource', kind: 'mcp' },
]

export const piToolNames: readonly string[] = piNativeTools.map(({ name }) => name)

/** What a turn that says nothing of tools has (0.63.2 to 1.6.0). */
export const piDefaultTools: readonly string[] = ['read', 'bash', 'edit', 'write']

/** Tools of the built-in extensions, which `--no-extensions` turns off unless they are named. */
export const piToolExtensions: Readonly<Record<string, string>> = {
  codemode: 'builtin:codemode',
  tool_search: 'builtin:tool-search',
}
