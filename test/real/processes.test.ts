import { readdir, readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { startTurn } from '../../src/index.ts'
import { namedClis } from './clis.ts'
import { Workbench } from './workbench.ts'

let naps = 0

describe.skipIf(process.platform !== 'linux')('on Linux, where /proc tells', () => {
  describe.each(namedClis)('%s', (_, cli) => {
    test.each(['abort', 'leave the loop', 'a budget'])(
      'nothing is left running after %s while a tool sleeps',
      async (how) => {
        // A word that no other process on this machine has. Not `sleep`: claude 2.1.332 refuses to run it alone.
        const nap = `nap-${naps++}-of-${process.pid}`
        const sleeper = `node -e 'setTimeout(() => {}, 3e6)' ${nap}`
        const bench = await Workbench.open(cli, [
          {
            text: 'I sleep.',
            toolCalls: [{ name: 'shell', input: { command: `${sleeper} & ${sleeper}` } }],
          },
        ])
        const abort = new AbortController()
        const turn = startTurn(
          bench.options({ signal: abort.signal, ...(how === 'a budget' && { budgets: { toolMs: 2_000 } }) }),
        )
        for await (const event of turn) {
          if (event.type !== 'tool' || event.phase !== 'start' || how === 'a budget') continue
          await untilRunning(nap)
          if (how === 'abort') abort.abort()
          else break
        }
        const completion = await turn.completion
        expect(completion).toMatchObject(
          how === 'a budget'
            ? { status: 'timeout', error: { code: 'timeout' }, evidence: { by: 'budget' } }
            : { status: 'interrupted', error: { code: 'aborted' }, evidence: { by: 'host' } },
        )
        expect(await processesWith(nap)).toEqual([])
      },
    )
  })
})

async function untilRunning(argument: string): Promise<void> {
  while ((await processesWith(`3e6)\0${argument}`)).length === 0) {
    await new Promise((resolve) => setTimeout(resolve, 20)) // there is no event for a stranger's process
  }
}

/** Command lines that hold these characters. */
async function processesWith(text: string): Promise<string[]> {
  const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const lines = await Promise.all(ids.map((id) => readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '')))
  return lines.filter((line) => line.includes(text))
}
