import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { CredentialSet } from '../adapters/adapter.ts'
import type { SecretPipe } from '../adapters/exposure.ts'
import { isAtLeast } from '../adapters/version-order.ts'
import { requiredVariables } from '../env/credentials.ts'
import { AgentError } from '../errors.ts'
import { isHttpProxy, proxyFor } from '../forwarder/proxy.ts'
import { whereHostShows } from './host-environment.ts'
import type { TurnPlan } from './plan-turn.ts'
import { findSignIn } from './sign-in.ts'
import { holdsTokens } from './sign-in-secrets.ts'
import type { TurnNotice } from './turn-notice.ts'

/** How one secret stays outside of the child. */
export type Means =
  | { by: 'pipe'; pipe: SecretPipe }
  | {
      by: 'forwarder'
      /** undefined: the endpoint's own. */
      set?: string
      /** Gets the token, in the environment. */
      variable?: string
      url: string
      headers: Readonly<Record<string, string>>
      credential: string
      token: string
    }

/** Whether the agent's own shell can read what pays for the turn. */
export type Verdict =
  | { exposure: 'none' }
  | { exposure: 'hidden'; means: Means[] }
  /** `where` it can be read, and what would change that; absent: it was asked for. */
  | { exposure: 'visible'; where?: string; advice?: string }

interface Secret {
  name: string
  value: string
}

/** Judges by what a child could read, not by what was intended. Reads files, changes nothing. */
export function judgeExposure(plan: TurnPlan, version: string): Verdict {
  const { adapter, credentialExposure } = plan.checked
  const secrets = secretsOf(plan)
  const signIn = findSignIn(plan).find(({ path, billing }) => billing !== 'none' || holdsTokens(path))?.path
  if (secrets.length === 0 && signIn === undefined) return { exposure: 'none' }
  if (credentialExposure === 'visible') return { exposure: 'visible' }
  if (signIn !== undefined) {
    return {
      exposure: 'visible',
      where: `in the user's sign-in, ${signIn}, which ${adapter.title} reads from there`,
      advice: "Name a set in `credentials`, so that the turn runs without the user's sign-in.",
    }
  }
  const means: Means[] = []
  for (const [index, found] of ways(plan, version).entries()) {
    if (found === undefined) {
      const set = setsInUse(plan)[index]
      return {
        exposure: 'visible',
        where: `in the environment of ${adapter.title}, which takes ${set === undefined ? 'it' : `the set "${set.name}"`} from nowhere else here`,
        // A set with a forwarder of its own stays visible only where a configuration of the user's says where requests go.
        advice: set?.forwarding
          ? "Take home: 'private', where nothing but the turn says where requests go."
          : `Use a set that can be hidden: ${hideable(plan) || 'this CLI has none'}.`,
      }
    }
    means.push(...found)
  }
  return whereReadable(plan, secrets, means) ?? { exposure: 'hidden', means }
}

/**
 * What a consumer should know where nothing was asked for and the credential is not hidden, although this CLI could run with a
 * hidden one: what made it so, and what to do.
 */
export function exposureNotice(plan: TurnPlan, verdict: Verdict): TurnNotice | undefined {
  if (plan.checked.credentialExposure !== 'auto' || verdict.exposure !== 'visible') return undefined
  if (hideable(plan) === '' && plan.checked.launch.endpoint === undefined) return undefined
  const { where = 'by it', advice = '' } = verdict
  const message = `The agent's shell could read the credential ${where}. ${advice}`.trim()
  return { level: 'info', code: 'exposure_visible', message }
}

/** @throws AgentError `exposure_visible` where hiding was demanded and cannot be kept. */
export function demandExposure(plan: TurnPlan, verdict: Verdict): void {
  if (plan.checked.credentialExposure !== 'hidden' || verdict.exposure !== 'visible') return
  const { where = 'by it', advice = '' } = verdict
  throw new AgentError('exposure_visible', `The agent's shell could read the credential ${where}.`, {
    hint: `${advice} Or take credentialExposure: 'auto', and look at it in the completion.`.trim(),
  })
}

/** What must not be read: of the sets in use, or of the endpoint. */
function secretsOf({ checked, composed }: TurnPlan): Secret[] {
  const { endpoint } = checked.launch
  if (endpoint) {
    const { credential, headers = {} } = endpoint
    return [
      ...(credential ? [{ name: 'endpoint.credential', value: credential }] : []),
      ...Object.entries(headers).map(([name, value]) => ({ name: `endpoint.headers.${name}`, value })),
    ].filter(({ value }) => value.trim() !== '')
  }
  const names = setsInUse({ checked, composed }).flatMap(requiredVariables)
  return [...new Set(names)].map((name) => ({ name, value: composed.environment[name] ?? '' }))
}

function setsInUse({ checked, composed }: Pick<TurnPlan, 'checked' | 'composed'>): CredentialSet[] {
  return checked.adapter.credentials.filter(({ name }) => composed.credentials.sets.includes(name))
}

