import { cpus, loadavg } from 'node:os'
import { adapters } from '../adapters/registry.ts'
import { doctor } from '../run/doctor.ts'
import { binariesOf, refuseUnused } from './binaries.ts'
import { type CommandLine, type Flag, UsageError } from './flags.ts'
import { watchInterrupts } from './follow-turn.ts'
import { exitCodes, type Screen } from './io.ts'
import { type CellOptions, type MatrixCell, measureCell } from './matrix/cell.ts'
import { matrixTables, nameOf, verdictOf } from './matrix/table.ts'
import { namedAdapter } from './named-adapter.ts'

export const matrixFlags: readonly Flag[] = [
  { name: 'only', value: 'ADAPTER,...', many: true, help: 'these adapters only' },
  { name: 'transport', value: 'structured,live', many: true, help: 'these transports only (default: both)' },
  {
    name: 'binary',
    value: 'ADAPTER=FILE',
    many: true,
    help: 'the CLI to drive (default: the one on PATH); several for one: a command and its arguments',
  },
  { name: 'rounds', value: 'N', help: 'how often what is timed is timed; the median counts (default: 3)' },
  {
    name: 'account',
    help: "ask each CLI's own model, with the account it is signed in to; this costs tokens",
  },
  { name: 'markdown', help: 'the tables as markdown; the progress goes to stderr' },
  { name: 'json', help: 'the figures as JSON, when all is measured; the progress goes to stderr' },
]

/** Measures what each CLI does on each transport: a real tool call, a real file, and for live what a listening process can do. */
export async function matrixCommand(line: CommandLine, screen: Screen): Promise<number> {
  const json = line.values.has('json')
  const markdown = line.values.has('markdown')
  const plan = planOf(line, screen)
  const progress = json || markdown ? screen.err : screen.out
  const stop = new AbortController()
  const release = watchInterrupts(screen.io, () => stop.abort())
  screen.out.onGone(() => stop.abort())
  const cells: MatrixCell[] = []
  try {
    for (const each of plan) {
      if (stop.signal.aborted) break
      const cell = await measure({ ...each, signal: stop.signal })
      cells.push(cell)
      const { style } = progress
      await progress.line(`${nameOf(cell)} ${cell.transport}: ${verdictOf(cell, style)}`)
    }
  } finally {
    release()
  }
  if (json) await screen.out.line(JSON.stringify({ machine: machine(), cells }, null, 2))
  else {
    const { out } = screen
    if (!markdown) await out.line()
    const layout = markdown ? 'markdown' : out.isTerminal ? 'terminal' : 'plain'
    for (const text of matrixTables(cells, out.style, layout)) await out.line(text)
  }
  if (stop.signal.aborted) return exitCodes.interrupted
  const ran = cells.filter(({ verdict }) => verdict !== 'not run')
  return ran.length > 0 && ran.every(({ verdict }) => verdict === 'pass')
    ? exitCodes.success
    : exitCodes.error
}

/** What the figures were measured on. */
function machine() {
  const [load = 0] = loadavg()
  const node = process.version.slice(1)
  return { platform: process.platform, processors: cpus().length, load: Math.round(load * 10) / 10, node }
}

type Plan = Omit<CellOptions, 'signal'>

function planOf({ values, positionals }: CommandLine, { io }: Screen): Plan[] {
  if (positionals.length > 0) {
    throw new UsageError(`matrix takes no "${positionals[0]}".`, 'Name adapters with --only.')
  }
  const binaries = binariesOf(values.get('binary'))
  const rounds = roundsIn(values.get('rounds')?.[0] ?? '3')
  const named = words(values.get('only')).map(namedAdapter)
  const chosen = named.length > 0 ? named : Object.values(adapters)
  refuseUnused(binaries, chosen)
  const transports = transportsIn(words(values.get('transport')))
  const model = values.has('account') ? 'account' : 'loopback'
  return chosen.flatMap((adapter) =>
    transports.flatMap((transport) => {
      const binary = binaries.get(adapter.id)
      const cell: Plan = { adapter, transport, model, binary, rounds, environment: io.environment }
      // Cursor's CLI is on no registry, and talks to its own backend alone.
      const hasStandIn = model === 'loopback' && adapter.capabilities.endpoint.length === 0
      return hasStandIn ? [cell, { ...cell, model: 'stand-in' as const }] : [cell]
    }),
  )
}

async function measure(cell: CellOptions): Promise<MatrixCell> {
  const { adapter, transport, model, environment, binary } = cell
  if (model !== 'loopback' || adapter.capabilities.endpoint.length > 0) return measureCell(cell)
  const [report] = (
    await doctor({
      adapters: [adapter],
      environment: { ...environment },
      ...(binary && { binaries: { [adapter.id]: binary } }),
    })
  ).adapters
  const { problem } = report ?? {}
  const reason = problem
    ? `${problem.code}: ${problem.message}`
    : 'it takes no model but its own account\u2019s: --account measures it with that'
  return { adapter: adapter.id, transport, model, verdict: 'not run', reasons: [reason] }
}

function words(values: readonly string[] = []): string[] {
  return values.flatMap((value) => value.split(',')).filter((word) => word !== '')
}

function transportsIn(names: readonly string[]): ('structured' | 'live')[] {
  const all = ['structured', 'live'] as const
  const unknown = names.find((name) => !all.some((transport) => transport === name))
  if (unknown !== undefined) {
    throw new UsageError(`There is no transport "${unknown}" to measure.`, 'Give structured, live or both.')
  }
  return names.length === 0 ? [...all] : all.filter((transport) => names.includes(transport))
}

function roundsIn(text: string): number {
  if (/^[1-9]\d{0,2}$/.test(text)) return Number(text)
  throw new UsageError(`--rounds ${text} is no number from 1 to 999.`)
}
