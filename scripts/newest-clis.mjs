// The package, built, with the newest of the real CLIs that test/clis pins.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { ensureRealClis, newestClis } from './real-clis.mjs'

export const root = fileURLToPath(new URL('..', import.meta.url))

/** Installs the CLIs where they are missing and builds. Returns the flags that name them to `coxswain demo` and `matrix`. */
export async function buildForNewest() {
  await ensureRealClis(console.error)
  build()
  return newestClis().flatMap(({ adapter, binary }) => binary.map((word) => `--binary=${adapter}=${word}`))
}

export function build() {
  const { status } = spawnSync(
    process.execPath,
    ['node_modules/tsup/dist/cli-default.js', '--no-dts', '--silent'],
    { cwd: root, stdio: 'inherit' },
  )
  if (status !== 0) process.exit(status ?? 1)
}
