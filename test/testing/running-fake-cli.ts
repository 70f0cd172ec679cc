import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { type FakeCli, fakeCli } from '../../src/testing/fake-cli.ts'
import type { FakeCliScript, FakeStep } from '../../src/testing/fake-cli-script.ts'

/** The one that `make` or `start` made last: whoever imports it removes it after each test. */
export let fake: FakeCli

export interface Ended {
  chunks: string[]
  stdout: Buffer
  stderr: string
  exitCode: number | null
  signal: string | null
  stdinError: string | undefined
}

export async function make(script: FakeCliScript): Promise<void> {
  fake = await fakeCli(script)
}

export async function start(script: FakeCliScript | FakeStep[], argv: string[] = []) {
  await make(Array.isArray(script) ? { steps: script } : script)
  const [node, file] = fake.binary
  return spawn(node, [file, ...argv], { env: { MARK: 'here' } })
}

/** Everything up to the end of both pipes. */
export async function end(child: ChildProcessWithoutNullStreams): Promise<Ended> {
  const chunks: Buffer[] = []
  const errors: Buffer[] = []
  let stdinError: string | undefined
  child.stdout.on('data', (chunk) => chunks.push(chunk))
  child.stderr.on('data', (chunk) => errors.push(chunk))
  child.stdin.on('error', (error: NodeJS.ErrnoException) => {
    stdinError = error.code
  })
  const [exitCode, signal] = await once(child, 'close')
  return {
    chunks: chunks.map((chunk) => chunk.toString('latin1')),
    stdout: Buffer.concat(chunks),
    stderr: Buffer.concat(errors).toString('utf8'),
    exitCode,
    signal,
    stdinError,
  }
}

export async function run(
  script: FakeCliScript | FakeStep[],
  stdin = '',
  argv: string[] = [],
): Promise<Ended> {
  const child = await start(script, argv)
  const ended = end(child)
  child.stdin.end(stdin)
  return ended
}
