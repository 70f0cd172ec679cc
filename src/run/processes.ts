import { execFile } from 'node:child_process'
import {
  belonging,
  carriesMark,
  identity,
  type ProcessRow,
  parsePs,
  readProcessTable,
  readRow,
  startTimeOf,
} from './process-table.js'

export type { ProcessRow }

/** The name of the variable that marks every process of a turn. */
export const markVariable = 'COXSWAIN_TURN'

const hasProc = process.platform === 'linux'

/** The processes of one turn: the child that was started, and whatever came of it. */
export class TurnProcesses {
  readonly #turnId: string
  readonly #child: number
  #startTime: number
  readonly #known = new Set<string>()

  constructor(turnId: string, child: number) {
    this.#turnId = turnId
    this.#child = child
    // ps tells whole seconds: the bound is rather too early than too late until the child's own row was seen.
    this.#startTime = hasProc ? startTimeOf(child) : Date.now() - 2_000
  }

  /** When the child was started, in the process table's own terms. */
  get startTime(): number {
    return this.#startTime
  }

  /**
   * Those alive now. Who was found once is known from then on, also after its parents are gone: so look while they live.
   */
  async find(): Promise<ProcessRow[]> {
    const rows = hasProc ? readProcessTable(this.#startTime) : parsePs(await printProcesses())
    if (!hasProc) this.#startTime = rows.find((row) => row.pid === this.#child)?.startTime ?? this.#startTime
    const ancestor = { pid: this.#child, startTime: this.#startTime, known: this.#known }
    const members = belonging(rows, ancestor, (pid) => hasProc && carriesMark(pid, this.#turnId))
    for (const row of members) this.#known.add(identity(row))
    return members
  }
}

/** Whether a process that was found is still there. */
export function isAlive(row: ProcessRow): boolean {
  if (!hasProc) return signalProcess(row.pid, 0)
  const now = readRow(row.pid)
  return now !== undefined && now.startTime === row.startTime
}

/** Signals a process, or with a negative id its whole group. false: there is none. */
export function signalProcess(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(pid, signal)
    return true
  } catch {
    return false
  }
}

function printProcesses(): Promise<string> {
  return new Promise((resolve) => {
    execFile(
      '/bin/ps',
      ['-A', '-o', 'pid=,ppid=,pgid=,state=,lstart='],
      { maxBuffer: 64 * 1024 * 1024, env: { LC_ALL: 'C' } },
      (_error, stdout) => resolve(stdout),
    )
  })
}
