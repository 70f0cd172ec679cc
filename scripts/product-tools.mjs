// `npm run example:product-tools`: builds the package and runs the example, with the CLIs that test/clis pins and a script for a
// model. With --real: with the CLIs on PATH and the user's own accounts.
import { spawn } from 'node:child_process'
import { build, buildForNewest, root } from './newest-clis.mjs'

const words = process.argv.slice(2)
const isReal = words.includes('--real')
if (isReal) build()
const binaries = isReal ? [] : await buildForNewest()

const example = spawn(process.execPath, ['examples/product-tools/run.mjs', ...binaries, ...words], {
  cwd: root,
  stdio: 'inherit',
})
// Ctrl-C reaches both.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
  process.on(signal, () => signal !== 'SIGINT' && example.kill(signal))
example.on('exit', (code) => {
  process.exitCode = code ?? 1
})
