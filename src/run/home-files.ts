import { chmod, lstat, mkdir, readFile, rename, rm, symlink, unlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { PlannedFile } from '../adapters/adapter.ts'
import type { HomeLink, HomePlan } from '../env/home.ts'
import { AgentError } from '../errors.ts'
import { claimHome, type HomeClaim, removeAbandonedHomes } from './home-owners.ts'

/** A configuration home on disk. */
export interface PreparedHome {
  /** A 0700 directory of this turn's own: the home, where there is one. */
  directory: string
  /** The user's sign-in is within the child's reach through the home. */
  hasSignIn: boolean
  write(files: readonly PlannedFile[]): Promise<void>
  /** When nothing of the turn is left. */
  remove(): Promise<void>
}

/** Carries out the plan of a home. What dead processes left beside it is removed on the way. */
export async function prepareHome(plan: HomePlan, turnId: string): Promise<PreparedHome> {
  const temporary = plan.directory === undefined ? join(plan.homes, turnId) : undefined
  const directory = plan.directory ?? join(plan.homes, turnId)
  const doomed = temporary === undefined ? plan.remove : [temporary]
  let claim: HomeClaim | undefined
  const signIns: HomeLink[] = []
  const remove = async () => {
    for (const link of signIns) await keepRefreshedSignIn(link)
    for (const path of doomed) await rm(path, { recursive: true, force: true, maxRetries: 3 })
    await claim?.release()
  }
  try {
    if (doomed.length > 0) {
      await mkdir(plan.homes, { recursive: true, mode: 0o700 })
      claim = await claimHome(plan.homes, turnId)
      void removeAbandonedHomes(plan.homes)
    }
    for (const path of temporary === undefined ? plan.directories : [temporary]) {
      await mkdir(path, { recursive: true, mode: 0o700 })
    }
    for (const path of plan.absent) await demandAbsence(path)
    for (const link of plan.links) if ((await makeLink(link)) && link.kind === 'sign-in') signIns.push(link)
  } catch (error) {
    await remove().catch(() => {})
    throw homeError(error, directory)
  }
  return { directory, hasSignIn: signIns.length > 0, write: (files) => write(files, directory), remove }
}

async function write(files: readonly PlannedFile[], directory: string): Promise<void> {
  try {
    for (const { path, content, encoding = 'utf8' } of files) {
      const file = join(directory, path)
      await mkdir(dirname(file), { recursive: true, mode: 0o700 })
      await writeFile(file, content, { mode: 0o600, encoding })
      // The mode above is for a new file only.
      await chmod(file, 0o600)
    }
  } catch (error) {
    throw homeError(error, directory)
  }
}

/** true: the link stands. */
async function makeLink(link: HomeLink): Promise<boolean> {
  if (link.kind === 'sign-in' && !(await exists(link.target))) return false
  try {
    await symlink(link.target, link.path)
  } catch (error) {
    if (!isErrno(error, 'EEXIST')) throw error
  }
  return true
}

/**
 * A CLI that renames a new file over the link has put the refreshed sign-in into the home, which is about to go; the old
 * refresh token is worth nothing then, so the new one takes its place.
 */
async function keepRefreshedSignIn(link: HomeLink): Promise<void> {
  const found = await lstat(link.path).catch(() => undefined)
  if (!found?.isFile()) return
  const beside = `${link.target}.coxswain-${process.pid}`
  await writeFile(beside, await readFile(link.path), { mode: 0o600 })
  await rename(beside, link.target)
}

async function demandAbsence(path: string): Promise<void> {
  const found = await lstat(path).catch(() => undefined)
  if (found?.isSymbolicLink()) return unlink(path)
  if (!found) return
  throw new AgentError('invalid_options', `${path} holds a sign-in, which this turn must not have.`, {
    hint: "Remove it, give another `home` directory, or leave `credentials` at 'inherit'.",
  })
}

async function exists(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => undefined)) !== undefined
}

function homeError(error: unknown, directory: string): unknown {
  if (error instanceof AgentError) return error
  const what = error instanceof Error ? error.message : String(error)
  return new AgentError('spawn_failed', `The home ${directory} could not be prepared: ${what}.`, {
    hint: 'Check that its directory can be written, or set XDG_STATE_HOME.',
    cause: error,
  })
}

function isErrno(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
