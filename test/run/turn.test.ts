import { expect, test } from 'vitest'
import { collect, echo, goodTurn, shell, start } from './probe.ts'

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
