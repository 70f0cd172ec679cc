import { expect, test } from 'vitest'
import { defineAdapter } from '../../src/index.ts'
import { collect, echo, goodTurn, probe, shell, start } from './probe.ts'

test('a turn ends with one completion, last, and its events are numbered without gaps', async () => {
  const events = await collect(start(shell(echo(...goodTurn))))
  expect(events.map((event) => event.type)).toEqual(['session', 'delta', 'message', 'completion'])
  expect(events.map((event) => event.seq)).toEqual([0, 1, 2, 3])
  expect(events.at(-1)).toMatchObject({
    status: 'success',
    text: 'All well.',
    exitCode: 0,
    signal: null,
    credentialExposure: 'none',
    evidence: { by: 'record', detail: 'bye' },
  })
})

test('a launch may name another program than the one that was found', async () => {
  const found = shell('echo the wrong one')
  const other = shell(echo(...goodTurn))
  const { launch, wire } = probe.structured
  const structured = {
    wire,
    launch: (...asked: Parameters<typeof launch>) => ({ ...launch(...asked), binary: other }),
  }
  const turn = start(found, { adapter: defineAdapter({ ...probe, structured }) })
  expect(await turn.text()).toBe('All well.')
})
