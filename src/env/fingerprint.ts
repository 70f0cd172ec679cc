import { createHash } from 'node:crypto'
import { grantEnvironment, type Scope } from './grant.ts'

/**
 * Tells whether two scopes grant the same: 64 hexadecimal digits that hold neither names nor values. An undeclared scope, an
 * empty one and a full one differ; the order of the names, and names without a value, make no difference. A process started
 * under another fingerprint must be started anew, or a revoked secret lives on in it.
 */
export function environmentFingerprint(scope: Scope | undefined): string {
  const { declared, granted } = grantEnvironment(scope)
  const hash = createHash('sha256').update(declared ? 'declared' : 'undeclared')
  for (const name of Object.keys(granted).sort()) {
    for (const text of [name, granted[name] ?? '']) {
      // UTF-16, because UTF-8 turns every lone surrogate into the same character.
      const bytes = Buffer.from(text, 'utf16le')
      hash.update(`;${bytes.length}:`).update(bytes)
    }
  }
  return hash.digest('hex')
}
