import { posix } from 'node:path'
import { stringify } from 'smol-toml'
import { AgentError } from '../errors.ts'
import type { Endpoint, LiveLaunchOptions } from '../options/turn-options.ts'
import { asObject, type JsonObject } from '../protocol/narrow.ts'
import type { LaunchContext } from './adapter.ts'
import { codexCredentials } from './codex-cli.credentials.ts'
import { forwardedSettings, keyProvider } from './codex-cli.exposure.ts'
import { unwantedSkills } from './codex-cli.skills.ts'
import { codexCan, codexFloor } from './codex-cli.versions.ts'

/** In the turn's directory: the text of `systemPrompt.replace`. */
export const instructionsFileName = 'instructions.md'

const endpointVariablePrefix = 'COXSWAIN_ENDPOINT_'

/** Carries the endpoint's credential, which a file and argv must not hold. */
export const endpointKeyVariable = `${endpointVariablePrefix}KEY`

export function endpointHeaderVariable(index: number): string {
  return `${endpointVariablePrefix}HEADER_${index}`
}

type Transport = 'structured' | 'live'

/** The whole of a generated `config.toml`. */
export function renderConfiguration(
  options: LiveLaunchOptions,
  context: LaunchContext,
  transport: Transport = 'structured',
): string {
  throwForNull(options.configuration, 'configuration')
  const settings = [defaults(options), options.configuration, ownedSettings(options, context, transport)]
  return `${stringify(settings.reduce<JsonObject>(merge, {}))}\n`
}

/** TOML has no null, and leaving it out would not do what was meant. */
function throwForNull(value: unknown, path: string): void {
  if (value === null) {
    throw new AgentError('invalid_options', `${path} is null, which codex's TOML has no form for.`, {
      hint: 'Leave it out, or give its value.',
    })
  }
  if (typeof value !== 'object') return
  for (const [key, inner] of Object.entries(value)) throwForNull(inner, `${path}.${key}`)
}

/**
 * `-c key=value` pairs: what the options ask for, on top of a configuration that is not ours to write; and over one that is
 * ours, the distrust of the project, since 0.124.0 writes its own trust into the file.
 */
export function configurationArguments(
  options: LiveLaunchOptions,
  context: LaunchContext,
  transport: Transport = 'structured',
): string[] {
  const distrust = distrustSettings(options, context)
  const settings =
    context.home === undefined ? { ...ownedSettings(options, context, transport), ...distrust } : distrust
  return leaves(settings).flatMap(([path, value]) => ['-c', `${path}=${inlineToml(value)}`])
}

/** What keeps a private home private; `configuration` may turn it on again. */
function defaults({ projectConfiguration }: LiveLaunchOptions): JsonObject {
  return {
    check_for_update_on_startup: false,
    skills: {
      ...(projectConfiguration === 'ignore' && { include_instructions: false }),
      // Those that codex brings along, which `$its-name` in a prompt would call.
      bundled: { enabled: false },
    },
    // With a ChatGPT sign-in these fetch the account's plugins and its MCP server.
    features: {
      apps: false,
      plugins: false,
      remote_plugin: false,
      // It writes the whole environment into a file, and gives tools from there what is excluded below (0.113.0, 0.147.0).
      shell_snapshot: false,
    },
    // 0.55 would keep what was granted as SECRET_* or *_TOKEN from the tools, newer versions not; the model's key is no tool's.
    shell_environment_policy: {
      ignore_default_excludes: true,
      exclude: [...codexCredentials.flatMap(({ variables }) => variables), `${endpointVariablePrefix}*`],
    },
  }
}

/** What options own. Each of these names is refused in `configuration`. */
function ownedSettings(options: LiveLaunchOptions, context: LaunchContext, transport: Transport): JsonObject {
  const { append, replace } = options.systemPrompt
  const sandbox = sandboxOf(options)
  return {
    ...(options.model !== undefined && { model: options.model }),
    ...(options.effort !== undefined && { model_reasoning_effort: options.effort }),
    ...(append !== undefined && { developer_instructions: append }),
    ...(replace !== undefined && instructionsFile(context)),
    ...(!options.projectInstructions && { project_doc_max_bytes: 0 }),
    ...permissionSettings(options, sandbox, context.version),
    ...(options.projectConfiguration === 'trust' && { projects: trust(options, context, 'trusted') }),
    ...skillSettings(options, context),
    ...(options.endpoint ? providerSettings(options.endpoint) : ownProvider(context, transport)),
  }
}

