import { AgentError } from '../errors.ts'
import { invalid } from './faults.ts'
import type { ParsedOptions } from './schema.ts'

/** What a shell needs to reach the product: the routes, and the header that opens them. */
export const shellRoute = ['MCP_API_URL', 'MCP_MCP', 'MCP_CUSTOM', 'MCP_VIRTUAL', 'MCP_AUTH'] as const

/**
 * Refuses a turn whose shell would look for a product that it cannot reach: its agent would report an outage.
 *
 * @throws AgentError `bridge_environment_incomplete`, naming what is missing; `invalid_options` for what leaves no shell
 */
export function refuseIncompleteShell({ apiTransport, tools, scope, bridge, network }: ParsedOptions): void {
  if (apiTransport !== 'native_shell') return
  if (tools?.mode === 'mcp_only') {
    throw invalid(
      "apiTransport 'native_shell' needs the CLI's own shell, which tools.mode 'mcp_only' takes away",
      "Use tools.mode 'hybrid'.",
    )
  }
  if (tools?.allow?.includes('execute_shell_command')) {
    throw invalid(
      "apiTransport 'native_shell' and the tool execute_shell_command exclude each other",
      'Take it out of tools.allow.',
    )
  }
  if (network === false) {
    throw invalid("apiTransport 'native_shell' needs the network that network: false takes away")
  }
  const given = new Set(
    Object.entries(scope ?? {}).flatMap(([name, value]) => (value.trim() === '' ? [] : [name.trim()])),
  )
  const missing = shellRoute.filter((name) => !given.has(name))
  const isServed = (bridge ?? []).length > 0 && missing.length === shellRoute.length
  if (missing.length === 0 || isServed) return
  throw new AgentError(
    'bridge_environment_incomplete',
    `apiTransport 'native_shell' lacks ${missing.join(', ')}.`,
    { hint: 'Give all that deriveBridgeVariables() returns as `scope`, or `bridge` and none of them.' },
  )
}
