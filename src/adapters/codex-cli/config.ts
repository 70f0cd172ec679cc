import { posix } from 'node:path'
import { stringify } from 'smol-toml'
import { AgentError } from '../../errors.ts'
import type { JsonObject } from '../../protocol/narrow.ts'
import type { LaunchContext } from '../adapter.ts'
import type { LaunchEndpoint, LiveLaunchOptions } from '../launch-options.ts'
import { codexCredentials } from './credentials.ts'
import { forwardedSettings, keyProvider } from './exposure.ts'
import { serverSettings, serverVariablePrefix } from './mcp-servers.ts'
import { permissionSettings, type Sandbox, sandboxOf } from './permissions.ts'
import { unwantedSkills } from './skills.ts'
import { contradiction, inlineToml, leaves, merge } from './toml.ts'
import { toolSettings } from './tool-settings.ts'
import { codexCan } from './versions.ts'

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
  refuseOverruled(options, context)
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
 * ours, the distrust of the project, since 0.124.0 writes its own trust into the file, or what a trusted one has no say in.
 */
export function configurationArguments(
  options: LiveLaunchOptions,
  context: LaunchContext,
  transport: Transport = 'structured',
): string[] {
  const distrust = distrustSettings(options, context)
  const settings =
    context.home === undefined
      ? { ...ownedSettings(options, context, transport), ...distrust }
      : { ...distrust, ...destination(options, context, transport) }
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
      exclude: [
        ...codexCredentials.flatMap(({ variables }) => variables),
        `${endpointVariablePrefix}*`,
        `${serverVariablePrefix}*`,
      ],
    },
  }
}

/** What options own. Each of these names is refused in `configuration`. */
function ownedSettings(options: LiveLaunchOptions, context: LaunchContext, transport: Transport): JsonObject {
  const { append, replace } = options.systemPrompt
  const settings: JsonObject = {
    ...(options.model !== undefined && { model: options.model }),
    ...(options.effort !== undefined && { model_reasoning_effort: options.effort }),
    ...(append !== undefined && { developer_instructions: append }),
    ...(replace !== undefined && instructionsFile(context)),
    ...(!options.projectInstructions && { project_doc_max_bytes: 0 }),
    ...permissionSettings(options, context.version),
    ...(options.projectConfiguration === 'trust' && { projects: trust(options, context, 'trusted') }),
    ...skillSettings(options, context),
    ...(options.endpoint ? providerSettings(options.endpoint) : ownProvider(context, transport)),
    ...serverSettings(options, context),
  }
  return merge(settings, toolSettings(options, context))
}

/** What neither its name nor its value could be seen to be ours before the version and the rest of the options were known. */
function refuseOverruled(options: LiveLaunchOptions, context: LaunchContext): void {
  const owners = {
    tools: toolSettings(options, context),
    approvals: permissionSettings(options, context.version),
  }
  for (const [option, settings] of Object.entries(owners)) {
    const path = contradiction(options.configuration, settings)
    if (path === undefined) continue
    throw new AgentError(
      'invalid_options',
      `The setting "${path}" says otherwise than the option \`${option}\`, which would overrule it.`,
      { hint: `Take it out, or say it by \`${option}\`.` },
    )
  }
}

function skillSettings(options: LiveLaunchOptions, context: LaunchContext): JsonObject {
  const paths = unwantedSkills(options, context)
  return paths.length === 0 ? {} : { skills: { config: paths.map((path) => ({ path, enabled: false })) } }
}

function ownProvider(context: LaunchContext, transport: Transport): JsonObject {
  return transport === 'live' ? keyProvider(context) : forwardedSettings(context)
}

/** Where requests go: 0.113 takes that from a trusted project too, 0.171 does not. */
function destination(options: LiveLaunchOptions, context: LaunchContext, transport: Transport): JsonObject {
  if (options.projectConfiguration !== 'trust') return {}
  if (!options.endpoint) return { model_provider: 'openai', ...ownProvider(context, transport) }
  // What signs in by its address must not stand on a command line.
  const { username, password } = new URL(options.endpoint.url)
  return username === '' && password === '' ? providerSettings(options.endpoint) : {}
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

function providerSettings(endpoint: LaunchEndpoint): JsonObject {
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
