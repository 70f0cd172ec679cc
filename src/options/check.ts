import { resolve } from 'node:path'
import type { Adapter } from '../adapters/adapter.ts'
import type { CheckedMcpServer, LaunchEndpoint, LaunchOptions } from '../adapters/launch-options.ts'
import { getAdapter } from '../adapters/registry.ts'
import { readTools } from '../bridge/served-tools.ts'
import { asObject } from '../protocol/narrow.ts'
import type { PromptPart } from '../protocol/prompt.ts'
import type { BridgeTool } from './bridge-tool.ts'
import type { CallerSchema } from './caller-schema.ts'
import { faultOf, invalid } from './faults.ts'
import { refuseHiddenNames } from './hidden-names.ts'
import { refuseUnsupported } from './honoured.ts'
import { refuseIncompleteShell } from './native-shell.ts'
import type { Budgets, Credentials } from './option-parts.ts'
import { readOutputSchema } from './output-schema.ts'
import { guarded, readPlainData } from './plain-data.ts'
import { present } from './present.ts'
import { readOptions } from './read-options.ts'
import { refuseReserved, refuseWidening } from './reserved.ts'
import { type ParsedOptions, turnOptionsSchema } from './schema.ts'
import { refuseServerNames } from './server-names.ts'
import { toolPolicyOf, withGroups } from './tool-policy.ts'
import { capabilitiesOn, resolveTransport } from './transport.ts'
import type { ApprovalCallback, LogEntry } from './turn-options.ts'

/** One turn's options after checking: defaults filled in, paths absolute. */
export interface CheckedOptions {
  adapter: Adapter
  /** As the options and a new enough CLI would have it: with the version, `onTransport` decides. */
  transport: 'structured' | 'live'
  /** What was given: to decide again once the version is known. */
  parsed: ParsedOptions
  /** Who answers what the CLI asks; 'default': nobody, so that nothing can wait. */
  interactions: 'default' | 'host' | ApprovalCallback
  /** `mcpServers` is empty: the servers are asked for their tools first. */
  launch: LaunchOptions
  /** What checks the answer. */
  output?: CallerSchema
  mcpServers: Readonly<Record<string, CheckedMcpServer>>
  bridge: readonly BridgeTool[]
  apiTransport: 'bridge_shell' | 'native_shell' | 'disabled'
  conversations: 'keep' | 'discard' | { directory: string }
  budgets: Budgets & { lingerMs: number }
  signal?: AbortSignal
  /** Not granted yet: `grantEnvironment` decides on it. undefined: none was declared. */
  scope?: Record<string, string>
  /** The base to scrub; undefined: process.env. */
  environment?: Record<string, string | undefined>
  inherit: string[]
  reserve: string[]
  git: 'keep' | 'neutral'
  credentials: Credentials
  billing: 'any' | 'api' | 'subscription'
  credentialExposure: 'auto' | 'hidden' | 'visible'
  redact: { enabled: boolean; values: string[] }
  binary?: [string, ...string[]]
  includeRaw: boolean
  log?: (entry: LogEntry) => void
}

/**
 * Checks what the options alone decide, before anything starts.
 *
 * @throws AgentError `invalid_options` for what is wrong, `unsupported` for what this adapter cannot honour
 */
