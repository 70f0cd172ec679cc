import { AgentError } from '../../errors.ts'
import type { JsonObject } from '../../protocol/narrow.ts'
import type { LiveLaunchOptions } from '../launch-options.ts'
import { codexCan, codexFloor } from './versions.ts'

type Permissions = Pick<LiveLaunchOptions, 'approvals' | 'sandbox' | 'network' | 'tools'>
export type Sandbox = 'read-only' | 'workspace-write' | 'off'

export const sandboxModes: Readonly<Record<Sandbox, string>> = {
  'read-only': 'read-only',
  'workspace-write': 'workspace-write',
  off: 'danger-full-access',
}

/**
 * undefined: without a word codex exec takes its read-only sandbox, or what a user's own configuration says. In 'mcp_only' nothing
 * but `apply_patch` is left that it could hold back.
 */
export function sandboxOf(options: Permissions): Sandbox | undefined {
  if (options.tools.mode === 'mcp_only') return 'read-only'
  const implied = {
    deny: undefined,
    auto: 'workspace-write',
    'approve-all': 'off',
    // What was allowed must be able to run: under read-only, an approved command may still fail for it (0.171.0).
    host: 'workspace-write',
  } as const
  return options.sandbox ?? implied[options.approvals]
}

export function permissionSettings(options: Permissions, version: string): JsonObject {
  const { approvals, network, tools } = options
  const sandbox = sandboxOf(options)
  if (approvals === 'auto' && codexCan('autoReview', version) === false) {
    throw new AgentError(
      'unsupported',
      `codex ${version} has no reviewer of its own for approvals: 'auto'.`,
      {
        hint: `Use codex ${codexFloor('autoReview')} or newer, or approvals: 'deny'.`,
      },
    )
  }
  // Nothing is left that could use a network, nor ask for more than it has.
  if (tools.mode === 'mcp_only') return { approval_policy: 'never', sandbox_mode: sandboxModes['read-only'] }
  throwForNetwork(sandbox ?? 'read-only', network)
  return {
    approval_policy: approvals === 'auto' || approvals === 'host' ? 'on-request' : 'never',
    ...(approvals === 'auto' && { approvals_reviewer: 'auto_review' }),
    ...(approvals === 'host' && questions),
    ...(sandbox !== undefined && { sandbox_mode: sandboxModes[sandbox] }),
    ...(sandbox === 'workspace-write' &&
      network !== undefined && { sandbox_workspace_write: { network_access: network } }),
  }
}

/** Without it codex itself answers the model that nobody can be asked ("request_user_input is unavailable in Default mode"). */
const questions: JsonObject = {
  features: { default_mode_request_user_input: true },
  suppress_unstable_features_warning: true,
}

function throwForNetwork(sandbox: Sandbox, network: boolean | undefined): void {
  const wanted = sandbox === 'off' ? network === false : sandbox === 'read-only' && network === true
  if (!wanted) return
  throw new AgentError(
    'unsupported',
    `codex cannot honour network: ${network} with ${sandbox === 'off' ? 'no sandbox' : 'a read-only sandbox'}.`,
    { hint: "Give sandbox: 'workspace-write', where the network can be switched, or leave network out." },
  )
}

/**
 * For app-server. 'host': whatever codex does not know to be harmless is asked; 'on-request' would leave it to the model what is.
 * Only here, for 0.171 takes the word no more in its configuration.
 */
const approvalPolicies = {
  deny: 'never',
  auto: 'on-request',
  'approve-all': 'never',
  host: 'untrusted',
} as const satisfies Record<LiveLaunchOptions['approvals'], string>

/** In 'mcp_only' a host is asked about the tools of its servers, never whether `apply_patch` may write all the same. */
export function approvalPolicy({ approvals, tools }: Permissions, version: string): unknown {
  if (tools.mode !== 'mcp_only') return approvalPolicies[approvals]
  if (approvals !== 'host') return 'never'
  const asks = { sandbox_approval: false, rules: false, skill_approval: false, request_permissions: false }
  return codexCan('asksByKind', version) === false
    ? { reject: { sandbox_approval: true, rules: true, mcp_elicitations: false } }
    : { granular: { ...asks, mcp_elicitations: true } }
}
