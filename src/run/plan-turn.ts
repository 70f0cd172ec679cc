import { randomBytes } from 'node:crypto'
import { homedir, tmpdir, userInfo } from 'node:os'
import { type ComposedEnvironment, composeChildEnvironment } from '../env/compose.ts'
import { type HomePlan, planHome, resolveStateDirectory } from '../env/home.ts'
import { type Secret, secretsOf } from '../env/secrets.ts'
import { type CheckedOptions, onTransport } from '../options/check.ts'
import { createRedactor, type Redactor } from '../protocol/redact.ts'
import { compositionOf } from './composition.ts'
import type { TurnNotice } from './turn-notice.ts'

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

/** A version below the floor of its live transport takes the other one, which may have other credentials. */
export function planForVersion(
  plan: TurnPlan,
  version: string,
): { plan: TurnPlan; notice: TurnNotice | undefined } {
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

/** What asks a CLI for its version needs none of them. */
export function withoutCredentials({ composed }: TurnPlan): Record<string, string> {
  const names = new Set(composed.credentials.names)
  return Object.fromEntries(Object.entries(composed.environment).filter(([name]) => !names.has(name)))
}

/** As the child sees it. */
export function userHomeOf({ environment = process.env }: CheckedOptions): string {
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
