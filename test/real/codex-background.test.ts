import { describe, expect, test } from 'vitest'
import type { Scenario } from '../../src/testing/scenario.ts'
import { realCli } from './clis.ts'
import { Workbench } from './workbench.ts'

const inTheBackground: Scenario = [
  { toolCalls: [{ name: 'exec_command', input: { cmd: 'sleep 2; echo late', yield_time_ms: 500 } }] },
  { text: 'It runs on.' },
]

describe.each(['codex-0.171', 'codex-0.113'])('%s', (alias) => {
  test.each([
    ['wait', 'completed', 'late\n'],
    ['forbid', 'interrupted', undefined],
  ] as const)(
    "backgroundTasks: '%s': the command that outlives its turn is %s",
    async (backgroundTasks, status, output) => {
      const bench = await Workbench.open(realCli(alias), inTheBackground)
      const { events, completion, breaches } = await bench.turn({
        backgroundTasks,
        transport: 'live',
        sandbox: 'off',
      })
      expect(breaches).toEqual([])
      expect(completion).toMatchObject({ status: 'success', text: 'It runs on.' })
      const ends = events.filter((event) => event.type === 'tool' && event.phase === 'end')
      expect(ends).toMatchObject([{ status, ...(output !== undefined && { output }) }])
    },
  )
})
