import { createReadStream, existsSync } from 'node:fs'
import type { Adapter } from '../adapters/adapter.ts'
import { replay } from '../run/replay.ts'
import { type Recording, versionInPath } from '../testing/recording.ts'
import { candidatesIn } from './candidates.ts'
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
  if (line.values.has('raw') && !line.values.has('json')) throw new UsageError('--raw needs --json.')
  let interrupted = false
  let found = false
  const release = watchInterrupts(screen.io, () => {
    interrupted = true
  })
  try {
    for (const given of chosen(adapter, paths, line, screen)) {
      found = true
      await replayOne(adapter, given, line, screen, () => interrupted || screen.out.gone)
    }
  } finally {
    release()
  }
  if (!found) throw new UsageError(`There is no recording of ${adapter.id} in ${paths.join(', ')}.`)
  return interrupted ? exitCodes.interrupted : exitCodes.success
}

/** Without a recording: stdin. */
interface Given {
  path: string
  recording?: Recording
  /** Others may stand beside it: it is shown with its name. */
  ofSeveral: boolean
}

function* chosen(
  adapter: Adapter,
  paths: readonly string[],
  { values }: CommandLine,
  { err }: Screen,
): Generator<Given> {
  const setting = { adapter, options: {}, transport: transportIn(values) }
  const ofSeveral = paths.length > 1
  for (const given of paths) {
    if (given === '-') {
      yield { path: given, ofSeveral }
      continue
    }
    for (const { path, recording, named, skipped } of candidatesIn([given], setting)) {
      if (skipped === undefined) yield { path, recording, ofSeveral: ofSeveral || !named }
      else if (named) throw new UsageError(`${path} is ${skipped}.`)
      else if (values.has('verbose')) void err.line(err.style.dim(`skipped ${path}: ${skipped}`))
    }
  }
}

async function replayOne(
  adapter: Adapter,
  { path, recording, ofSeveral }: Given,
  { values }: CommandLine,
  { io, out, err }: Screen,
  isOver: () => boolean,
): Promise<void> {
  const transport = transportIn(values)
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
  const aside = out.isTerminal ? out : err
  if (ofSeveral && !values.has('json')) await aside.line(aside.style.bold(path))
  const renderer = new TurnRenderer(out, err, { verbose: values.has('verbose') })
  for await (const event of events) {
    if (isOver()) return
    if (values.has('json')) await out.write(`${JSON.stringify(event)}\n`)
    else await renderer.render(event)
  }
}
