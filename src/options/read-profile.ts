import type { z } from 'zod'
import { type Issue, shortened } from '../errors.ts'
import { asObject } from '../protocol/narrow.ts'
import { closestName } from './closest.ts'
import { issueAt } from './issues.ts'
import { readPlainData } from './plain-data.ts'
import { type RuntimeProfile, runtimeProfileSchema } from './profile.ts'

/** A profile as far as it can be read. */
export interface ReadProfile {
  /** What is wrong in it stands at its default, and is blank in a list. undefined: it is no object. */
  profile: RuntimeProfile | undefined
  /** What is wrong with its shape. */
  issues: Issue[]
  /** Whether something is wrong there, in it or around it: no rule speaks of what nobody could read. */
  isWrong(path: string): boolean
}

type Path = readonly PropertyKey[]
interface Fault {
  path: Path
  issue: Issue
}

export function readProfile(given: unknown): ReadProfile {
  const { value, issues: unread } = readPlainData(given)
  const faults: Fault[] = []
  let profile: RuntimeProfile | undefined
  const isObject = !unread.some(({ path }) => path === '')
  for (let isDone = !isObject; !isDone; ) {
    const result = runtimeProfileSchema.safeParse(value)
    const found = result.success ? [] : result.error.issues.flatMap((issue) => faultsOf(issue, value))
    if (result.success) profile = result.data
    for (const { path } of found) leaveOut(value, path)
    faults.push(...found)
    isDone = result.success || found.some(({ path }) => path.length === 0)
  }
  const wrong = [...unread, ...faults.map(({ issue }) => issue)].map(({ path }) => path)
  return {
    profile,
    issues: [...unread.map(inWords), ...faults.map(({ issue }) => issue)],
    isWrong: (path) => wrong.some((each) => isWithin(each, path) || isWithin(path, each)),
  }
}

function isWithin(path: string, outer: string): boolean {
  return path === outer || outer === '' || path.startsWith(`${outer}.`)
}

function inWords({ path, message, ...rest }: Issue): Issue {
  return { path, message: `${path === '' ? 'The profile' : path} ${message}.`, ...rest }
}

function faultsOf(issue: z.core.$ZodIssue, profile: unknown, around: Path = []): Fault[] {
  const path = [...around, ...issue.path]
  if (issue.code === 'invalid_union') {
    const inner = branchFor(valueAt(profile, path), issue.errors)
    if (inner) return inner.flatMap((each) => faultsOf(each, profile, path))
  }
  if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => unknownKey(path, key))
  const { path: shown } = issueAt(path.map(String), '')
  const message = `${shown === '' ? 'This' : shown} is wrong: ${issue.message}.`
  return [{ path, issue: { path: shown, message, fix: 'Correct it, or leave it out.' } }]
}

/** Of several forms the one that was meant: an object is not told that it is no text. */
function branchFor(value: unknown, branches: readonly z.core.$ZodIssue[][]): z.core.$ZodIssue[] | undefined {
  if (asObject(value) === undefined) return undefined
  return branches.find((issues) =>
    issues.every(({ path, code }) => path.length > 0 || code === 'unrecognized_keys'),
  )
}

const knownWithin: Readonly<Record<string, readonly string[]>> = {
  '': Object.keys(runtimeProfileSchema.shape),
  agentTools: ['mode'],
  apiTransport: ['mode'],
  tools: ['enabled', 'additionalBridge'],
  systemPrompt: ['append', 'replace'],
}

function unknownKey(within: Path, key: string): Fault {
  const closest = closestName(key, knownWithin[within.join('.')] ?? [])
  const path = [...within, key]
  return {
    path,
    issue: {
      path: issueAt(path.map(String), '').path,
      message: `A profile has no field "${shortened(issueAt(path.map(String), '').path)}".`,
      fix: closest === undefined ? 'Take it out.' : `Did you mean ${closest}?`,
    },
  }
}

function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (at, key) => (typeof at === 'object' && at !== null ? Reflect.get(at, key) : undefined),
    value,
  )
}

/** Only the place that is wrong: what stands beside it is still looked at. */
function leaveOut(profile: unknown, path: Path): void {
  const key = path.at(-1)
  const holder = valueAt(profile, path.slice(0, -1))
  if (key === undefined || typeof holder !== 'object' || holder === null) return
  if (Array.isArray(holder)) Reflect.set(holder, key, '')
  else Reflect.deleteProperty(holder, key)
}
