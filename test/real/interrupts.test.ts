import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type AgentEvent, openSession, type Session } from '../../src/index.ts'
import { checkGuarantees } from '../../src/testing/guarantees.ts'
import type { Scenario } from '../../src/testing/scenario.ts'
import { realCli } from './clis.ts'
import { Workbench } from './workbench.ts'

/** How often each CLI is interrupted. */
const rounds = Number(process.env.COXSWAIN_INTERRUPTS ?? 25)
const seed = Number(process.env.COXSWAIN_SEED ?? Date.now() % 1_000_000)

/** A word that no other process on this machine has. Not `sleep`: claude 2.1.332 refuses to run it alone. */
const nap = `nap-of-${process.pid}`
const sleeper = `node -e 'setTimeout(() => {}, 3e6)' ${nap}`

/** What the model does is what it was told last. */
const obedient: Scenario = ({ userTexts }, answersHeld) => {
  // claude says things of its own behind the prompt.
  const told = userTexts.findLast((text) => /^(?:Talk|Sleep|Aye)/.test(text)) ?? ''
  const thinking = 'I think about it for a moment, and then for another one, and begin.'
  const text = 'and another word '.repeat(told.includes('shortly') ? 2 : 12)
  if (told.startsWith('Talk')) return { thinking, text, paceMs: 8 }
  if (told.startsWith('Sleep')) {
    return { thinking, text, paceMs: 8, toolCalls: [{ name: 'shell', input: { command: sleeper } }] }
  }
  return { text: `I heard ${told}`, usage: { inputTokens: 100, outputTokens: 10 + (answersHeld % 2) } }
}

describe.skipIf(process.platform !== 'linux')('on Linux, where /proc tells', () => {
  describe.each(['claude-2.1', 'codex-0.171', 'pi-1.6'])('%s', (alias) => {
    test(`${rounds} interrupts at random moments (seed ${seed}): each turn ends once, the next one works, nothing is left`, {
      timeout: 60_000 + rounds * 8_000,
      retry: 0,
    }, async () => {
      const bench = await Workbench.open(realCli(alias), obedient)
      const { prompt: _, ...options } = bench.options()
      const session = await openSession(options)
      onTestFinished(() => session.close())
      const random = generator(seed)
      const ended: Record<string, number> = {}
      for (let round = 0; round < rounds; round++) {
        const how = await interruptOne(session, random)
        ended[how] = (ended[how] ?? 0) + 1
        const after = await collect(session, `Aye ${round}?`)
        expect(after.at(-1), `round ${round}, after ${how}`).toMatchObject({
          status: 'success',
          text: `I heard Aye ${round}?`,
        })
        expect(breachesOf(after)).toEqual([])
      }
      if (rounds > 25) console.log(`${alias}, seed ${seed}: ${JSON.stringify(ended)}`)
      expect(marked(bench.folder).length).toBeGreaterThan(0)
      await session.close()
      expect(await session.closed).toBeUndefined()
      expect(marked(bench.folder)).toEqual([])
    })
  })
})

/** @returns how it ended, and at what it was */
async function interruptOne(session: Session, random: () => number): Promise<string> {
  const prompt = ['Talk.', 'Talk shortly.', 'Sleep.', 'Sleep shortly.'][Math.floor(random() * 4)] ?? ''
  const delay = random() * (random() < 0.3 ? 60 : 900)
  const turn = session.send(prompt)
  const isAsleep = prompt.startsWith('Sleep') && random() < 0.5
  const stopping = (async () => {
    if (isAsleep) await untilNapping()
    // codex 0.171 tells of a command some 30 ms after it began.
    await wait(isAsleep ? delay / 3 : delay)
    await turn.interrupt()
  })()
  const events: AgentEvent[] = []
  for await (const event of turn) events.push(event)
  await stopping
  const what = `${prompt} ${isAsleep ? 'asleep, ' : ''}${Math.round(delay)} ms`
  expect(breachesOf(events), what).toEqual([])
  expect(
    events.filter((event) => event.type === 'completion'),
    what,
  ).toHaveLength(1)
  const { status, error } = await turn.completion
  // One that was over before it was stopped is over.
  const isLate = status === 'success' && prompt.startsWith('Talk')
  if (!isLate) expect({ status, code: error?.code }, what).toEqual({ status: 'interrupted', code: 'aborted' })
  await expect.poll(napping, { message: what, timeout: 3_000, interval: 20 }).toEqual([])
  const seen = ['tool', 'delta', 'thinking'].find((type) => events.some((event) => event.type === type))
  return `${status} at ${seen ?? 'nothing yet'}`
}

async function collect(session: Session, prompt: string): Promise<AgentEvent[]> {
  const events: AgentEvent[] = []
  for await (const event of session.send(prompt)) events.push(event)
  return events
}

const breachesOf = (events: readonly AgentEvent[]) => checkGuarantees(events).map(({ message }) => message)

async function untilNapping(): Promise<void> {
  while (napping().length === 0) await wait(20) // there is no event for a stranger's process
}

/** Processes that sleep for us: not the shells that hold the same words. */
const napping = () => processes('cmdline').filter((line) => line.endsWith(`3e6)\0${nap}\0`))

/** Environments that bear the mark of a turn or a session in this folder. */
const marked = (folder: string) =>
  processes('environ')
    .filter((environment) => environment.includes('COXSWAIN_TURN=') && environment.includes(folder))
    .map(() => 'a process')

function processes(file: 'cmdline' | 'environ'): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((id) => {
      try {
        return [readFileSync(`/proc/${id}/${file}`, 'utf8')]
      } catch {
        return []
      }
    })
}

/** mulberry32. */
function generator(start: number): () => number {
  let state = start
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
