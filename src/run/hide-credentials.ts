import type { LaunchEndpoint } from '../adapters/launch-options.ts'
import { type Forwarder, startForwarder } from '../forwarder/forwarder.ts'
import { directLoopback } from '../forwarder/proxy.ts'
import { firstPipe } from './child.ts'
import type { Means, Verdict } from './exposure.ts'

/** What a turn has instead of its credentials. */
export interface HiddenCredentials {
  /** In the place of the options' own. */
  endpoint: LaunchEndpoint | undefined
  /** For `launch`. */
  forwarders: Readonly<Record<string, string>>
  /** Takes the child's environment as it would be, and gives it without the secrets, with what is on the pipes. */
  apply(environment: Readonly<Record<string, string>>): {
    environment: Record<string, string>
    pipes: string[]
  }
  /** From then on the tokens are good for nothing. */
  close(): void
}

type Forwarded = Extract<Means, { by: 'forwarder' }>

/** Opens what the verdict says, which for one that is not 'hidden' is nothing. */
export async function hideCredentials(
  verdict: Verdict,
  endpoint: LaunchEndpoint | undefined,
  variables: Readonly<Record<string, string>>,
): Promise<HiddenCredentials> {
  const means = verdict.exposure === 'hidden' ? verdict.means : []
  const forwarded = means.filter((each) => each.by === 'forwarder')
  const open = new Map<string, Forwarder>()
  const close = () => {
    for (const forwarder of open.values()) forwarder.close()
  }
  try {
    for (const url of new Set(forwarded.map((each) => each.url))) {
      open.set(url, await openForwarder(url, forwarded, variables))
    }
  } catch (error) {
    close()
    throw error
  }
  const addressOf = ({ url }: Forwarded) => open.get(url)?.url ?? ''
  const own = forwarded.find(({ set }) => set === undefined)
  return {
    endpoint:
      own && endpoint
        ? { ...without(endpoint, 'headers'), url: addressOf(own), credential: own.token }
        : endpoint,
    forwarders: Object.fromEntries(
      forwarded.flatMap((each) => (each.set === undefined ? [] : [[each.set, addressOf(each)]])),
    ),
    apply: (environment) => withoutSecrets(environment, means),
    close,
  }
}

function openForwarder(
  url: string,
  forwarded: readonly Forwarded[],
  variables: Readonly<Record<string, string>>,
): Promise<Forwarder> {
  const here = forwarded.filter((each) => each.url === url)
  const exchanges = here.map(({ token, credential }) => ({ token, credential }))
  const headers = Object.assign({}, ...here.map((each) => each.headers))
  return startForwarder({ upstream: url, exchanges, headers, variables })
}

function withoutSecrets(
  given: Readonly<Record<string, string>>,
  means: readonly Means[],
): { environment: Record<string, string>; pipes: string[] } {
  const environment = { ...given }
  const pipes: string[] = []
  for (const each of means) {
    if (each.by === 'forwarder') {
      if (each.variable !== undefined) environment[each.variable] = each.token
      continue
    }
    const { variable, descriptor } = each.pipe
    const value = environment[variable]
    delete environment[variable]
    if (value === undefined) continue
    environment[descriptor] = String(firstPipe + pipes.length)
    // A line's end, for a reader that waits for one.
    pipes.push(`${value}\n`)
  }
  const isForwarded = means.some(({ by }) => by === 'forwarder')
  return { environment: { ...environment, ...(isForwarded && directLoopback(environment)) }, pipes }
}

function without<T extends object, Key extends keyof T>(object: T, key: Key): Omit<T, Key> {
  const { [key]: _, ...rest } = object
  return rest
}