export function checkTurnOptions(options: unknown): CheckedOptions {
  const parsed = asWritten(parse(options))
  const adapter = resolveAdapter(parsed.adapter)
  const prompt = promptParts(parsed.prompt)
  const { transport } = resolveTransport(adapter, parsed)
  refuseUnsupported(adapter, transport, parsed)
  refuseContradictions(parsed)
  refuseIncompleteShell(adapter, transport, parsed)
  refuseServerNames(adapter, transport, parsed)
  const { configuration = {}, arguments: flags = [] } = parsed
  refuseReserved(capabilitiesOn(adapter, transport), configuration, flags)
  if (parsed.tools?.mode === 'mcp_only') {
    refuseWidening(capabilitiesOn(adapter, transport), configuration, flags)
  }
  const { binary, redact, outputSchema } = parsed
  const output = outputSchema === undefined ? undefined : readOutputSchema(outputSchema, adapter)
  return {
    adapter,
    parsed,
    transport: transport === 'live' ? 'live' : 'structured',
    interactions: interactionsOf(parsed),
    launch: { ...launchOptions(adapter, parsed, prompt), ...(output && { outputSchema: output.json }) },
    ...(output && { output }),
    mcpServers: mcpServersOf(parsed),
    bridge: soundTools(parsed.bridge ?? []),
    apiTransport: parsed.apiTransport ?? 'bridge_shell',
    conversations: absolute(parsed.conversations ?? 'keep'),
    budgets: { lingerMs: 3_000, ...present(parsed.budgets ?? {}) },
    inherit: parsed.inherit ?? [],
    reserve: parsed.reserve ?? [],
    git: parsed.git ?? 'keep',
    credentials: credentialsOf(parsed.credentials),
    billing: parsed.billing ?? 'any',
    credentialExposure: parsed.credentialExposure ?? 'auto',
    redact: { enabled: redact !== false, values: Array.isArray(redact) ? redact : [] },
    includeRaw: parsed.includeRaw ?? false,
    ...(binary !== undefined && { binary: typeof binary === 'string' ? [binary] : binary }),
    ...present({
      signal: parsed.signal,
      scope: parsed.scope,
      environment: parsed.environment,
      log: parsed.log,
    }),
  }
}

/**
 * What `openSession` takes: a turn's options without a prompt, on the live transport.
 *
 * @throws AgentError as `checkTurnOptions` does
 */
export function checkSessionOptions(options: unknown): CheckedOptions {
  const given = asObject(readOptions(options))
  if (!given) throw invalid('The options are no object')
  if (given.prompt !== undefined) {
    throw invalid('A session has no option `prompt`', 'Give each prompt to session.send().')
  }
  const { transport = 'live' } = given
  if (transport === 'structured') {
    throw invalid("A session cannot run on transport: 'structured'", "Leave `transport` out, or give 'live'.")
  }
  return checkTurnOptions({
    ...given,
    prompt: 'none yet',
    transport: transport === 'auto' ? 'live' : transport,
  })
}

/** One prompt of a session, as parts. Throws AgentError as `checkTurnOptions` does. */
export function checkPrompt(checked: CheckedOptions, prompt: unknown): PromptPart[] {
  const { value, issues } = readPlainData(prompt)
  const [unread] = issues
  if (unread) {
    throw invalid(`The prompt ${unread.path === '' ? '' : `(${unread.path}) `}${unread.message}`, unread.fix)
  }
  const result = turnOptionsSchema.shape.prompt.safeParse(value)
  if (!result.success) throw invalid(`The prompt is wrong: ${result.error.issues[0]?.message}`)
  refuseUnsupported(checked.adapter, checked.transport, { ...checked.parsed, prompt: result.data })
  return promptParts(result.data)
}

/**
 * The same options for this version of the CLI, with why where another transport than expected is taken.
 *
 * @throws AgentError `unsupported` for what that transport cannot honour
 */
export function onTransport(
  checked: CheckedOptions,
  version: string,
): { checked: CheckedOptions; notice?: string | undefined } {
  const { adapter, parsed } = checked
  const { transport, notice } = resolveTransport(adapter, parsed, version)
  if (transport === checked.transport) return { checked, notice }
  refuseUnsupported(adapter, transport, parsed)
  return { checked: { ...checked, transport: transport === 'live' ? 'live' : 'structured' }, notice }
}

/** The adapter itself, or the built-in one with that id. */
export function resolveAdapter(adapter: string | Adapter): Adapter {
  if (typeof adapter === 'string') return getAdapter(adapter)
  const isAdapter = () => adapter.contract === 1 && typeof adapter.structured?.wire === 'function'
  if (guarded(isAdapter)) return adapter
  const isBegun = guarded(() => adapter.contract === 1)
  throw invalid(
    'The option `adapter` is no adapter of contract 1',
    isBegun ? 'It has no `structured` with a launch and a wire.' : 'Make it with defineAdapter().',
  )
}

function parse(given: unknown): ParsedOptions {
  const options = readOptions(given)
  refuseHiddenNames(options)
  const result = turnOptionsSchema.safeParse(options)
  if (result.success) return result.data
  throw faultOf(result.error, turnOptionsSchema, options)
}

