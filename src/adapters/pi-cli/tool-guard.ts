import type { PlannedFile } from '../adapter.ts'

/** What the guard says before it ends pi, with a code of ours. */
export const guardWords = /^coxswain: (mcp_unavailable|policy_violation): (.+)$/m

/**
 * An extension that keeps pi from asking the model without the tools of its MCP servers: pi waits for them for at most ten seconds,
 * and for one that failed not at all, and says nothing of either in `--mode json` (1.6.0). What it would tell a person of those that
 * failed is heard where it is said (0.99.1 to 1.6.0).
 *
 * @param wanted how long to wait for each tool at most, in milliseconds, by pi's name for it
 * @param only nothing else may be offered
 */
export function toolGuard(wanted: Readonly<Record<string, number>>, only: boolean): PlannedFile {
  const content = `// Ends pi before it asks the model, unless the model gets the tools of this turn's MCP servers.
import { setTimeout as wait } from 'node:timers/promises'

const wanted = ${JSON.stringify(wanted)}
const only = ${only}

/** By the beginning of its tools' names, what pi says of a server that failed. */
const failed = new Map()

/** "MCP servers need attention:", and a line for each. */
function hear(text) {
  const [first, ...lines] = String(text).split('\\n')
  if (!first.startsWith('MCP servers need attention')) return
  for (const line of lines) {
    const [, server, state] = /^ +([\\w-]+): (.+)$/.exec(line) ?? []
    if (server) failed.set('mcp__' + server.replaceAll('-', '_') + '__', server + ': ' + state)
  }
}

export default function (pi) {
  const failuresOf = (names) =>
    [...failed].filter(([start]) => names.some((name) => name.startsWith(start))).map(([, words]) => words)
  const missing = () => {
    const active = new Set(pi.getActiveTools())
    return Object.keys(wanted).filter((name) => !active.has(name))
  }
  const end = (code, words) => {
    process.stderr.write(\`coxswain: \${code}: \${words}\\n\`)
    process.exit(1)
  }
  pi.on('session_start', (_event, context) => {
    const ui = context?.ui
    const notify = ui?.notify
    if (typeof notify !== 'function') return
    ui.notify = (text, ...rest) => {
      hear(text)
      return notify.call(ui, text, ...rest)
    }
  })
  pi.on('before_agent_start', async (_event, context) => {
    for (let waited = 0; ; waited += 50) {
      const lost = missing()
      if (failuresOf(lost).length > 0 || lost.every((name) => waited >= wanted[name])) return
      if (context?.signal?.aborted) return
      await wait(50)
    }
  })
  // Not before: until then pi itself may wait.
  pi.on('agent_start', () => {
    const lost = missing()
    const why = failuresOf(lost).map((words) => \` (\${words})\`)
    if (lost.length > 0) end('mcp_unavailable', lost.join(', ') + why.join(''))
    const more = only ? pi.getActiveTools().filter((name) => !Object.hasOwn(wanted, name)) : []
    if (more.length > 0) end('policy_violation', more.join(', '))
  })
}
`
  return { path: 'coxswain-tools.mjs', content }
}
