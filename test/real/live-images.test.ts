import { describe, expect, onTestFinished, test } from 'vitest'
import { openSession } from '../../src/index.ts'
import type { Scenario } from '../../src/testing/scenario.ts'
import { realCli } from './clis.ts'
import { Workbench } from './workbench.ts'

/** A PNG of 8 by 8 red pixels. */
const data =
  'iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAIAAABLbSncAAAAEklEQVR4nGP4z8CAFWEXHbQSACj/P8Fu7N9hAAAAAElFTkSuQmCC'
const image = { type: 'image', mimeType: 'image/png', data } as const

const answer: Scenario = [{ text: 'It is red.' }]

describe.each(['claude-2.1', 'codex-0.171', 'pi-1.6'])('%s', (alias) => {
  test('an image of a prompt reaches the model over the live transport, in the first turn and in a later one', async () => {
    const bench = await Workbench.open(realCli(alias), answer)
    const { prompt: _, ...options } = bench.options({ transport: 'live' })
    const session = await openSession(options)
    onTestFinished(() => session.close())
    for (const round of [1, 2]) {
      const text = `What colour is this, number ${round}?`
      expect(await session.send([{ type: 'text', text }, image]).completion).toMatchObject({
        status: 'success',
        text: 'It is red.',
      })
      const body = JSON.stringify(bench.steps().at(-1)?.body)
      expect(body).toContain(text)
      expect(body.split(data).length - 1).toBe(round)
    }
  })
})
