import { randomBytes } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { openSession } from '../../run/session.ts'
import type { SteerOutcome } from '../../run/turn-interface.ts'
import type { Bench } from './bench.ts'
import { Holding } from './holding.ts'
import { faultsOf, watch } from './watch.ts'

export interface SteeringFigures {
  steer: SteerOutcome['outcome'] | undefined
  steerReason?: string
}

/** So long a CLI has for reading what was said to it before its tool ends. */
const readingMs = 500

/** Says something to a turn while a tool of its runs. */
export async function measureSteering(bench: Bench): Promise<{ figures: SteeringFigures; faults: string[] }> {
  const holding = new Holding(bench.cwd)
  const word = randomBytes(6).toString('hex')
  const replies = [
    { text: 'I wait for it.', toolCalls: [{ name: 'shell', input: { command: holding.command } }] },
    { text: 'That took a while.' },
  ]
  await using session = await openSession(bench.playing(replies))
  const over = new AbortController()
  const steering = holding.begun(over.signal).then(async (pid) => {
    if (pid === undefined) return undefined
    const outcome = session.steer(`Say the word ${word} in your answer, too.`)
    await wait(readingMs)
    await holding.letGo()
    return outcome
  })
  const turn = await watch(session.send(holding.prompt), performance.now())
  over.abort()
  const steered = await steering
  const faults = faultsOf(turn)
  if (!steered) {
    return { figures: { steer: undefined }, faults: [...faults, 'no tool ran that could be steered at'] }
  }
  const { outcome, reason, turn: following } = steered
  if (following) faults.push(...faultsOf(await watch(following, performance.now())))
  if (outcome === 'rejected') faults.push(`the steer was rejected: ${reason ?? 'without a reason'}`)
  else if (bench.wasTold(word) === false) {
    faults.push(`the steer counts as ${outcome}, but never reached the model`)
  }
  return { figures: { steer: outcome, ...(reason !== undefined && { steerReason: reason }) }, faults }
}
