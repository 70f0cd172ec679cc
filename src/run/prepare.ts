import { randomBytes } from 'node:crypto'
import { existsSync, realpathSync } from 'node:fs'
import { homedir, tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import type { Launch, LaunchContext, LiveLaunch, LiveProtocol } from '../adapters/adapter.ts'
import { type ComposedEnvironment, composeChildEnvironment } from '../env/compose.ts'
import { type HomePlan, planHome, resolveStateDirectory } from '../env/home.ts'
import { type Secret, secretsOf } from '../env/secrets.ts'
import { AgentError } from '../errors.ts'
import { type CheckedOptions, onTransport } from '../options/check.ts'
import type { Endpoint, PromptPart } from '../options/turn-options.ts'
import { createRedactor, type Redactor } from '../protocol/redact.ts'
import { type OutputPlan, planOutput } from './asked-output.ts'
import { demandBilling } from './billing.ts'
import { type Binary, demandDirectory, resolveBinary } from './binary.ts'
import { compositionOf } from './composition.ts'
import { credentialNotice } from './credential-notices.ts'
import { demandExposure, exposureNotice, judgeExposure } from './exposure.ts'
import { type HiddenCredentials, hideCredentials } from './hide-credentials.ts'
import { type PreparedHome, prepareHome } from './home-files.ts'
import { sound } from './launch.ts'
import { markVariable } from './processes.ts'
import { findSignInSecrets } from './sign-in-secrets.ts'
import { lookAround } from './surroundings.ts'
import { openToolServers, type ToolServers } from './tool-servers.ts'
import type { TurnNotice } from './turn-notice.ts'
import { findVersion, judgeVersion } from './version.ts'

/** What a turn's options and environment decide, before anything is touched. */
export interface TurnPlan {
  turnId: string
  checked: CheckedOptions
  composed: ComposedEnvironment
  home: HomePlan
  /** What is to be hidden: more is added by `hideMore` while the turn is prepared. */
  secrets: Secret[]
  redactor: Redactor | undefined
  /** What the child gets in the place of a credential that it must not have. */
  turnToken: string
}

/** What a turn starts with. */
export interface PreparedTurn {
  binary: Binary
  version: string
  /** What a consumer should know of the version and of the credentials. */
  notices: TurnNotice[]
  home: PreparedHome
  start:
    | { transport: 'structured'; launch: Launch }
    | { transport: 'live'; launch: LiveLaunch; live: LiveProtocol }
  environment: Record<string, string>
  /** The prompt as it is sent: with what the answer shall be, where it has to be asked for. */
  ask(prompt: PromptPart[]): PromptPart[]
  /** What the child reads from descriptors of its own. */
  pipes: string[]
  credentialExposure: 'hidden' | 'visible' | 'none'
  /** What the tools of its servers are judged by. */
  mcpServers: ToolServers['servers']
  /** When the turn is over: its tokens are good for nothing then. */
  release(): void
  /** The conversation to resume was seen on disk. undefined: nobody looked. */
  conversationFound: boolean | undefined
}

/** Throws AgentError for what the caller got wrong. Reads no file. */
export function planTurn(checked: CheckedOptions, turnId: string): TurnPlan {
  const { adapter, launch } = checked
  const composition = compositionOf(checked)
  const base = composition.environment
  const composed = composeChildEnvironment(composition)
  const userHome = userHomeOf(checked)
  const home = planHome({
    layout: adapter.home,
    adapter: adapter.id,
    id: turnId,
    home: launch.home,
    conversations: checked.conversations,
    environment: base,
    userHome,
    stateDirectory: resolveStateDirectory({
      environment: base,
      userHome,
      accountHome: accountHome(),
      temporaryDirectories: [base.TMPDIR ?? '/tmp', tmpdir(), '/tmp', '/private/tmp'],
    }),
    signIn: composed.credentials.signIn,
    hasEndpoint: launch.endpoint !== undefined,
  })
  const secrets = secretsFor(checked, composed)
  const redactor = checked.redact.enabled ? createRedactor(secrets) : undefined
  const turnToken = `coxswain-${randomBytes(24).toString('hex')}`
  return { turnId, checked, composed, home, secrets, redactor, turnToken }
}

function secretsFor(checked: CheckedOptions, composed: ComposedEnvironment): Secret[] {
  return secretsOf({
    environment: composed.environment,
    scope: checked.scope,
    credentials: composed.credentials.names,
    inherit: checked.inherit,
    endpoint: checked.launch.endpoint,
    mcpServers: checked.mcpServers,
    values: checked.redact.values,
  })
}

/** Adds what is found or made only now, before the child has said a word. */
export function hideMore(plan: TurnPlan, secrets: readonly Secret[]): void {
  if (secrets.length === 0) return
  plan.secrets.push(...secrets)
  plan.redactor?.hide(secrets)
}

/**
 * Looks for what the turn needs and puts its home in place. Throws AgentError for what the machine or the CLI's version
 * decides; nothing is left behind then.
 */
export async function prepareTurn(asPlanned: TurnPlan, stopped?: AbortSignal): Promise<PreparedTurn> {
  const { adapter, launch: options, binary: given } = asPlanned.checked
  demandDirectory(options.cwd)
  const binary = resolveBinary(adapter, given, asPlanned.composed.environment.PATH)
  const version = await findVersion(adapter, binary, withoutCredentials(asPlanned), stopped)
  stopped?.throwIfAborted()
  const versionNotice = judgeVersion(adapter, version)
  const { plan, notice: transportNotice } = planForVersion(asPlanned, version)
  const base = plan.composed.environment
  demandBilling(plan)
  const verdict = judgeExposure(plan, version)
  demandExposure(plan, verdict)
  const toolServers = await openToolServers(plan.checked, {
    turnId: plan.turnId,
    environment: { ...withoutCredentials(plan), [markVariable]: plan.turnId },
    signal: stopped,
  })
  let home: PreparedHome | undefined
  let hidden: HiddenCredentials | undefined
  try {
    hideMore(plan, toolServers.secrets)
    home = prepareHome(plan.home, plan.turnId)
    hideMore(plan, findSignInSecrets(plan.home, adapter.home.signIn))
    hideMore(plan, [{ name: 'TURN_TOKEN', value: plan.turnToken }])
    hidden = await hideCredentials(verdict, options.endpoint, base)
    const { endpoint, forwarders } = hidden
    const output = planOutput(plan.checked, version)
    const start = startOf(
      plan.checked,
      { output, endpoint, mcpServers: toolServers.servers },
      {
        version,
        home: plan.home.directory,
        directory: home.directory,
        credentials: plan.composed.credentials.sets,
        forwarders,
        realCwd: realpathSync(options.cwd),
        platform: process.platform,
        surroundings: lookAround(adapter.home, userHomeOf(plan.checked), realpathSync(options.cwd)),
        signIn: plan.composed.credentials.signIn,
        isRoot: process.getuid?.() === 0,
      },
    )
    const { launch } = start
    home.write(launch.files)
    const conversationFound = findConversation(plan)
    const { environment, pipes } = hidden.apply({
      ...base,
      ...(base.PWD !== undefined && { PWD: options.cwd }),
      ...plan.home.environment,
      ...withoutGranted(toolServers.variables, base),
      ...launch.environment,
      [markVariable]: plan.turnId,
    })
    return {
      binary: commandOf(launch, plan) ?? binary,
      version,
      notices: [
        versionNotice,
        transportNotice,
        credentialNotice(plan, home),
        ...toolServers.notices,
        output.notice,
        exposureNotice(plan, verdict),
      ].flatMap((notice) => notice ?? []),
      home,
      start,
      ask: output.ask,
      environment,
      pipes,
      credentialExposure: verdict.exposure,
      mcpServers: toolServers.servers,
      release: releaseOf(hidden, toolServers),
      conversationFound,
    }
  } catch (error) {
    hidden?.close()
    toolServers.close()
    home?.remove()
    throw error
  }
}

/** A version below the floor of its live transport takes the other one, which may have other credentials. */
function planForVersion(plan: TurnPlan, version: string): { plan: TurnPlan; notice: TurnNotice | undefined } {
  const { checked, notice } = onTransport(plan.checked, version)
  return {
    plan: checked === plan.checked ? plan : replanned(plan, checked),
    notice:
      notice === undefined ? undefined : { level: 'warning', code: 'transport_fallback', message: notice },
  }
}

/** Anew, but for what the turn's consumer hears through already: that hides what the other credentials hold, too. */
function replanned(plan: TurnPlan, checked: CheckedOptions): TurnPlan {
  const { secrets, redactor, turnToken } = plan
  const anew = planTurn(checked, plan.turnId)
  const known = new Set(secrets.map(({ value }) => value))
  hideMore(
    plan,
    anew.secrets.filter(({ value }) => !known.has(value)),
  )
  return { ...anew, secrets, redactor, turnToken }
}

/** What the caller granted stands. */
function withoutGranted(
  variables: Readonly<Record<string, string>>,
  granted: Readonly<Record<string, string>>,
): Record<string, string> {
  return Object.fromEntries(Object.entries(variables).filter(([name]) => granted[name] === undefined))
}

function releaseOf(hidden: HiddenCredentials, toolServers: ToolServers): () => void {
  return () => {
    hidden.close()
    toolServers.close()
  }
}

/** @param found the endpoint is in the place of the caller's, where a forwarder stands before it */
function startOf(
  { adapter, transport, launch: given, interactions }: CheckedOptions,
  found: { output: OutputPlan; endpoint: Endpoint | undefined; mcpServers: ToolServers['servers'] },
  context: LaunchContext,
): PreparedTurn['start'] {
  const { output, endpoint, mcpServers } = found
  const { outputSchema: _, ...rest } = given
  const options = {
    ...rest,
    mcpServers,
    ...(output.schema && { outputSchema: output.schema }),
    ...(endpoint && { endpoint }),
  }
  const { live } = adapter
  if (transport === 'structured' || !live) {
    return {
      transport: 'structured',
      launch: sound(
        adapter,
        adapter.structured.launch({ ...options, prompt: output.ask(options.prompt) }, context),
      ),
    }
  }
  const approvals = interactions === 'default' ? options.approvals : 'host'
  return { transport, launch: sound(adapter, live.launch({ ...options, approvals }, context)), live }
}

/** What the adapter wants started instead of the CLI that was found. */
function commandOf({ binary }: Launch | LiveLaunch, { checked, composed }: TurnPlan): Binary | undefined {
  if (binary === undefined) return undefined
  const command = typeof binary === 'string' ? ([binary] as const) : binary
  return resolveBinary(checked.adapter, command, composed.environment.PATH)
}

/** A CLI that takes an unknown id for a new conversation's without a word must not be asked to resume one. */
function findConversation({ checked, home }: TurnPlan): boolean | undefined {
  const { adapter, launch } = checked
  const place = adapter.home.conversation
  if (!place || launch.resume === undefined || home.directory === undefined) return undefined
  const file = join(home.directory, place(launch.resume, realpathSync(launch.cwd)))
  if (existsSync(file)) return true
  throw new AgentError('resume_rejected', `There is no conversation ${launch.resume} to resume.`, {
    hint: 'Use a sessionId of an earlier `session` event, with the same `cwd` and `conversations`.',
  })
}

/** What asks a CLI for its version needs none of them. */
function withoutCredentials({ composed }: TurnPlan): Record<string, string> {
  const names = new Set(composed.credentials.names)
  return Object.fromEntries(Object.entries(composed.environment).filter(([name]) => !names.has(name)))
}

/** As the child sees it. */
function userHomeOf({ environment = process.env }: CheckedOptions): string {
  return environment.HOME ?? homedir()
}

function accountHome(): string | undefined {
  try {
    return userInfo().homedir
  } catch {
    // An account without an entry, as in some containers.
    return undefined
  }
}
