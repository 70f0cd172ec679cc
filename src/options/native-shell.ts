import type { Adapter } from '../adapters/adapter.ts'
import { shellRoute } from '../env/policy.ts'
import { AgentError } from '../errors.ts'
import { invalid } from './faults.ts'
import type { ParsedOptions } from './schema.ts'
import { admitsNativeTool, toolPolicyOf } from './tool-policy.ts'
import { capabilitiesOn, type TransportChoice } from './transport.ts'

/** The tool by which a bridge runs commands: another way to the same end. */
export const bridgeShell = 'execute_shell_command'

/**
 * Refuses a turn whose shell would look for a product that it cannot reach: its agent would report an outage.
 *
 * @throws AgentError `bridge_environment_incomplete`, naming what is missing; `unsupported` where the shell of that CLI reaches
 *   nothing under these options; `invalid_options` for what leaves no shell
 */
export function refuseIncompleteShell(
  adapter: Adapter,
  transport: TransportChoice['transport'],
  options: ParsedOptions,
): void {
  if (options.apiTransport !== 'native_shell') return
  const fault =
    faultOfShell(adapter, options) ??
    faultOfSecondShell(options) ??
    faultOfReach(adapter, transport, options) ??
    faultOfRoute(options)
  if (fault) throw fault
}

/** The policy leaves no shell of the CLI's own. */
export function faultOfShell(
  { id, nativeTools = [] }: Adapter,
  options: ParsedOptions,
): AgentError | undefined {
  const policy = toolPolicyOf(options)
  const known = nativeTools.map(({ name }) => name)
  const shells = nativeTools.filter(({ kind }) => kind === 'shell')
  const hasShell = shells.length === 0 || shells.some(({ name }) => admitsNativeTool(policy, name, known))
  if (policy.mode !== 'mcp_only' && hasShell) return undefined
  const why = policy.mode === 'mcp_only' ? "tools.mode 'mcp_only' takes" : 'tools.allow and tools.deny take'
  return invalid(
    `apiTransport 'native_shell' needs the shell of ${id}, which ${why} away`,
    "Use tools.mode 'hybrid', and leave the shell in.",
  )
}

function faultOfSecondShell({ tools, bridge = [] }: ParsedOptions): AgentError | undefined {
  const isDenied = [bridgeShell, `bridge/${bridgeShell}`].some((name) => tools?.deny?.includes(name))
  const isNamed = tools?.allow?.some((name) => name === bridgeShell || name.endsWith(`/${bridgeShell}`))
  const isServed = bridge.some(({ name }) => name === bridgeShell) && (!tools?.allow || isNamed) && !isDenied
  if (!isNamed && !isServed) return undefined
  return invalid(
    `apiTransport 'native_shell' and the tool ${bridgeShell} exclude each other`,
    'Take the tool out.',
  )
}

/** Its shell comes nowhere under these approvals, or out of no such sandbox. */
export function faultOfReach(
  adapter: Adapter,
  transport: TransportChoice['transport'],
  { approvals = 'deny', sandbox, network }: ParsedOptions,
): AgentError | undefined {
  const capabilities = capabilitiesOn(adapter, transport)
  if (!canRunShell(capabilities.nativeShell, approvals)) {
    return new AgentError(
      'unsupported',
      `${whyNoShell(adapter, capabilities.nativeShell, approvals)}, so apiTransport 'native_shell' cannot be used.`,
      { hint: hintFor(capabilities.nativeShell) },
    )
  }
  const isOpen = sandbox === 'off' || (sandbox === undefined && approvals === 'approve-all')
  if (capabilities.sandbox.length === 0 || isOpen || (sandbox === 'workspace-write' && network === true))
    return undefined
  return invalid(
    `apiTransport 'native_shell' needs a sandbox of ${adapter.id} that lets the shell out`,
    "Use sandbox: 'workspace-write' with network: true, or sandbox: 'off'.",
  )
}

/** A host may allow what would be denied without one. */
function canRunShell(nativeShell: readonly string[], approvals: unknown): boolean {
  if (approvals === 'host' || typeof approvals === 'function') return nativeShell.length > 0
  return typeof approvals === 'string' && nativeShell.includes(approvals)
}

/** What is the matter with its shell. An adapter that declares none says nothing of it: nobody has tried. */
function whyNoShell({ id }: Adapter, nativeShell: readonly string[], approvals: unknown): string {
  return nativeShell.length === 0
    ? `It is not known what the shell of ${id} reaches`
    : `The shell of ${id} reaches nothing with approvals: '${String(approvals)}'`
}

/** What to do where the shell reaches nothing. */
function hintFor(nativeShell: readonly string[]): string {
  return nativeShell.length === 0
    ? "Use 'bridge_shell' with this CLI."
    : `Use approvals ${nativeShell.map((word) => `'${word}'`).join(' or ')}, or 'bridge_shell'.`
}

function faultOfRoute({ scope = {}, bridge = [] }: ParsedOptions): AgentError | undefined {
  const given = Object.entries(scope).flatMap(([name, value]) => (value.trim() === '' ? [] : [name.trim()]))
  const missing = shellRoute.filter((name) => !given.includes(name))
  // One of a caller's own beside those of the bridge would be another session's.
  const isServed = bridge.length > 0 && !given.some((name) => name.startsWith('MCP_'))
  if (missing.length === 0 || isServed) return undefined
  return new AgentError(
    'bridge_environment_incomplete',
    `apiTransport 'native_shell' lacks ${missing.join(', ')}.`,
    { hint: 'Give all that deriveBridgeVariables() returns as `scope`, or `bridge` and none of them.' },
  )
}