/** For each set in use, or for the endpoint, how it can be hidden; undefined: it cannot. */
function ways(plan: TurnPlan, version: string): (Means[] | undefined)[] {
  const { endpoint } = plan.checked.launch
  if (endpoint) {
    const { url, credential, headers = {} } = endpoint
    const pipe = pipesFor(plan, version).find((each) => each.endpoint === true)
    if (pipe && Object.keys(headers).length === 0) return [[{ by: 'pipe', pipe }]]
    const token = tokenFor(plan, 'endpoint')
    return [[{ by: 'forwarder', url, headers, credential: credential || 'none', token }]]
  }
  return setsInUse(plan).map((set) => waysOf(set, plan, version))
}

function waysOf(set: CredentialSet, plan: TurnPlan, version: string): Means[] | undefined {
  const { launch } = plan.checked
  const { environment } = plan.composed
  const target = set.forwarding?.target({
    environment,
    configuration: launch.configuration,
    version,
    hasPrivateHome: launch.home === 'private',
  })
  const needed = requiredVariables(set)
  const usable = pipesFor(plan, version)
  const pipes = needed.map((name) => usable.find(({ variable }) => variable === name))
  if (Object.keys(target?.headers ?? {}).length === 0 && pipes.every((pipe) => pipe !== undefined)) {
    return pipes.map((pipe) => ({ by: 'pipe', pipe }))
  }
  const [variable] = needed
  // The user's own configuration says where requests go, and is not read here.
  if (!isAddress(target?.url) || variable === undefined || needed.length > 1 || launch.home === 'user') return
  const token = `${set.forwarding?.tokenPrefix ?? ''}${tokenFor(plan, set.name)}`
  const { url, headers = {} } = target
  return [
    {
      by: 'forwarder',
      set: set.name,
      variable,
      url,
      headers,
      credential: environment[variable] ?? '',
      token,
    },
  ]
}

function isAddress(url: string | undefined): url is string {
  return url !== undefined && URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)
}

/** The settings of a trusted project may send requests elsewhere: a key goes along, where a token is good for nothing. */
function pipesFor({ checked }: TurnPlan, version: string): SecretPipe[] {
  const { adapter, launch } = checked
  if (launch.projectConfiguration === 'trust') return []
  return (adapter.pipes ?? []).filter(({ since }) => isAtLeast(version, since) === true)
}

/** Each its own, so that one address can tell them apart. */
function tokenFor({ turnToken }: TurnPlan, name: string): string {
  return `${turnToken}-${name}`
}

function hideable({ checked }: TurnPlan): string {
  const { adapter } = checked
  const piped = new Set(adapter.pipes?.map(({ variable }) => variable))
  return adapter.credentials
    .filter((set) => set.forwarding || requiredVariables(set).every((name) => piped.has(name)))
    .map(({ name }) => name)
    .join(', ')
}

/** Where a secret can be read although it is not handed over. */
function whereReadable(
  plan: TurnPlan,
  secrets: readonly Secret[],
  means: readonly Means[],
): Verdict | undefined {
  const { adapter, launch } = plan.checked
  const { environment } = plan.composed
  const visible = (where: string, advice: string): Verdict => ({ exposure: 'visible', where, advice })
  for (const each of means) {
    if (each.by !== 'forwarder') continue
    const proxy = proxyFor(new URL(each.url), environment)
    if (proxy === undefined || isHttpProxy(proxy)) continue
    const advice = 'Use an HTTP proxy, or except that address in NO_PROXY.'
    return visible(`in its environment, since the way there is a proxy that does not speak HTTP`, advice)
  }
  const own = new Set(secrets.map(({ name }) => name))
  const said = [
    ...launch.prompt.map((part) => (part.type === 'text' ? part.text : '')),
    ...launch.arguments,
    ...Object.values(launch.systemPrompt),
    JSON.stringify(launch.configuration),
  ]
  for (const { name, value } of secrets) {
    const shown = whereHostShows(value)
    if (shown !== undefined) {
      return visible(
        `as ${shown}`,
        `Give ${name} to the turn from elsewhere: a file, a secret store, a pipe.`,
      )
    }
    const granted = Object.entries(environment).find(
      ([other, held]) => !own.has(other) && held.includes(value),
    )
    if (granted) return visible(`as ${granted[0]}, which was granted`, 'Grant another one.')
    if (said.some((text) => text.includes(value))) {
      return visible(
        'in what the turn was told',
        'Keep it out of the prompt, `configuration` and `arguments`.',
      )
    }
    const file = adapter.home.signIn
      .flatMap((path) =>
        [plan.home.userDirectory, plan.home.directory ?? []].flat().map((place) => join(place, path)),
      )
      .find((path) => existsSync(path) && readFileSync(path, 'utf8').includes(value))
    if (file !== undefined) return visible(`in ${file}`, `Sign out there, or use another credential.`)
  }
  return undefined
}