function skillSettings(options: LiveLaunchOptions, context: LaunchContext): JsonObject {
  const paths = unwantedSkills(options, context)
  return paths.length === 0 ? {} : { skills: { config: paths.map((path) => ({ path, enabled: false })) } }
}

function ownProvider(context: LaunchContext, transport: Transport): JsonObject {
  return transport === 'live' ? keyProvider(context) : forwardedSettings(context)
}

function distrustSettings(options: LiveLaunchOptions, context: LaunchContext): JsonObject {
  const isIgnored = options.projectConfiguration === 'ignore' && mayBeTrusted(sandboxOf(options), context)
  return isIgnored ? { projects: trust(options, context, 'untrusted') } : {}
}

/**
 * From 0.130 (0.113: not yet) to 0.168 codex trusts a project by itself, MCP servers and hooks included, when its sandbox lets
 * the turn write there; and a user's own configuration may trust it already.
 */
function mayBeTrusted(sandbox: Sandbox | undefined, context: LaunchContext): boolean {
  if (context.home === undefined) return true
  const mayWrite = sandbox === 'workspace-write' || sandbox === 'off'
  return mayWrite && codexCan('leavesTrustToUsers', context.version) !== true
}

/** The project and every directory above it, since the repository's root is not known here. */
function trust(
  options: LiveLaunchOptions,
  context: LaunchContext,
  level: 'trusted' | 'untrusted',
): JsonObject {
  const cwd = context.realCwd ?? options.cwd
  const directories = [posix.normalize(cwd)]
  for (let above = posix.dirname(cwd); above !== directories.at(-1); above = posix.dirname(above)) {
    directories.push(above)
  }
  return Object.fromEntries(directories.map((directory) => [directory, { trust_level: level }]))
}

/** Renamed between 0.75 and 0.90, where the old name is not yet complained of. */
function instructionsFile(context: LaunchContext): JsonObject {
  const path = posix.join(context.directory, instructionsFileName)
  const isOld = codexCan('modelInstructionsFile', context.version) === false
  return { model_instructions_file: path, ...(isOld && { experimental_instructions_file: path }) }
}

type Permissions = Pick<LiveLaunchOptions, 'approvals' | 'sandbox' | 'network'>
type Sandbox = 'read-only' | 'workspace-write' | 'off'

export const sandboxModes: Readonly<Record<Sandbox, string>> = {
  'read-only': 'read-only',
  'workspace-write': 'workspace-write',
  off: 'danger-full-access',
}

/** undefined: without a word codex exec takes its read-only sandbox, or what a user's own configuration says. */
export function sandboxOf(options: Permissions): Sandbox | undefined {
  const implied = {
    deny: undefined,
    auto: 'workspace-write',
    'approve-all': 'off',
    // What was allowed must be able to run: under read-only, an approved command may still fail for it (0.171.0).
    host: 'workspace-write',
  } as const
  return options.sandbox ?? implied[options.approvals]
}

function permissionSettings(options: Permissions, sandbox: Sandbox | undefined, version: string): JsonObject {
  const { approvals, network } = options
  if (approvals === 'auto' && codexCan('autoReview', version) === false) {
    throw new AgentError(
      'unsupported',
      `codex ${version} has no reviewer of its own for approvals: 'auto'.`,
      {
        hint: `Use codex ${codexFloor('autoReview')} or newer, or approvals: 'deny'.`,
      },
    )
  }
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

/** Settings by dotted path, as `-c` takes them; a table with a key that no dotted path can hold stays whole. */
function leaves(settings: JsonObject, prefix = ''): [string, unknown][] {
  return Object.entries(settings).flatMap(([key, value]): [string, unknown][] => {
    const nested = asObject(value)
    const isPlain = nested && Object.keys(nested).every((name) => /^[\w-]+$/.test(name))
    return isPlain ? leaves(nested, `${prefix}${key}.`) : [[`${prefix}${key}`, value]]
  })
}

function inlineToml(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(inlineToml).join(', ')}]`
  const table = asObject(value)
  if (!table) return stringify({ value }).slice('value = '.length).trimEnd()
  const pairs = Object.entries(table).map(([key, inner]) => `${inlineToml(key)} = ${inlineToml(inner)}`)
  return `{ ${pairs.join(', ')} }`
}
