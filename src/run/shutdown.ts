import { setTimeout as delay } from 'node:timers/promises'
import type { Child } from './child.ts'
import { isAlive, type ProcessRow, signalProcess, type TurnProcesses } from './processes.ts'
import { within } from './within.ts'

/** How long each rung waits. */
const firstSignalMs = 2_000
const terminateMs = 1_000
const leftoversMs = 1_000
const killMs = 5_000
const lookAgainMs = 50

/**
 * Ends a child and everything that it started: the signal that this CLI answers best, SIGTERM, then whatever is left.
 * Resolves when nothing is left, with how many would not go even so.
 */
export async function endTurnProcesses(
  child: Child,
  processes: TurnProcesses,
  firstSignal: NodeJS.Signals,
): Promise<number> {
  await processes.find()
  child.signal(firstSignal)
  if (!(await within(child.exited, firstSignalMs))) {
    child.signal('SIGTERM')
    await within(child.exited, terminateMs)
  }
  return endLeftovers(processes, child.isRunning())
}

/**
 * Ends what a turn left behind, looking again until nothing is found. After a good end, too, there may be something: with a
 * login shell that runs pyenv, codex 0.171 leaves a `pyenv-rehash`.
 *
 * @param atOnce no SIGTERM first
 */
export async function endLeftovers(processes: TurnProcesses, atOnce = false): Promise<number> {
  let left = await processes.find()
  const ask = async (signal: NodeJS.Signals, milliseconds: number) => {
    const asked = new Set<number>()
    for (const until = performance.now() + milliseconds; left.length > 0 && performance.now() < until; ) {
      for (const { pid } of left) {
        if (signal === 'SIGTERM' && asked.has(pid)) continue
        asked.add(pid)
        signalProcess(pid, signal)
      }
      await whileAlive(left, Math.min(lookAgainMs, until - performance.now()))
      left = await processes.find()
    }
  }
  if (!atOnce) await ask('SIGTERM', leftoversMs)
  await ask('SIGKILL', killMs)
  return left.length
}

/** To look after known processes is cheap, to look for unknown ones is not. */
async function whileAlive(rows: readonly ProcessRow[], milliseconds: number): Promise<void> {
  const until = performance.now() + milliseconds
  for (let pause = 1; rows.some(isAlive) && performance.now() < until; pause = Math.min(pause * 2, 8)) {
    await delay(pause)
  }
}
