import { isAgentError, wordsOf } from '../../errors.ts'
import { type AnsweringFigures, measureAnswering } from './answering.ts'
import { Bench, type BenchOptions, type Model } from './bench.ts'
import { type InterruptFigures, measureInterrupts } from './interrupting.ts'
import { type McpFigures, measureMcpTool } from './mcp-tool.ts'
import { measureSecondTurn, type SecondTurnFigures } from './second-turn.ts'
import { measureSteering, type SteeringFigures } from './steering.ts'
import { measureToolTurn, type ToolTurnFigures } from './tool-turn.ts'

/** One CLI on one transport, as it was measured. All times in milliseconds. */
export interface MatrixCell
  extends Partial<ToolTurnFigures>,
    Partial<McpFigures>,
    Partial<SteeringFigures>,
    Partial<InterruptFigures>,
    Partial<SecondTurnFigures>,
    Partial<AnsweringFigures> {
  adapter: string
  transport: 'structured' | 'live'
  model: Model
  /** 'not run': it proves nothing, and why stands in `reasons`. */
  verdict: 'pass' | 'fail' | 'not run'
  /** Why it is no pass. */
  reasons: string[]
}

export interface CellOptions extends BenchOptions {
  /** How often what is timed is timed. */
  rounds: number
}

/** Measures one cell. Never throws. */
export async function measureCell(options: CellOptions): Promise<MatrixCell> {
  const { adapter, transport, model, signal } = options
  let cell: MatrixCell = { adapter: adapter.id, transport, model, verdict: 'fail', reasons: [] }
  try {
    await using bench = await Bench.open(options)
    for (const [what, measure] of partsOf(options)) {
      const { figures, faults } = await measure(bench)
      signal.throwIfAborted()
      const reasons = faults.map((fault) => (what === 'a tool turn' ? fault : `${what}: ${fault}`))
      cell = { ...cell, ...figures, reasons: [...cell.reasons, ...reasons] }
      // What cannot do that can do nothing that comes after it.
      if (what === 'a tool turn' && faults.length > 0) break
    }
    return { ...cell, verdict: cell.reasons.length === 0 ? 'pass' : 'fail' }
  } catch (error) {
    if (signal.aborted) return { ...cell, verdict: 'not run', reasons: ['interrupted'] }
    const isStarted = cell.toolStarts !== undefined
    const verdict = isStarted || !couldNotRun(error) ? 'fail' : 'not run'
    return { ...cell, verdict, reasons: [...cell.reasons, reasonOf(error)] }
  }
}

type Measure = (bench: Bench) => Promise<{ figures: object; faults: string[] }>

function partsOf({ transport, rounds }: CellOptions): [string, Measure][] {
  const tools: [string, Measure][] = [
    ['a tool turn', measureToolTurn],
    ['an MCP tool', measureMcpTool],
  ]
  if (transport === 'structured') return tools
  return [
    ...tools,
    ['two turns in a session', (bench) => measureSecondTurn(bench, rounds)],
    ['steering', measureSteering],
    ['interrupts', (bench) => measureInterrupts(bench, rounds)],
    ['answering', measureAnswering],
  ]
}

const neverStarted: ReadonlySet<string> = new Set([
  'not_installed',
  'not_executable',
  'unsupported',
  'unsupported_version',
])

function couldNotRun(error: unknown): boolean {
  return isAgentError(error) && neverStarted.has(error.code)
}

function reasonOf(error: unknown): string {
  return isAgentError(error) ? `${error.code}: ${error.message}` : wordsOf(error)
}
