// A program that a person started through npm: it has the terminal, and what ends this ends it.
import { spawn } from 'node:child_process'
import { build, buildForNewest, root } from './newest-clis.mjs'

/** Runs node with these words in the repository, and ends as it ends. */
export function inForeground(words) {
  const program = spawn(process.execPath, words, { cwd: root, stdio: 'inherit' })
  // Ctrl-C reaches both; the program ends what it started, and says how it ended.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.on(signal, () => signal !== 'SIGINT' && program.kill(signal))
  program.on('exit', (code) => {
    process.exitCode = code ?? 1
  })
}

/** Builds the package and runs an example with the CLIs that test/clis pins; with --real: with those on PATH. */
export async function runExample(file) {
  const words = process.argv.slice(2)
  const isReal = words.includes('--real')
  if (isReal) build()
  const binaries = isReal ? [] : await buildForNewest()
  inForeground([file, ...binaries, ...words])
}
