import type { PlannedFile } from './adapter.ts'

/** What the guard says before it ends pi, with a code of ours. */
export const guardWords = /^coxswain: (mcp_unavailable|policy_violation): (.+)$/m

/**
 * An extension that keeps pi from asking the model without the tools of its MCP servers: pi waits for them for at most ten seconds,
 * and for one that failed not at all, and says nothing of either in `--mode json` (1.6.0).
 *
 * @param wanted how long to wait for each tool, in milliseconds, by pi's name for it
 * @param only nothing else may be offered
 */
export function toolGuard(wanted: Readonly<Record<string, number>>, only: boolean): PlannedFile {
  const content = `// Ends pi before it asks the model, unless the model gets the tools of this turn's MCP servers.
import { setTimeout as wait } from 'node:timers/promises'

const wanted = ${JSON.stringify(wanted)}
const only = ${only}

export default function (pi) {
  const missing = () => {
    const active = pi.getActiveTools()
    return Object.keys(wanted).filter((name) => !active.includes(name))
  }
  const end = (code, words) => {
    process.stderr.write(\`coxswain: \${code}: \${words}\\n\`)
    process.exit(1)
  }
  pi.on('before_agent_start', async (_event, context) => {
    for (let waited = 0; missing().some((name) => waited < wanted[name]); waited += 50) {
      if (context?.signal?.aborted) return
      await wait(50)
    }
  })
  // Not before: until then pi itself may wait.
  pi.on('agent_start', () => {
    const lost = missing()
    if (lost.length > 0) end('mcp_unavailable', lost.join(', '))
    const more = only ? pi.getActiveTools().filter((name) => !Object.hasOwn(wanted, name)) : []
    if (more.length > 0) end('policy_violation', more.join(', '))
  })
}
`
  return { path: 'coxswain-tools.mjs', content }
}
