import { AgentError } from '../errors.ts'
import { discardsOver } from './home-removal.ts'

interface LiveTurn {
  stop(): void
  readonly over: Promise<unknown>
}

const live = new Set<LiveTurn>()
let closing = false

/** Throws once `shutdownAll()` was called. */
export function refuseAfterShutdown(): void {
  if (!closing) return
  throw new AgentError('aborted', 'No turn starts any more: shutdownAll() was called in this process.', {
    hint: 'Start turns before shutdownAll(), which is for the end of the process.',
  })
}

/** Counts a turn among those that `shutdownAll()` ends. */
export function enlist(turn: LiveTurn): void {
  live.add(turn)
  const leave = () => live.delete(turn)
  turn.over.then(leave, leave)
}

/**
 * Ends every turn of this process, those whose launch is still in flight too, and resolves when nothing of them is left.
 * Refuses new turns from then on. Can be called again.
 */
export async function shutdownAll(): Promise<void> {
  closing = true
  const turns = [...live]
  for (const turn of turns) turn.stop()
  await Promise.all(turns.map((turn) => turn.over))
  await discardsOver()
}
