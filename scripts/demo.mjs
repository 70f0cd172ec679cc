// `npm run demo`: installs the pinned CLIs where they are missing, builds the package, and runs `coxswain demo` with them.
import { spawn, spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { ensureRealClis, realClis } from './real-clis.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))

await ensureRealClis()
const build = spawnSync(process.execPath, ['node_modules/tsup/dist/cli-default.js', '--no-dts', '--silent'], {
  cwd: root,
  stdio: 'inherit',
})
if (build.status !== 0) process.exit(build.status ?? 1)

// The first of each adapter is the newest.
const newest = new Map([...realClis].reverse().map((cli) => [cli.adapter, cli.binary]))
const binaries = [...newest].flatMap(([adapter, binary]) =>
  binary.map((word) => `--binary=${adapter}=${word}`),
)
const demo = spawn(process.execPath, ['dist/cli.js', 'demo', ...binaries, ...process.argv.slice(2)], {
  cwd: root,
  stdio: 'inherit',
})
// Ctrl-C reaches both; the demo stops its turns first and says how it ended.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
  process.on(signal, () => signal !== 'SIGINT' && demo.kill(signal))
demo.on('exit', (code) => {
  process.exitCode = code ?? 1
})
