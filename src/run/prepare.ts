import { realpathSync } from 'node:fs'
import type { Launch, LiveLaunch } from '../adapters/adapter.ts'
import type { PromptPart } from '../protocol/prompt.ts'
import { planOutput } from './asked-output.ts'
import { demandBilling } from './billing.ts'
import { type Binary, demandDirectory, resolveBinary } from './binary.ts'
import { credentialNotice } from './credential-notices.ts'
import { demandExposure, exposureNotice, judgeExposure } from './exposure.ts'
import { findConversation } from './find-conversation.ts'
import { type HiddenCredentials, hideCredentials } from './hide-credentials.ts'
import { type PreparedHome, prepareHome } from './home-files.ts'
import { refuseOverruledVariables } from './overruled-variables.ts'
import { hideMore, planForVersion, type TurnPlan, userHomeOf, withoutCredentials } from './plan-turn.ts'
import { markVariable } from './processes.ts'
import { findSignInSecrets } from './sign-in-secrets.ts'
import { lookAround } from './surroundings.ts'
import { openToolServers, type ToolServers } from './tool-servers.ts'
import type { TurnNotice } from './turn-notice.ts'
import { startOf, type TurnStart } from './turn-start.ts'
import { unaskedNotice } from './unasked-notice.ts'
import { findVersion, judgeVersion } from './version.ts'

/** What a turn starts with. */
export interface PreparedTurn {
  binary: Binary
  version: string
  /** What a consumer should know of the version and of the credentials. */
  notices: TurnNotice[]
  home: PreparedHome
  start: TurnStart
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
    refuseOverruledVariables(plan.checked.inherit, base, { ...plan.home.environment, ...launch.environment })
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
        unaskedNotice(plan.checked),
        credentialNotice(plan),
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

/** What the adapter wants started instead of the CLI that was found. */
function commandOf({ binary }: Launch | LiveLaunch, { checked, composed }: TurnPlan): Binary | undefined {
  if (binary === undefined) return undefined
  const command = typeof binary === 'string' ? ([binary] as const) : binary
  return resolveBinary(checked.adapter, command, composed.environment.PATH)
}
