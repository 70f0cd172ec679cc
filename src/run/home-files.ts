import { chmodSync, existsSync, lstatSync, type Stats, symlinkSync, unlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { PlannedFile } from '../adapters/adapter.ts'
import type { HomeLink, HomePlan } from '../env/home.ts'
import { AgentError, wordsOf } from '../errors.ts'
import { claimHome, type HomeClaim, removeAbandonedHomes } from './home-owners.ts'
import { discardDirectory } from './home-removal.ts'
import { makeDirectory } from './make-directory.ts'
import { keepRefreshedSignIn } from './sign-in-link.ts'

/** A configuration home on disk. */
export interface PreparedHome {
  /** A 0700 directory of this turn's own: the home, where there is one. */
  directory: string
  /** The user's sign-in is within the child's reach through the home. */
  hasSignIn: boolean
  write(files: readonly PlannedFile[]): void
  /** When nothing of the turn is left. */
  remove(): void
}

/**
 * Carries out the plan of a home. What dead processes left beside it is removed on the way. Synchronous, as it is some twenty
 * small calls: less than a spawn takes, where as many turns of a busy event loop took 70 ms.
 */
export function prepareHome(plan: HomePlan, turnId: string): PreparedHome {
  const temporary = plan.directory === undefined ? join(plan.homes, turnId) : undefined
  const directory = plan.directory ?? join(plan.homes, turnId)
  const doomed = temporary === undefined ? plan.remove : [temporary]
  let claim: HomeClaim | undefined
  const signIns: HomeLink[] = []
  let hasSignIn = false
  const remove = () => {
    for (const link of signIns) keepRefreshedSignIn(link)
    for (const path of doomed) discardDirectory(path, plan.homes)
    claim?.release()
  }
  try {
    if (doomed.length > 0) {
      makeDirectory(plan.homes)
      claim = claimHome(
        plan.homes,
        turnId,
        plan.links.filter(({ kind }) => kind === 'sign-in'),
      )
      void removeAbandonedHomes(plan.homes)
    }
    for (const path of temporary === undefined ? plan.directories : [temporary]) {
      makeDirectoryOf(plan, path)
    }
    for (const path of plan.absent) demandAbsence(path)
    for (const link of plan.links) {
      const made = makeLink(link)
      if (link.kind !== 'sign-in') continue
      if (made === 'made') signIns.push(link)
      hasSignIn ||= made !== 'no target'
    }
  } catch (error) {
    try {
      remove()
    } catch {
      // What kept it from being made keeps it from being removed: the first fault is the story.
    }
    throw homeError(error, directory, plan.remove.length > 0 || plan.directory === undefined)
  }
  return { directory, hasSignIn, write: (files) => write(files, directory), remove }
}

function write(files: readonly PlannedFile[], directory: string): void {
  try {
    for (const { path, content, encoding = 'utf8' } of files) {
      const file = join(directory, path)
      makeDirectory(dirname(file))
      writeFileSync(file, content, { mode: 0o600, encoding })
      // The mode above is for a new file only.
      chmodSync(file, 0o600)
    }
  } catch (error) {
    throw homeError(error, directory, true)
  }
}

/** Says of a directory for the conversations that it is one: what is wrong there has another cure. */
function makeDirectoryOf(plan: HomePlan, path: string): void {
  try {
    makeDirectory(path)
  } catch (error) {
    const isAbove = (target: string) => `${target}/`.startsWith(`${path}/`)
    const holdsTalks = plan.links.some(({ kind, target }) => kind === 'conversations' && isAbove(target))
    if (!holdsTalks || isAbove(plan.homes)) throw error
    throw new AgentError('spawn_failed', `The conversations cannot be kept in ${path}: ${wordsOf(error)}.`, {
      hint: 'Give another directory as `conversations.directory`, one that can be written.',
      cause: error,
    })
  }
}

function makeLink(link: HomeLink): 'made' | 'taken' | 'no target' {
  if (link.kind === 'sign-in' && !look(link.target)) return existsSync(link.path) ? 'taken' : 'no target'
  try {
    symlinkSync(link.target, link.path)
    return 'made'
  } catch (error) {
    if (isErrno(error, 'EEXIST')) return 'taken'
    throw error
  }
}

function demandAbsence(path: string): void {
  const found = look(path)
  if (!found) return
  if (found.isSymbolicLink()) {
    unlinkSync(path)
    return
  }
  throw new AgentError('invalid_options', `${path} holds a sign-in, which this turn must not have.`, {
    hint: "Remove it, give another `home` directory, or leave `credentials` at 'inherit'.",
  })
}

/** What is at a path, a link itself; undefined: nothing. */
function look(path: string): Stats | undefined {
  return lstatSync(path, { throwIfNoEntry: false })
}

/** @param isOurs it lies in the state directory */
function homeError(error: unknown, directory: string, isOurs: boolean): unknown {
  if (error instanceof AgentError) return error
  return new AgentError('spawn_failed', `The home ${directory} could not be prepared: ${wordsOf(error)}.`, {
    hint: isOurs
      ? 'Check that its directory can be written, or set XDG_STATE_HOME.'
      : 'Give another directory as `home.directory`, one that can be written.',
    cause: error,
  })
}

function isErrno(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