/** With the settings as they will be written: one that is undefined is none. */
function asWritten(parsed: ParsedOptions): ParsedOptions {
  if (parsed.configuration === undefined) return parsed
  return { ...parsed, configuration: JSON.parse(JSON.stringify(parsed.configuration)) }
}

function promptParts(prompt: ParsedOptions['prompt']): PromptPart[] {
  const parts: PromptPart[] = typeof prompt === 'string' ? [{ type: 'text', text: prompt }] : prompt
  if (parts.some((part) => part.type === 'text' && part.text.trim() !== '')) return parts
  // Beside images a blank text says nothing, and some APIs refuse it.
  const images = parts.filter((part) => part.type === 'image')
  if (images.length > 0) return images
  throw invalid('The option `prompt` is empty', 'Say in words what the agent should do.')
}

function refuseContradictions(options: ParsedOptions): void {
  const { resume, fork, home } = options
  if (resume !== undefined && options.conversations === 'discard') {
    throw invalid(
      "`resume` needs the conversations that `conversations: 'discard'` throws away",
      "Use conversations: 'keep', or the { directory } that the first turn used.",
    )
  }
  if (fork && resume === undefined) {
    throw invalid('`fork` needs `resume`', 'Name the conversation to fork in `resume`.')
  }
  const own = Object.keys(options.configuration ?? {}).length > 0 ? 'configuration' : 'arguments'
  if (home === 'user' && (own === 'configuration' || (options.arguments ?? []).length > 0)) {
    throw invalid(
      `\`${own}\` cannot be combined with home: 'user'`,
      "With home: 'user' the CLI runs on the user's own settings; use a private home to change them.",
    )
  }
}

function interactionsOf({ approvals }: ParsedOptions): CheckedOptions['interactions'] {
  if (approvals === 'host' || typeof approvals === 'function') return approvals
  return 'default'
}

function launchOptions(adapter: Adapter, options: ParsedOptions, prompt: PromptPart[]): LaunchOptions {
  const { approvals } = options
  return {
    prompt,
    promptExpansion: options.promptExpansion ?? false,
    cwd: resolve(options.cwd ?? '.'),
    systemPrompt: present(options.systemPrompt ?? {}),
    fork: options.fork ?? false,
    approvals: approvals === 'auto' || approvals === 'approve-all' ? approvals : 'deny',
    backgroundTasks: options.backgroundTasks ?? 'forbid',
    tools: withGroups(toolPolicyOf(options), adapter.nativeTools),
    // Their tools are asked for before the start.
    mcpServers: {},
    home: absolute(options.home ?? 'private'),
    projectConfiguration: options.projectConfiguration ?? 'ignore',
    projectInstructions: options.projectInstructions ?? true,
    configuration: options.configuration ?? {},
    arguments: options.arguments ?? [],
    ...(options.endpoint && { endpoint: endpointOf(adapter, options.endpoint) }),
    ...present({
      model: options.model,
      effort: options.effort,
      resume: options.resume,
      sandbox: options.sandbox,
      network: options.network,
    }),
  }
}

function mcpServersOf({ mcpServers = {} }: ParsedOptions): Record<string, CheckedMcpServer> {
  return Object.fromEntries(
    Object.entries(mcpServers).map(([name, server]): [string, CheckedMcpServer] => [
      name,
      server.type === 'http'
        ? { type: 'http', url: server.url, ...present({ headers: server.headers }) }
        : { type: 'stdio', command: server.command, ...present({ args: server.args, env: server.env }) },
    ]),
  )
}

function soundTools(bridge: readonly BridgeTool[]): readonly BridgeTool[] {
  readTools(bridge)
  return bridge
}

/** Which set and which names there are is `selectCredentials`' to say. */
function credentialsOf(credentials: ParsedOptions['credentials'] = 'inherit'): Credentials {
  return typeof credentials === 'string' ? credentials : present(credentials)
}

/** With the adapter's own API where none is named. */
function endpointOf(adapter: Adapter, endpoint: NonNullable<ParsedOptions['endpoint']>): LaunchEndpoint {
  const { url, api = adapter.capabilities.endpoint[0], credential, headers } = endpoint
  return { url, ...present({ api, credential, headers }) }
}

function absolute<Word extends string>(place: Word | { directory: string }): Word | { directory: string } {
  return typeof place === 'string' ? place : { directory: resolve(place.directory) }
}
