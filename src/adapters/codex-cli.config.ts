import { posix } from 'node:path'
import { stringify } from 'smol-toml'
import { AgentError } from '../errors.ts'
import type { Endpoint, LaunchOptions } from '../options/turn-options.ts'
import { asObject, type JsonObject } from '../protocol/narrow.ts'
import { codexCan } from './codex-cli.versions.ts'

/** Carries the endpoint's credential, which a file and argv must not hold. */
export const endpointKeyVariable = 'COXSWAIN_ENDPOINT_KEY'

export function endpointHeaderVariable(index: number): string {
  return `COXSWAIN_ENDPOINT_HEADER_${index}`
}

/** The whole of a generated `config.toml`. */
export function renderConfiguration(
  options: LaunchOptions,
  version: string,
  instructionsPath: string,
): string {
  const settings = [defaults(), options.configuration, ownedSettings(options, version, instructionsPath)]
  return `${stringify(settings.reduce<JsonObject>(merge, {}))}\n`
}

/** `-c key=value` pairs: what the options ask for, on top of a configuration that is not ours to write. */
export function configurationArguments(
  options: LaunchOptions,
  version: string,
  instructionsPath: string,
): string[] {
  const settings = ownedSettings(options, version, instructionsPath)
  return leaves(settings).flatMap(([path, value]) => ['-c', `${path}=${inlineToml(value)}`])
}

/** What keeps a private home private; `configuration` may turn it on again. */
function defaults(): JsonObject {
  return {
    check_for_update_on_startup: false,
    // $HOME/.agents/skills would reach the model from outside of the home.
    skills: { include_instructions: false },
    // With a ChatGPT sign-in these fetch the account's plugins and its MCP server.
    features: { apps: false, plugins: false, remote_plugin: false },
  }
}

/** What options own. Each of these names is refused in `configuration`. */
function ownedSettings(options: LaunchOptions, version: string, instructionsPath: string): JsonObject {
  const { append, replace } = options.systemPrompt
  return {
    ...(options.model !== undefined && { model: options.model }),
    ...(options.effort !== undefined && { model_reasoning_effort: options.effort }),
    ...(append !== undefined && { developer_instructions: append }),
    ...(replace !== undefined && instructionsFile(version, instructionsPath)),
    ...(!options.projectInstructions && { project_doc_max_bytes: 0 }),
    ...permissionSettings(options, version),
    ...(options.endpoint && providerSettings(options.endpoint)),
  }
}

/** Renamed between 0.75 and 0.90, where the old name is not yet complained of. */
function instructionsFile(version: string, path: string): JsonObject {
  const isOld = codexCan('modelInstructionsFile', version) === false
  return { model_instructions_file: path, ...(isOld && { experimental_instructions_file: path }) }
}

const sandboxModes = {
  'read-only': 'read-only',
  'workspace-write': 'workspace-write',
  off: 'danger-full-access',
} as const

function permissionSettings(options: LaunchOptions, version: string): JsonObject {
  const { approvals, network } = options
  if (approvals === 'auto' && codexCan('autoReview', version) === false) {
    throw new AgentError(
      'unsupported',
      `codex ${version} has no reviewer of its own for approvals: 'auto'.`,
      {
        hint: "Use codex 0.140.0 or newer, or approvals: 'deny'.",
      },
    )
  }
  const implied = { deny: undefined, auto: 'workspace-write', 'approve-all': 'off' } as const
  const sandbox = options.sandbox ?? implied[approvals]
  // Without a word codex exec takes its read-only sandbox.
  throwForNetwork(sandbox ?? 'read-only', network)
  return {
    approval_policy: approvals === 'auto' ? 'on-request' : 'never',
    ...(approvals === 'auto' && { approvals_reviewer: 'auto_review' }),
    ...(sandbox !== undefined && { sandbox_mode: sandboxModes[sandbox] }),
    ...(sandbox === 'workspace-write' &&
      network !== undefined && { sandbox_workspace_write: { network_access: network } }),
  }
}

function throwForNetwork(sandbox: keyof typeof sandboxModes, network: boolean | undefined): void {
  const wanted = sandbox === 'off' ? network === false : sandbox === 'read-only' && network === true
  if (!wanted) return
  throw new AgentError(
    'unsupported',
    `codex can not honour network: ${network} with ${sandbox === 'off' ? 'no sandbox' : 'a read-only sandbox'}.`,
    { hint: "Give sandbox: 'workspace-write', where the network can be switched, or leave network out." },
  )
}

function providerSettings(endpoint: Endpoint): JsonObject {
  const headers = Object.keys(endpoint.headers ?? {})
  return {
    model_provider: 'coxswain',
    model_providers: {
      coxswain: {
        name: 'coxswain',
        base_url: endpoint.url.replace(/\/+$/, ''),
        wire_api: 'responses',
        env_key: endpointKeyVariable,
        ...(headers.length > 0 && {
          env_http_headers: Object.fromEntries(
            headers.map((name, index) => [name, endpointHeaderVariable(index)]),
          ),
        }),
      },
    },
  }
}

function merge(below: JsonObject, above: JsonObject): JsonObject {
  const merged = { ...below }
  for (const [key, value] of Object.entries(above)) {
    const lower = asObject(merged[key])
    const upper = asObject(value)
    merged[key] = lower && upper ? merge(lower, upper) : value
  }
  return merged
}

function leaves(settings: JsonObject, prefix = ''): [string, unknown][] {
  return Object.entries(settings).flatMap(([key, value]): [string, unknown][] => {
    const nested = asObject(value)
    return nested ? leaves(nested, `${prefix}${key}.`) : [[`${prefix}${key}`, value]]
  })
}

function inlineToml(value: unknown): string {
  return stringify({ value }).slice('value = '.length).trimEnd()
}

/** Where the text of `systemPrompt.replace` lies in the turn's directory. */
export const instructionsFileName = 'instructions.md'

export function instructionsPathIn(directory: string): string {
  return posix.join(directory, instructionsFileName)
}
