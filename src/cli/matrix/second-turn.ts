import { openSession } from '../../run/session.ts'
import type { Bench } from './bench.ts'
import { faultsOf, median, watch } from './watch.ts'

/** Medians over the rounds, in milliseconds: to the first fragment of an answer. */
export interface SecondTurnFigures {
  /** From `openSession()`, with all that it does before the process is there. */
  newProcessMs: number | undefined
  /** From `send()`, in a session that has had a turn. */
  secondTurnMs: number | undefined
}

const replies = [{ text: 'The tide turns at six, and the boat leaves with it.' }]
const prompt = 'Say in one sentence that the tide turns at six. Use no tool.'

/** Two turns in each of some sessions, one session after the other: both figures come from the same minutes. */
export async function measureSecondTurn(
  bench: Bench,
  rounds: number,
): Promise<{ figures: SecondTurnFigures; faults: string[] }> {
  const first: number[] = []
  const second: number[] = []
  const faults: string[] = []
  for (let round = 0; round < rounds && faults.length === 0 && !bench.signal.aborted; round++) {
    const options = bench.playing(replies)
    const since = performance.now()
    await using session = await openSession(options)
    for (const [times, start] of [
      [first, since],
      [second, undefined],
    ] as const) {
      const turn = await watch(session.send(prompt), start ?? performance.now())
      faults.push(...faultsOf(turn))
      if (turn.firstDeltaMs !== undefined) times.push(turn.firstDeltaMs)
    }
  }
  return { figures: { newProcessMs: median(first), secondTurnMs: median(second) }, faults }
}
