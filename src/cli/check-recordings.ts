import type { Adapter } from '../adapters/adapter.ts'
import { adapters } from '../adapters/registry.ts'
import type { AgentEvent, CompletionEvent } from '../protocol/events.ts'
import type { WireOptions } from '../protocol/wire.ts'
import { checkChunkings } from '../testing/conformance/chunkings.ts'
import { checkTurns, completionOf } from '../testing/guarantees.ts'
import { holdsRecords, type Recording, versionInPath } from '../testing/recording.ts'
import { replayByLine } from '../testing/replay-now.ts'
import { candidatesIn, type Setting } from './candidates.ts'
import type { CommandLine } from './flags.ts'
import type { Screen } from './io.ts'
import { excerpt } from './output.ts'
import { transportIn } from './replay-transport.ts'

interface Finding {
  path: string
  status: string
  code?: string
  text: string
  /** One line each: which guarantee, where, why. */
  broken: string[]
}

/** Checks recordings, one line each. Returns whether something does not hold, or nothing was checked at all. */
export async function checkRecordings(
  adapter: Adapter,
  paths: readonly string[],
  { values }: CommandLine,
  screen: Screen,
): Promise<boolean> {
  const { out } = screen
  const { style } = out
  const resume = values.get('resume')?.[0]
  const options: WireOptions = resume === undefined ? {} : { resume }
  const setting: Setting = { adapter, options, transport: transportIn(values) }
  let checked = 0
  let skipped = 0
  let broken = 0
  for (const { path, named, recording, skipped: reason } of candidatesIn(paths, setting)) {
    if (reason !== undefined) {
      skipped++
      if (named || values.has('verbose')) await out.line(style.dim(`skipped  ${path}: ${reason}`))
      continue
    }
    const finding = check(setting, recording)
    checked++
    broken += finding.broken.length
    if (values.has('json')) await out.line(JSON.stringify(finding))
    else await show(finding, screen)
    if (out.gone) break
  }
  if (checked === 0 && !values.has('json')) await out.line(`There is no recording of ${adapter.id} here.`)
  if (!values.has('json')) {
    const sum = `${checked} checked, ${skipped} skipped, ${broken} broken`
    await out.line(broken === 0 ? style.green(sum) : style.red(sum))
  }
  return broken > 0 || checked === 0
}

function check(asked: Setting, { path, stdout, exit }: Recording): Finding {
  const setting = { ...asked, exit, cliVersion: versionInPath(path) }
  const { events, lineOf } = replayByLine(setting, stdout)
  const completion = completionOf(events)
  return {
    path,
    status: completion?.status ?? 'none',
    ...(completion?.error && { code: completion.error.code }),
    text: completion?.text ?? '',
    broken: [
      ...strange(setting, stdout, completion),
      ...checkTurns(events, stdout).map(
        ({ guarantee, message, seq }) => `${nameOf(guarantee)} ${place(seq, events, lineOf)}: ${message}`,
      ),
      ...checkChunkings(setting, stdout).map((breach) => `guarantee 6 ${breach}`),
    ],
  }
}

/** A recording of another CLI breaks no guarantee, and yet nothing of it was checked. */
function strange(setting: Setting, stdout: Uint8Array, completion: CompletionEvent | undefined): string[] {
  const { records = 0, unknown = 0 } = completion?.ledger ?? {}
  if (unknown < records || !holdsRecords(stdout)) return []
  const other = Object.values(adapters).find(
    (adapter) => adapter.id !== setting.adapter.id && knows({ ...setting, adapter }, stdout),
  )
  const whose = other === undefined ? '' : `; they look like those of ${other.id}`
  return [`${setting.adapter.id} knows none of its ${records} records${whose}`]
}

/** Most of its records, for some are called alike. */
function knows(setting: Setting, stdout: Uint8Array): boolean {
  if (setting.transport === 'live' && !setting.adapter.live) return false
  const { records = 0, unknown = 0 } = completionOf(replayByLine(setting, stdout).events)?.ledger ?? {}
  return unknown * 2 < records
}

function nameOf(guarantee: number): string {
  return guarantee === 0 ? 'event shape' : `guarantee ${guarantee}`
}

function place(seq: number | undefined, events: readonly AgentEvent[], lineOf: readonly number[]): string {
  if (seq === undefined) return 'as a whole'
  const line = lineOf[events.findIndex((event) => event.seq === seq)]
  return line ? `at record ${line} (event ${seq})` : `at event ${seq}`
}

async function show({ path, status, code, text, broken }: Finding, { out }: Screen): Promise<void> {
  const { style } = out
  const mark = broken.length === 0 ? style.green('ok    ') : style.red('BROKEN')
  const how = code === undefined ? status : `${status}/${code}`
  await out.line(`${mark}  ${path}  ${how}  ${style.dim(JSON.stringify(excerpt(text, 60)))}`)
  for (const breach of broken) await out.line(`        ${breach}`)
}
