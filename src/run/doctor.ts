import { accessSync, constants, existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Adapter } from '../adapters/adapter.ts'
import { adapters } from '../adapters/registry.ts'
import { isAtLeast } from '../adapters/version-order.ts'
import { type ErrorCode, isAgentError } from '../errors.ts'
import { checkTurnOptions, resolveAdapter } from '../options/check.ts'
import { resolveBinary } from './binary.ts'
import { planTurn, type TurnPlan } from './prepare.ts'
import { findVersion } from './version.ts'

export interface DoctorOptions {
  /** Default: the built-in ones. */
  adapters?: readonly (string | Adapter)[]
  /** Default: process.env. */
  environment?: Record<string, string | undefined>
  /** By adapter id; without one the CLI is looked for on PATH. */
  binaries?: Readonly<Record<string, string | [string, ...string[]]>>
}

export interface DoctorReport {
  /** The Node that runs this. */
  node: string
  platform: NodeJS.Platform
  adapters: AdapterReport[]
}

export interface AdapterReport {
  adapter: string
  title: string
  /** The file that would be started; absent: none was found. */
  binary?: string
  /** 'unknown' where the CLI does not tell. */
  version?: string
  versions: { floor: string; tested: string }
  /** Whether that version is between the floor and the newest tested one. */
  tested: 'yes' | 'newer' | 'too_old' | 'unknown'
  /** Why no turn could start, with what to do. */
  problem?: { code: ErrorCode; message: string; hint?: string }
  /** The files of the user's own sign-in that are there. */
  signIn: string[]
  /** The adapter's credentials in the environment: names, never values. */
  credentials: { set: string; billing: 'api' | 'subscription'; variables: string[]; inUse: boolean }[]
  /** Who pays, as far as the environment and the sign-in tell; 'nobody' is signed in. */
  payer: 'api' | 'subscription' | 'mixed' | 'sign-in' | 'nobody'
  /** Where private homes are made. */
  home: { directory: string; usable: boolean }
  /** What cannot be kept from a private home on this CLI. */
  limits: string[]
}

/** What stands in the way of a turn on each CLI, and on whose account it would run. Starts nothing but `--version`. */
export async function doctor(options: DoctorOptions = {}): Promise<DoctorReport> {
  const asked = (options.adapters ?? Object.values(adapters)).map(resolveAdapter)
  return {
    node: process.version,
    platform: process.platform,
    adapters: await Promise.all(asked.map((adapter) => examine(adapter, options))),
  }
}

async function examine(adapter: Adapter, options: DoctorOptions): Promise<AdapterReport> {
  const { environment = process.env, binaries = {} } = options
  const binary = binaries[adapter.id]
  const checked = checkTurnOptions({ adapter, prompt: 'doctor', environment, binary })
  const plan = planTurn(checked, 'doctor')
  const { floor, tested } = adapter.version
  const signIn = adapter.home.signIn
    .map((name) => join(plan.home.userDirectory, name))
    .filter((path) => existsSync(path))
  return {
    adapter: adapter.id,
    title: adapter.title,
    versions: { floor, tested },
    ...(await findCli(adapter, plan)),
    signIn,
    credentials: credentialsIn(adapter, plan, environment),
    payer: plan.composed.credentials.billing ?? (signIn.length > 0 ? 'sign-in' : 'nobody'),
    home: { directory: plan.home.homes, usable: canMake(plan.home.homes) },
    limits: [...adapter.capabilities.limits],
  }
}

async function findCli(
  adapter: Adapter,
  plan: TurnPlan,
): Promise<Pick<AdapterReport, 'binary' | 'version' | 'tested' | 'problem'>> {
  const { environment } = plan.composed
  try {
    const binary = await resolveBinary(adapter, plan.checked.binary, environment.PATH)
    const version = await findVersion(adapter, binary, environment)
    const found = { binary: binary.script, version }
    const { floor, tested } = adapter.version
    const isNewEnough = isAtLeast(version, floor)
    if (isNewEnough === undefined) return { ...found, tested: 'unknown' }
    if (isNewEnough) return { ...found, tested: isAtLeast(tested, version) ? 'yes' : 'newer' }
    return {
      ...found,
      tested: 'too_old',
      problem: {
        code: 'unsupported_version',
        message: `${version} is older than ${floor}, the oldest that works.`,
        hint: `Update it: ${adapter.install}.`,
      },
    }
  } catch (error) {
    if (!isAgentError(error)) throw error
    const { code, message, hint } = error
    return { tested: 'unknown', problem: { code, message, ...(hint !== undefined && { hint }) } }
  }
}

function credentialsIn(
  adapter: Adapter,
  { composed }: TurnPlan,
  environment: Readonly<Record<string, string | undefined>>,
): AdapterReport['credentials'] {
  return adapter.credentials
    .map(({ name, billing, variables }) => ({
      set: name,
      billing,
      variables: variables.filter((variable) => (environment[variable] ?? '').trim() !== ''),
      inUse: composed.credentials.sets.includes(name),
    }))
    .filter(({ variables }) => variables.length > 0)
}

/** Whether the directory, or the nearest one above it that is there, can be written. */
function canMake(directory: string): boolean {
  let place = directory
  while (!existsSync(place) && place !== dirname(place)) place = dirname(place)
  try {
    accessSync(place, constants.W_OK | constants.X_OK)
    return true
  } catch {
    return false
  }
}
