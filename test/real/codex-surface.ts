import type { AgentEvent } from '../../src/index.ts'
import type { BridgeTool } from '../../src/options/bridge-tool.ts'
import type { Scenario, ToolCall } from '../../src/testing/scenario.ts'
import { realCli } from './clis.ts'

export const newest = realCli('codex-0.171')
export const older = realCli('codex-0.113')
export const oldest = realCli('codex-0.55')

export const tools = Array.from(
  { length: 14 },
  (_, index): BridgeTool => ({
    name: `tool_${index + 1}`,
    description: `Does the ${index + 1}th thing.`,
    input: { type: 'object', properties: { word: { type: 'string' } } },
    execute: ({ word }) => `did ${String(word)}`,
  }),
)

export const call = (name: string, word = 'it'): ToolCall => ({
  name: `mcp__bridge__${name}`,
  input: { word },
})
export const steps = (...calls: ToolCall[]): Scenario => [
  ...calls.map((each) => ({ toolCalls: [each] })),
  { text: 'Done.' },
]

export function toolEnds(events: readonly AgentEvent[]) {
  return events.flatMap((event) =>
    event.type === 'tool' && event.phase === 'end'
      ? [{ server: event.server, name: event.name, status: event.status }]
      : [],
  )
}
