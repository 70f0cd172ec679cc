// `npm run demo`: installs the pinned CLIs where they are missing, builds the package, and runs `coxswain demo` with them.
import { spawn } from 'node:child_process'
import { buildForNewest, root } from './newest-clis.mjs'

const binaries = await buildForNewest()
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
