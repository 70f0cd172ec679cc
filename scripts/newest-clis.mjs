// The package, built, with the newest of the real CLIs that test/clis pins.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { ensureRealClis, realClis } from './real-clis.mjs'

export const root = fileURLToPath(new URL('..', import.meta.url))

/** Installs the CLIs where they are missing and builds. Returns the flags that name them to `coxswain demo` and `matrix`. */
export async function buildForNewest() {
  await ensureRealClis(console.error)
  const build = spawnSync(
    process.execPath,
    ['node_modules/tsup/dist/cli-default.js', '--no-dts', '--silent'],
    {
      cwd: root,
      stdio: 'inherit',
    },
  )
  if (build.status !== 0) process.exit(build.status ?? 1)
  // The first of each adapter is the newest.
  const newest = new Map([...realClis].reverse().map((cli) => [cli.adapter, cli.binary]))
  return [...newest].flatMap(([adapter, binary]) => binary.map((word) => `--binary=${adapter}=${word}`))
}
