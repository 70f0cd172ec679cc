import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Adapter } from '../adapters/adapter.ts'
import { adapters } from '../adapters/registry.ts'
import { isAtLeast } from '../adapters/version-order.ts'
import { type ConsideredSet, considerSets } from '../env/considered-credentials.ts'
import { type AgentError, type ErrorCode, isAgentError } from '../errors.ts'
import { type CheckedOptions, checkTurnOptions, resolveAdapter } from '../options/check.ts'
import type { AdapterId } from '../options/turn-options.ts'
import { type Payment, paymentOf } from './billing.ts'
import { resolveBinary } from './binary.ts'
import { judgeExposure } from './exposure.ts'
import { planTurn, type TurnPlan } from './plan-turn.ts'
import { findSignIn, type SignInFile } from './sign-in.ts'
import { findVersion } from './version.ts'

export interface DoctorOptions {
  /** Default: the built-in ones. */
  adapters?: readonly (AdapterId | Adapter)[] | undefined
  /** Default: process.env. */
  environment?: Record<string, string | undefined>
  /** By adapter id; without one the CLI is looked for on PATH. */
  binaries?: Readonly<Record<string, string | readonly string[]>> | undefined
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
  /** By the user's own sign-in, as far as its file tells; 'unknown': what is there does not tell, or may lie elsewhere. */
  signedIn: 'yes' | 'no' | 'unknown'
  /** The files of that sign-in, and what kind each is. */
  signIn: SignInFile[]
  /** The adapter's credentials in the environment: names, never values. */
  credentials: ConsideredSet[]
  /** What a turn with default options would use, by name. Several: any of them may count. */
  wouldUse: string[]
  /** Who would pay for it, as far as that tells; 'nobody' without any credential. */
  payer: Payment['payer']
  /** Whether the agent's own shell could read what a turn with default options would use; where, and what would change that. */
  exposure: { credentialExposure: 'hidden' | 'visible' | 'none' | 'unknown'; where?: string; advice?: string }
  /** Where private homes are made; '' where there is no place for them. */
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
  const plan = planOrFault(checked)
  if (isAgentError(plan)) return withoutHome(adapter, plan)
  const { floor, tested } = adapter.version
  const signIn = findSignIn(plan)
  const { payer, by } = paymentOf(plan, signIn)
  const found = await findCli(adapter, plan)
  return {
    adapter: adapter.id,
    title: adapter.title,
    versions: { floor, tested },
    ...found,
    signedIn: isSignedIn(adapter, signIn),
    signIn,
    credentials: considerSets(environment, adapter.credentials, plan.composed.credentials),
    wouldUse: by,
    payer,
    exposure: exposureOf(plan, found.version, isSignedIn(adapter, signIn)),
    home: { directory: plan.home.homes, usable: canMake(plan.home.homes) },
    limits: [...adapter.capabilities.limits],
  }
}

/** A CLI that is not there cannot be asked what it takes from a pipe. */
function exposureOf(
  plan: TurnPlan,
  version: string | undefined,
  signedIn: AdapterReport['signedIn'],
): AdapterReport['exposure'] {
  if (version === undefined) return { credentialExposure: 'unknown' }
  const verdict = judgeExposure(plan, version)
  // No credential that is seen from here: an ACP agent, for one, keeps its own.
  if (verdict.exposure === 'none' && signedIn === 'unknown') return { credentialExposure: 'unknown' }
  if (verdict.exposure !== 'visible') return { credentialExposure: verdict.exposure }
  const { where, advice } = verdict
  return {
    credentialExposure: 'visible',
    ...(where !== undefined && { where }),
    ...(advice !== undefined && { advice }),
  }
}

/** A state directory that cannot be one is a finding, too. */
function planOrFault(checked: CheckedOptions): TurnPlan | AgentError {
  try {
    return planTurn(checked, 'doctor')
  } catch (error) {
    if (isAgentError(error)) return error
    throw error
  }
}

function withoutHome(adapter: Adapter, fault: AgentError): AdapterReport {
  const { floor, tested } = adapter.version
  return {
    adapter: adapter.id,
    title: adapter.title,
    versions: { floor, tested },
    tested: 'unknown',
    problem: problemOf(fault),
    signedIn: 'unknown',
    signIn: [],
    credentials: [],
    wouldUse: [],
    payer: 'unknown',
    exposure: { credentialExposure: 'unknown' },
    home: { directory: '', usable: false },
    limits: [...adapter.capabilities.limits],
  }
}

function problemOf({ code, message, hint }: AgentError): NonNullable<AdapterReport['problem']> {
  return { code, message, ...(hint !== undefined && { hint }) }
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
    return { tested: 'unknown', problem: problemOf(error) }
  }
}

function isSignedIn(adapter: Adapter, files: readonly SignInFile[]): AdapterReport['signedIn'] {
  if (files.some(({ billing }) => billing !== 'none' && billing !== 'unknown')) return 'yes'
  const mayBe = files.some(({ billing }) => billing === 'unknown') || adapter.home.signInElsewhere === true
  return mayBe ? 'unknown' : 'no'
}

/** Whether the directory, or the nearest one above it that is there, can be written. */
function canMake(directory: string): boolean {
  let place = directory
  while (!existsSync(place) && place !== dirname(place)) place = dirname(place)
  try {
    accessSync(place, constants.W_OK | constants.X_OK)
    return statSync(place).isDirectory()
  } catch {
    return false
  }
}
