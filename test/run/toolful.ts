import type { LaunchMcpServer, LaunchOptions } from '../../src/adapters/launch-options.ts'
import { defineAdapter } from '../../src/index.ts'
import { probe } from './probe.ts'

/** What the last launch got. */
export const launched: { mcpServers?: Readonly<Record<string, LaunchMcpServer>> } = {}

/** The tiny CLI with tools of its own and a place for servers: a file that TINY_MCP names. */
export const toolful = defineAdapter({
  ...probe,
  nativeTools: [
    { name: 'shell', kind: 'shell' },
    { name: 'look', kind: 'read' },
    { name: 'ponder', kind: 'plan', residual: 'It only thinks.' },
  ],
  capabilities: {
    ...probe.capabilities,
    mcpServers: ['stdio', 'http'],
    toolModes: ['native', 'hybrid', 'mcp_only'],
    nativeToolLists: true,
    nativeShell: ['deny'],
  },
  structured: {
    ...probe.structured,
    launch(options: LaunchOptions, context) {
      launched.mcpServers = options.mcpServers
      return {
        ...probe.structured.launch(options, context),
        environment: { TINY_MCP: `${context.directory}/mcp.json` },
        files: [{ path: 'mcp.json', content: JSON.stringify(options.mcpServers) }],
      }
    },
  },
})
