import { mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Makes a directory and what is missing above it, mode 0700. One by one, for where nothing can be made, as below /proc, Node's own
 * `recursive` never comes back (20.20.2, 24.21.0).
 */
export function makeDirectory(path: string): void {
  if (isDirectory(path)) return
  const above = dirname(path)
  if (above !== path) makeDirectory(above)
  try {
    mkdirSync(path, { mode: 0o700 })
  } catch (error) {
    // Another turn may have been faster.
    if (!isDirectory(path)) throw error
  }
}

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
}
