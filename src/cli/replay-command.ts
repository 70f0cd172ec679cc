import { createReadStream, existsSync } from 'node:fs'
import type { Adapter } from '../adapters/adapter.ts'
import { replay } from '../run/replay.ts'
import { findRecordings, isTwoWay, readRecording, versionInPath } from '../testing/recording.ts'
import { checkRecordings } from './check-recordings.ts'
import { type CommandLine, type Flag, UsageError } from './flags.ts'
import { watchInterrupts } from './follow-turn.ts'
import { exitCodes, type Screen } from './io.ts'
import { namedAdapter } from './named-adapter.ts'
import { TurnRenderer } from './render.ts'
import { transportIn } from './replay-transport.ts'

export const replayFlags: readonly Flag[] = [
  { name: 'check', help: 'verify the guarantees; files or whole folders' },
  { name: 'json', help: 'print the events, one JSON object per line; with --check: one per file' },
  { name: 'raw', help: "with --json: each event with the CLI's own record" },
  { name: 'resume', value: 'SESSION', help: 'the recorded turn resumed this conversation' },
  { name: 'transport', value: 'WIRE', help: 'structured (the default), or live: a process that listens' },
  { name: 'verbose', short: 'v', help: 'show notices, too; with --check: what was skipped' },
]

export async function replayCommand(line: CommandLine, screen: Screen): Promise<number> {
  const [name, ...paths] = line.positionals
  const adapter = namedAdapter(name)
  if (paths.length === 0)
    throw new UsageError('Name a recording.', `Such as: coxswain replay ${name} turn.jsonl`)
  for (const path of paths) {
    if (path !== '-' && !existsSync(path)) throw new UsageError(`There is no ${path}.`)
  }
  if (line.values.has('check')) {
    const broken = await checkRecordings(adapter, paths, line, screen)
    return broken ? exitCodes.error : exitCodes.success
  }
  const recordings = paths.flatMap((each) => (each === '-' ? [each] : findRecordings(each)))
  if (recordings.length === 0) throw new UsageError(`There is no recording in ${paths.join(', ')}.`)
  let interrupted = false
  const release = watchInterrupts(screen.io, () => {
    interrupted = true
  })
  try {
    for (const path of recordings) {
      await replayOne(adapter, path, line, screen, () => interrupted || screen.out.gone)
    }
  } finally {
    release()
  }
  return interrupted ? exitCodes.interrupted : exitCodes.success
}

async function replayOne(
  adapter: Adapter,
  path: string,
  { values }: CommandLine,
  { io, out, err }: Screen,
  isOver: () => boolean,
): Promise<void> {
  const recording = path === '-' ? undefined : readRecording(path)
  const transport = transportIn(values)
  if (transport === 'structured' && recording && isTwoWay(recording.stdout)) {
    throw new UsageError(`${path} is of a two-way session.`, 'Replay it with --transport live.')
  }
  const resume = values.get('resume')?.[0]
  const version = versionInPath(path)
  const events = replay({
    adapter,
    transport,
    stdout: recording ? createReadStream(path) : io.stdin,
    ...(version !== undefined && { cliVersion: version }),
    options: { includeRaw: values.has('raw'), ...(resume !== undefined && { resume }) },
    ...(recording && { exit: recording.exit }),
  })
  const renderer = new TurnRenderer(out, err, { verbose: values.has('verbose') })
  for await (const event of events) {
    if (isOver()) return
    if (values.has('json')) await out.write(`${JSON.stringify(event)}\n`)
    else await renderer.render(event)
  }
}
