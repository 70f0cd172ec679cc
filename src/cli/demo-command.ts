import type { Adapter } from '../adapters/adapter.ts'
import { adapters } from '../adapters/registry.ts'
import type { AgentEvent } from '../protocol/events.ts'
import { doctor } from '../run/doctor.ts'
import { cursorStandIn } from '../testing/cursor-stand-in.ts'
import { type ModelServer, startModelServer } from '../testing/model-server.ts'
import { binariesOf, refuseUnused } from './binaries.ts'
import { type DemoRow, demoTurn } from './demo-turn.ts'
import type { CommandLine, Flag } from './flags.ts'
import { exitCodes, type Screen } from './io.ts'
import { namedAdapter } from './named-adapter.ts'
import { excerpt, table } from './output.ts'
import { TurnRenderer } from './render.ts'

export const demoFlags: readonly Flag[] = [
  {
    name: 'binary',
    value: 'ADAPTER=FILE',
    many: true,
    help: 'the CLI to drive (default: the one on PATH); several for one: a command and its arguments',
  },
]

/** Drives every CLI through the same tool turn, with a model of our own on the loopback address. */
export async function demoCommand(line: CommandLine, screen: Screen): Promise<number> {
  const { out } = screen
  const { style } = out
  const binaries = binariesOf(line.values.get('binary'))
  const chosen = line.positionals.length > 0 ? line.positionals.map(namedAdapter) : Object.values(adapters)
  refuseUnused(binaries, chosen)
  const server = await startModelServer()
  const rows: DemoRow[] = []
  let interrupted = false
  try {
    await out.line(style.dim(`A model server for this demo listens on ${server.url}.`))
    for (const adapter of chosen) {
      await out.line()
      await out.line(style.bold(`── ${adapter.title} ──`))
      const row = await demoOne(adapter, binaries.get(adapter.id), server, screen)
      rows.push(row)
      interrupted = row.status.startsWith('interrupted')
      if (interrupted) break
    }
  } finally {
    await server.close()
  }
  await out.line()
  for (const text of summaryTable(rows, screen)) await out.line(text)
  if (interrupted) return exitCodes.interrupted
  return rows.every(({ intact }) => intact) ? exitCodes.success : exitCodes.error
}

async function demoOne(
  adapter: Adapter,
  binary: [string, ...string[]] | undefined,
  server: ModelServer,
  screen: Screen,
): Promise<DemoRow> {
  const show = showIn(screen)
  if (adapter.capabilities.endpoint.length > 0) {
    return (await demoTurn({ adapter, binary, server }, screen, show)).row
  }
  // Cursor's CLI is on no registry and talks to its own backend alone.
  const say = (text: string) => screen.out.line(screen.out.style.yellow(text))
  const [report] = (
    await doctor({
      adapters: [adapter],
      environment: { ...screen.io.environment },
      ...(binary && { binaries: { [adapter.id]: binary } }),
    })
  ).adapters
  if (report && !report.problem && report.payer !== 'nobody') {
    await say(`Found ${report.binary}: it answers with its own model, so its answer is not compared.`)
    const { row, completion } = await demoTurn({ adapter, binary, server: undefined }, screen, show)
    return { ...row, intact: completion.status === 'success' && completion.text !== '' }
  }
  const why = report?.problem ? 'is not installed here' : 'is installed here, but nobody is signed in'
  await say(`${adapter.title} ${why}: a stand-in plays its part.`)
  return (await demoTurn({ adapter, binary: cursorStandIn(), server: undefined }, screen, show)).row
}

function showIn(screen: Screen): (event: AgentEvent) => Promise<void> {
  const { out, err } = screen
  if (!out.isTerminal) return (event) => out.line(plainLine(event))
  const renderer = new TurnRenderer(out, err, { verbose: false })
  return (event) => renderer.render(event)
}

/** One event on one line, for a file or a pipe. */
function plainLine(event: AgentEvent): string {
  return `${event.adapter}  ${String(event.seq).padStart(3)}  ${event.type.padEnd(10)}  ${gist(event)}`.trimEnd()
}

function gist(event: AgentEvent): string {
  switch (event.type) {
    case 'session':
      return `${event.origin} ${event.sessionId}`
    case 'delta':
    case 'thinking':
      // The two separators are newlines to many a reader of lines.
      return JSON.stringify(event.text).replace(/[\u2028\u2029]/g, (mark) =>
        mark === '\u2028' ? '\\u2028' : '\\u2029',
      )
    case 'message':
      return `${event.status} ${JSON.stringify(excerpt(event.text, 60))}`
    case 'tool':
      return `${event.phase} ${event.name}${event.phase === 'end' ? ` ${event.status}` : ''}`
    case 'notice':
      return `${event.level} ${event.code}: ${excerpt(event.message, 100)}`
    case 'usage':
      return `${event.usage.inputTokens ?? '?'} in, ${event.usage.outputTokens ?? '?'} out`
    case 'completion':
      return `${event.status}${event.error ? ` ${event.error.code}: ${excerpt(event.error.message, 200)}` : ''}`
    default:
      return ''
  }
}

function summaryTable(rows: readonly DemoRow[], { out }: Screen): string[] {
  const { style } = out
  const head = [
    'adapter',
    'CLI version',
    'transport',
    'first event (ms)',
    'content deltas',
    'thinking deltas',
    'tool calls',
    'status',
    'answer intact',
  ]
  // A terminal is narrow: the titles take two lines there.
  const heads = out.isTerminal
    ? [head.map((title) => twoLines(title)[0]), head.map((title) => twoLines(title)[1])]
    : [head]
  const lines = table([
    ...heads,
    ...rows.map((row) => [
      row.adapter,
      row.version,
      row.transport,
      String(row.firstEventMs ?? '-'),
      String(row.contentDeltas),
      String(row.thinkingDeltas),
      String(row.toolCalls),
      row.status.startsWith('success') ? style.green(row.status) : style.red(row.status),
      row.intact ? style.green('yes') : style.red('no'),
    ]),
  ])
  return lines.map((text, index) => (index < heads.length ? style.bold(text) : text))
}

function twoLines(title: string): [string, string] {
  const [, first = title, second = ''] = /^(.+) (\S+)$/.exec(title) ?? []
  return [first, second]
}
