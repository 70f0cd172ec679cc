import { renameSync, rmSync } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { makeDirectory } from './make-directory.ts'

const whole = { recursive: true, force: true, maxRetries: 3 }
const running = new Set<Promise<void>>()

/**
 * Takes a home away at once, by its name, and deletes it while the host goes on: codex 0.171 leaves 95 files in a home, and a
 * turn should not wait for them.
 */
export function discardDirectory(directory: string, homes: string): void {
  const aside = join(asideOf(homes), basename(directory))
  try {
    makeDirectory(dirname(aside))
    renameSync(directory, aside)
  } catch {
    rmSync(directory, whole)
    return
  }
  const removal = rm(aside, whole)
    .catch(() => {})
    .finally(() => running.delete(removal))
  running.add(removal)
}

/** Resolves when what was discarded so far is deleted. */
export async function discardsOver(): Promise<void> {
  await Promise.all(running)
}

/** Deletes what a process that died first had put aside. */
export async function finishRemovals(homes: string): Promise<void> {
  const folder = asideOf(homes)
  for (const name of await readdir(folder).catch(() => []))
    await rm(join(folder, name), whole).catch(() => {})
}

function asideOf(homes: string): string {
  return join(homes, '.removed')
}
