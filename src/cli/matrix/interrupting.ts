import { openSession, type Session } from '../../run/session.ts'
import type { Reply } from '../../testing/scenario.ts'
import type { Bench } from './bench.ts'
import { Holding, isGone } from './holding.ts'
import { faultsOf, median, type Watched, watch } from './watch.ts'

/** Medians over the rounds, in milliseconds: from `interrupt()` to the completion. */
export interface InterruptFigures {
  interruptTextMs: number | undefined
  interruptToolMs: number | undefined
}

const endless: Reply[] = [{ text: Array.from({ length: 400 }, (_, index) => `${index + 1}\n`), paceMs: 20 }]
const countPrompt = 'Count from 1 to 400, one number per line, without any tool.'

/** Stops a turn in mid-text and in a running tool: it must end as interrupted, the tool be gone, and the next turn go on. */
export async function measureInterrupts(
  bench: Bench,
  rounds: number,
): Promise<{ figures: InterruptFigures; faults: string[] }> {
  const text = await inText(bench, rounds)
  const tool = await inTool(bench, rounds)
  return {
    figures: { interruptTextMs: median(text.times), interruptToolMs: median(tool.times) },
    faults: [
      ...text.faults.map((fault) => `in mid-text, ${fault}`),
      ...tool.faults.map((fault) => `in a tool, ${fault}`),
    ],
  }
}

interface Stopped {
  times: number[]
  faults: string[]
}

async function inText(bench: Bench, rounds: number): Promise<Stopped> {
  const all: Stopped = { times: [], faults: [] }
  await using session = await openSession(bench.playing(endless))
  // One more than is measured: the last shows that the conversation is still usable.
  for (let round = 0; round <= rounds && all.faults.length === 0 && !bench.signal.aborted; round++) {
    bench.play(endless)
    let deltas = 0
    let begun = Number.NaN
    const turn = await watch(session.send(countPrompt), performance.now(), (event) => {
      if (event.type !== 'delta' || ++deltas !== 3) return
      begun = performance.now()
      void session.interrupt()
    })
    all.times.push(performance.now() - begun)
    all.faults.push(...faultsOf(turn, 'interrupted'))
  }
  return all
}

async function inTool(bench: Bench, rounds: number): Promise<Stopped> {
  const all: Stopped = { times: [], faults: [] }
  const holding = new Holding(bench.cwd)
  const replies: Reply[] = [
    { text: 'I wait for it.', toolCalls: [{ name: 'shell', input: { command: holding.command } }] },
  ]
  await using session = await openSession(bench.playing(replies))
  for (let round = 0; round < rounds && all.faults.length === 0 && !bench.signal.aborted; round++) {
    bench.play(replies)
    await holding.forget()
    const { turn, pid, ms } = await stopInTool(session, holding)
    all.faults.push(...faultsOf(turn, 'interrupted'))
    if (pid === undefined) all.faults.push('no tool ran that could be interrupted')
    else {
      all.times.push(ms)
      if (!(await isGone(pid))) all.faults.push('the tool runs on')
    }
  }
  return all
}

async function stopInTool(
  session: Session,
  holding: Holding,
): Promise<{ turn: Watched; pid: number | undefined; ms: number }> {
  let begun = Number.NaN
  const over = new AbortController()
  const stopping = holding.begun(over.signal).then(async (pid) => {
    begun = performance.now()
    if (pid !== undefined) await session.interrupt()
    return pid
  })
  const turn = await watch(session.send(holding.prompt), performance.now())
  const ms = performance.now() - begun
  over.abort()
  return { turn, ms, pid: await stopping }
}
