import type { BridgeTool } from '../../src/bridge.ts'

/** What somebody tries who can reach the port, and what a careless function does. */

/** Says which calls came through. */
export function counting() {
  const calls: unknown[] = []
  const tool: BridgeTool = {
    name: 'count',
    description: 'Counts.',
    input: { type: 'object' },
    execute: (input) => {
      calls.push(input)
      return 'Counted.'
    },
  }
  return { tool, calls }
}
