import { setTimeout as delay } from 'node:timers/promises'
import type { Child } from './child.ts'
import { signalProcess, type TurnProcesses } from './processes.ts'
import { within } from './within.ts'

/** How long each rung waits. */
const firstSignalMs = 2_000
const terminateMs = 1_000
const leftoversMs = 500
const killMs = 5_000

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
 * Ends what a turn left behind, looking again until nothing is found.
 *
 * @param atOnce no SIGTERM first
 */
export async function endLeftovers(processes: TurnProcesses, atOnce = false): Promise<number> {
  let left = await processes.find()
  const ask = async (signal: NodeJS.Signals, milliseconds: number) => {
    const signalled = new Set<number>()
    const until = performance.now() + milliseconds
    for (let pause = 2; left.length > 0 && performance.now() < until; pause = Math.min(pause * 2, 50)) {
      for (const { pid } of left) {
        if (signal !== 'SIGKILL' && signalled.has(pid)) continue
        signalled.add(pid)
        signalProcess(pid, signal)
      }
      await delay(pause)
      left = await processes.find()
    }
  }
  if (!atOnce) await ask('SIGTERM', leftoversMs)
  await ask('SIGKILL', killMs)
  return left.length
}
