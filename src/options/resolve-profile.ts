import type { z } from 'zod'
import type { Adapter } from '../adapters/adapter.ts'
import { AgentError, type Issue, shortened } from '../errors.ts'
import { resolveAdapter } from './check.ts'
import { closestName } from './closest.ts'
import { present } from './present.ts'
import { type RuntimeProfile, runtimeProfileSchema } from './profile.ts'
import { contradictionsIn, limitsOn } from './profile-rules.ts'
import { capabilitiesOn, resolveTransport } from './transport.ts'
import type { TurnOptions } from './turn-options.ts'

/**
 * A turn's options of a profile, for one CLI: spread them into `startTurn` or `openSession`, beside the prompt and the bridge. It
 * adds no text to any prompt.
 *
 * @param version the CLI's, where it is known: 'auto' falls back below the floor of the live transport
 * @throws AgentError `invalid_options` with all that is wrong in `issues`, each with its path and what to do
 */
export function resolveProfile(
  profile: z.input<typeof runtimeProfileSchema>,
  adapter: string | Adapter,
  version?: string,
): Partial<TurnOptions> {
  const resolved = resolveAdapter(adapter)
  const result = runtimeProfileSchema.safeParse(profile)
  const shape = result.success ? [] : result.error.issues.flatMap(shapeIssues)
  // What has a wrong word in one place is looked at as if it were not there, so that everything is said at once.
  const read = result.success ? result.data : withoutFaults(profile, result.error)
  const issues = [
    ...shape,
    ...(read ? [...contradictionsIn(read), ...limitsOn(resolved, read, version)] : []),
  ]
  if (issues.length > 0 || !read) throw refusal(issues)
  return optionsOf(read, resolved, version)
}

function optionsOf(
  profile: RuntimeProfile,
  adapter: Adapter,
  version: string | undefined,
): Partial<TurnOptions> {
  const { transport, liveInput, approvals, agentTools, apiTransport, systemPrompt } = profile
  const { enabled, additionalBridge = [] } = profile.tools
  const allow = enabled && [...enabled, ...additionalBridge].map((name) => name.trim())
  const isNativeShell = apiTransport.mode === 'native_shell'
  const choice = resolveTransport(adapter, { transport, liveInput, approvals }, version)
  const { sandbox } = capabilitiesOn(adapter, choice.transport)
  const prompt =
    typeof systemPrompt === 'string' ? { append: systemPrompt } : systemPrompt && present(systemPrompt)
  return {
    transport,
    liveInput,
    approvals,
    tools: { mode: agentTools.mode, ...(allow && { allow }) },
    ...(prompt && { systemPrompt: prompt }),
    // A sandbox lets a shell out to the loopback only where it is told to.
    ...(isNativeShell && {
      apiTransport: 'native_shell' as const,
      network: true,
      ...(sandbox.includes('workspace-write') &&
        approvals !== 'approve-all' && { sandbox: 'workspace-write' as const }),
    }),
  }
}

function shapeIssues(issue: z.core.$ZodIssue): Issue[] {
  const path = issue.path.map(String).join('.')
  if (issue.code !== 'unrecognized_keys') {
    return [
      {
        path,
        message: `${path === '' ? 'This' : path} is wrong: ${issue.message}.`,
        fix: 'Correct it, or leave it out.',
      },
    ]
  }
  return issue.keys.map((key) => {
    const closest = closestName(
      key,
      path === '' ? Object.keys(runtimeProfileSchema.shape) : ['mode', 'enabled', 'additionalBridge'],
    )
    return {
      path: path === '' ? shortened(key) : `${path}.${shortened(key)}`,
      message: `A profile has no ${shortened(key)} there.`,
      fix: closest === undefined ? 'Take it out.' : `Did you mean ${closest}?`,
    }
  })
}

/** The profile without the keys at its top level that are wrong. undefined: it is no object. */
function withoutFaults(profile: unknown, error: z.ZodError): RuntimeProfile | undefined {
  if (typeof profile !== 'object' || profile === null) return undefined
  const wrong = new Set<string>()
  for (const issue of error.issues) {
    const [key] = issue.path
    if (key !== undefined) wrong.add(String(key))
    else if (issue.code === 'unrecognized_keys') for (const each of issue.keys) wrong.add(each)
  }
  const kept = Object.entries(profile).filter(([key]) => !wrong.has(key))
  const again = runtimeProfileSchema.safeParse(Object.fromEntries(kept))
  return again.success ? again.data : undefined
}

function refusal(issues: Issue[]): AgentError {
  const [first] = issues
  const more = issues.length > 1 ? ` (and ${issues.length - 1} more)` : ''
  return new AgentError(
    'invalid_options',
    `The profile is refused: ${first?.message ?? 'it is no object.'}${more}`,
    {
      ...(first?.fix !== undefined && { hint: first.fix }),
      issues,
    },
  )
}
