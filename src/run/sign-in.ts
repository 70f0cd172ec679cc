import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { SignInBilling } from '../adapters/home-declaration.ts'
import type { TurnPlan } from './plan-turn.ts'

/** A file of the user's sign-in within the child's reach. */
export interface SignInFile {
  path: string
  /** Who pays for it, as far as it tells. */
  billing: SignInBilling
}

/** A sign-in is some kilobytes; what is larger is none that could be read in passing. */
const longestFile = 1024 * 1024

/** The sign-in that a turn of this plan would find, as far as files tell. Nothing of what they hold is kept but who pays. */
export function findSignIn({ checked, home }: TurnPlan): SignInFile[] {
  const { adapter, launch } = checked
  const { signIn, signInBilling } = adapter.home
  const billingOf = (path: string): SignInBilling => signInBilling?.(read(path), launch.model) ?? 'unknown'
  return signIn.flatMap((name) => {
    const path = placeOf(name, home)
    return path === undefined ? [] : [{ path, billing: billingOf(path) }]
  })
}

/** The first that signs somebody in, as far as files tell: one that holds no login is no credential. */
export function heldSignIn(plan: TurnPlan): SignInFile | undefined {
  return findSignIn(plan).find(({ billing }) => billing !== 'none')
}

/** A file that stands in the home already, or the user's own that will be linked there. */
function placeOf(name: string, home: TurnPlan['home']): string | undefined {
  if (home.directory === undefined) return whereItIs(join(home.userDirectory, name))
  const path = join(home.directory, name)
  if (home.absent.includes(path)) return undefined
  const link = home.links.find((each) => each.path === path)
  return whereItIs(path) ?? (link && whereItIs(link.target))
}

function whereItIs(path: string): string | undefined {
  return existsSync(path) ? path : undefined
}

function read(path: string): unknown {
  try {
    if (statSync(path).size > longestFile) return undefined
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    // Unreadable, or no JSON: it does not tell.
    return undefined
  }
}
