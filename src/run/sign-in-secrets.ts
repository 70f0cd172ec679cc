import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { HomePlan } from '../env/home.ts'
import { type Secret, secretsInSignIn } from '../env/secrets.ts'

/** No sign-in is as large; what is, is something else. */
const largestFile = 1024 * 1024

/** The tokens of the user's sign-in that a child reaches: through the links of its home, or in the user's own. */
export function findSignInSecrets(home: HomePlan, signIn: readonly string[]): Secret[] {
  const files =
    home.directory === undefined
      ? signIn.map((name) => join(home.userDirectory, name))
      : home.links.flatMap((link) => (link.kind === 'sign-in' ? [link.path] : []))
  return files.flatMap((file) => secretsInSignIn(read(file)))
}

/** Of a file that signs nobody in, as far as its kind tells. */
export function holdsTokens(file: string): boolean {
  return secretsInSignIn(read(file)).length > 0
}

function read(file: string): string {
  try {
    const found = statSync(file)
    return found.isFile() && found.size <= largestFile ? readFileSync(file, 'utf8') : ''
  } catch {
    return ''
  }
}
