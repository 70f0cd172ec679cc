import { record } from '../testing/recorder.ts'
import { type CommandLine, type Flag, UsageError } from './flags.ts'
import { exitCodeFor, watchInterrupts } from './follow-turn.ts'
import type { Screen } from './io.ts'
import { namedAdapter } from './named-adapter.ts'
import { TurnRenderer } from './render.ts'
import { promptOf } from './run-command.ts'
import { promptWithImages, turnFlags, turnOptionsOf } from './turn-flags.ts'

export const recordFlags: readonly Flag[] = [
  { name: 'directory', short: 'd', value: 'DIRECTORY', help: 'where the fixture goes (default: here)' },
  { name: 'verbose', short: 'v', help: 'show notices, too' },
  ...turnFlags.filter(({ name }) => name !== 'transport'),
  { name: 'transport', value: 'WORD', help: 'structured (default, one-shot) or live' },
]

export async function recordCommand(line: CommandLine, screen: Screen): Promise<number> {
  const { io, out, err } = screen
  const [adapterName, name, ...words] = line.positionals
  const adapter = namedAdapter(adapterName)
  if (name === undefined)
    throw new UsageError('Name the case.', `Such as: coxswain record ${adapterName} tool "…"`)
  const prompt = promptWithImages(await promptOf(words, screen), line)
  const renderer = new TurnRenderer(out, err, { verbose: line.values.has('verbose') })
  const stop = new AbortController()
  const release = watchInterrupts(io, () => stop.abort())
  // The events come faster than a slow terminal shows them, and none may be shown before the one it follows.
  let shown = Promise.resolve()
  try {
    const result = await record({
      turn: {
        ...turnOptionsOf(line, io.environment),
        adapter,
        prompt,
        environment: { ...io.environment },
        signal: stop.signal,
      },
      directory: line.values.get('directory')?.[0] ?? '.',
      name,
      onEvent: (event) => {
        shown = shown.then(() => renderer.render(event))
      },
    })
    await shown
    const { exitCode, signal } = result.exit
    await err.line(`Recorded ${result.path} (${signal ?? `exit ${exitCode}`}).`)
    for (const { what, by, count } of result.replaced) await err.line(`  ${what}: ${count} times, now ${by}`)
    await err.line('Read it before you publish it: only what is listed here was replaced.')
    return exitCodeFor(result.completion)
  } finally {
    release()
  }
}
