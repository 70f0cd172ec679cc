import { type Style, table } from '../output.ts'
import type { MatrixCell } from './cell.ts'

type Column = readonly [title: string, cell: (cell: MatrixCell, style: Style) => string]

const number = (value: number | undefined) => (value === undefined ? '-' : String(value))

const streaming: readonly Column[] = [
  ['adapter', nameOf],
  ['transport', ({ transport }) => transport],
  ['CLI version', ({ cliVersion }) => cliVersion ?? '-'],
  ['content deltas', ({ contentDeltas }) => number(contentDeltas)],
  ['thinking deltas', ({ thinkingDeltas }) => number(thinkingDeltas)],
  ['tool starts', ({ toolStarts }) => number(toolStarts)],
  ['tool ends', ({ toolEnds }) => number(toolEnds)],
  ['first signal (ms)', ({ firstSignalMs }) => number(firstSignalMs)],
  ['longest silence (ms)', ({ longestSilenceMs }) => number(longestSilenceMs)],
  ['delivered in', ({ delivery }) => delivery ?? '-'],
  ['MCP tool', ({ mcpTool }) => mcpTool ?? '-'],
  ['verdict', verdictOf],
]

const listening: readonly Column[] = [
  ['adapter', nameOf],
  ['steer', ({ steer }) => steer ?? '-'],
  ['interrupt, text (ms)', ({ interruptTextMs }) => number(interruptTextMs)],
  ['interrupt, tool (ms)', ({ interruptToolMs }) => number(interruptToolMs)],
  ['new process (ms)', ({ newProcessMs }) => number(newProcessMs)],
  ['second turn (ms)', ({ secondTurnMs }) => number(secondTurnMs)],
  ['times faster', (cell) => timesFaster(cell)?.toFixed(1) ?? '-'],
  ['asked', ({ interactionsAsked }) => number(interactionsAsked)],
  ['answered', ({ interactionsAnswered }) => number(interactionsAnswered)],
]

export type Layout = 'terminal' | 'plain' | 'markdown'

/** Every cell in one table, what only a process that listens can do in a second one, and then why what is no pass is none. */
export function matrixTables(cells: readonly MatrixCell[], style: Style, layout: Layout): string[] {
  const live = cells.filter(({ transport, verdict }) => transport === 'live' && verdict !== 'not run')
  const lines = tableOf(streaming, cells, style, layout)
  if (live.length > 0) lines.push('', ...tableOf(listening, live, style, layout))
  if (cells.some(({ transport }) => transport === 'structured')) {
    lines.push(
      '',
      style.dim('structured has no steer, no interrupt that keeps the conversation, and no answers.'),
    )
  }
  const reasons = reasonsOf(cells)
  const mark = layout === 'markdown' ? '- ' : ''
  if (reasons.length > 0) lines.push('', ...reasons.map((reason) => `${mark}${reason}`))
  return lines
}

function reasonsOf(cells: readonly MatrixCell[]): string[] {
  return cells.flatMap((cell) =>
    cell.reasons.map((reason) => `${nameOf(cell)} ${cell.transport}, ${cell.verdict}: ${reason}`),
  )
}

/** How a cell is called: a stand-in never goes by the name of what it stands for. */
export function nameOf({ adapter, model }: MatrixCell): string {
  return model === 'stand-in' ? `${adapter} (stand-in)` : adapter
}

export function timesFaster({ newProcessMs, secondTurnMs }: MatrixCell): number | undefined {
  if (newProcessMs === undefined || secondTurnMs === undefined) return undefined
  return newProcessMs / Math.max(secondTurnMs, 1)
}

export function verdictOf({ verdict }: MatrixCell, style: Style): string {
  return verdict === 'pass'
    ? style.green(verdict)
    : verdict === 'fail'
      ? style.red(verdict)
      : style.yellow(verdict)
}

function tableOf(
  columns: readonly Column[],
  cells: readonly MatrixCell[],
  style: Style,
  layout: Layout,
): string[] {
  const titles = columns.map(([title]) => title)
  const rows = cells.map((cell) => columns.map(([, text]) => text(cell, style)))
  if (layout === 'markdown') {
    return [titles, titles.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`)
  }
  // A terminal is narrow: the titles take two lines there.
  const heads =
    layout === 'terminal'
      ? [0, 1].map((line) => titles.map((title) => twoLines(title)[line] ?? ''))
      : [titles]
  return table([...heads, ...rows]).map((line, index) => (index < heads.length ? style.bold(line) : line))
}

function twoLines(title: string): [string, string] {
  const [, first = title, second = ''] = /^(.+) (\S+)$/.exec(title) ?? []
  return [first, second]
}
