import { mkdirSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build } from 'tsup'
import { afterAll, beforeAll } from 'vitest'

/**
 * A host program of ./programs, built as a package would be, with the watchdog's program beside it: before the tests of the file
 * that asks, until they are over. Returns the folder, with a slash at its end; the program is its `host.js`.
 */
export function builtHost(program: string): string {
  // Inside the repository, so that the built files find their dependencies.
  const folder = fileURLToPath(new URL(`../../.cache/${program}-${process.pid}/`, import.meta.url))
  beforeAll(async () => {
    mkdirSync(folder, { recursive: true })
    await build({
      config: false,
      entry: {
        host: fileURLToPath(new URL(`./programs/${program}.ts`, import.meta.url)),
        'watchdog-process': fileURLToPath(new URL('../../src/run/watchdog-process.js', import.meta.url)),
      },
      outDir: folder,
      format: 'esm',
      target: 'node20',
      silent: true,
    })
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
