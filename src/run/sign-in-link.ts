import { lstatSync, readFileSync, renameSync, writeFileSync } from 'node:fs'

/** A link in a home to the user's own sign-in. */
export interface SignInLink {
  path: string
  target: string
}

/**
 * A CLI that renames a new file over the link has put the refreshed sign-in into the home, which is about to go; the old
 * refresh token is worth nothing then, so the new one takes its place. Not where the user has signed in anew since.
 */
export function keepRefreshedSignIn({ path, target }: SignInLink): void {
  const found = lstatSync(path, { throwIfNoEntry: false })
  if (!found?.isFile()) return
  const theirs = lstatSync(target, { throwIfNoEntry: false })
  if (theirs && theirs.mtimeMs > found.mtimeMs) return
  const beside = `${target}.coxswain-${process.pid}`
  writeFileSync(beside, readFileSync(path), { mode: 0o600 })
  renameSync(beside, target)
}
