import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openSession } from '../../run/session.ts'
import type { Bench } from './bench.ts'
import { errand, writtenFault } from './tool-turn.ts'
import { faultsOf, watch } from './watch.ts'

export interface AnsweringFigures {
  interactionsAsked: number
  /** By the callback, and to the effect that it wanted. */
  interactionsAnswered: number
}

/** pi asks nothing of its own accord: its extensions do. */
const piExtension = `export default function (pi) {
  pi.on('tool_call', async (event, { ui }) => {
    const allowed = await ui.confirm('May this run?', JSON.stringify(event.input))
    return allowed ? undefined : { block: true, reason: 'A person said no.' }
  })
}
`

/** The same command twice, allowed and then denied: the file tells whether the answer was heard. */
export async function measureAnswering(
  bench: Bench,
): Promise<{ figures: AnsweringFigures; faults: string[] }> {
  const { command, prompt, file, content } = errand()
  const path = join(bench.cwd, file)
  const replies = [{ toolCalls: [{ name: 'shell', input: { command } }] }, { text: 'So be it.' }]
  const figures: AnsweringFigures = { interactionsAsked: 0, interactionsAnswered: 0 }
  const faults: string[] = []
  let decision: 'allow' | 'deny' = 'allow'
  const options = bench.playing(replies, {
    approvals: () => decision,
    ...(bench.adapter.id === 'pi-cli' && { arguments: ['-e', await writeExtension(bench.cwd)] }),
  })
  await using session = await openSession(options)
  for (const next of ['allow', 'deny'] as const) {
    decision = next
    bench.play(replies)
    await rm(path, { force: true })
    const turn = await watch(session.send(prompt), performance.now())
    const interactions = turn.events.filter((event) => event.type === 'interaction')
    const asked = interactions.filter(({ phase }) => phase === 'request').length
    const answered = interactions.filter(({ phase, by }) => phase === 'resolved' && by === 'callback').length
    const written = await readFile(path, 'utf8').catch(() => undefined)
    const isHeard = decision === 'allow' ? written === content : written === undefined
    figures.interactionsAsked += asked
    if (isHeard) figures.interactionsAnswered += answered
    faults.push(...faultsOf(turn))
    if (asked === 0) faults.push('nobody was asked')
    if (!isHeard) faults.push(decision === 'allow' ? writtenFault(written) : 'what was denied ran')
  }
  return { figures, faults }
}

async function writeExtension(cwd: string): Promise<string> {
  const path = join(cwd, 'asking.ts')
  await writeFile(path, piExtension)
  return path
}
