import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Stop } from '../../src/protocol/completion.ts'
import type { ToolPayload } from '../../src/protocol/events.ts'
import { BudgetWatch } from '../../src/run/budgets.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

const fields = { type: 'tool', name: 'shell', kind: 'execute' } as const
const started = (toolId: string): ToolPayload => ({ ...fields, toolId, phase: 'start' })
const ended = (toolId: string): ToolPayload => ({ ...fields, toolId, phase: 'end', status: 'completed' })

function watch(budgets: ConstructorParameters<typeof BudgetWatch>[0]) {
  const stops: Stop[] = []
  const budget = new BudgetWatch(budgets, (stop) => stops.push(stop))
  budget.start()
  return { budget, fired: () => stops.map((stop) => stop.evidence.detail), stops }
}

test('totalMs counts from the start, whatever happens', () => {
  const { budget, fired, stops } = watch({ totalMs: 1_000, idleMs: 900 })
  vi.advanceTimersByTime(600)
  budget.heard()
  budget.hold('reading')
  vi.advanceTimersByTime(399)
  expect(fired()).toEqual([])
  vi.advanceTimersByTime(1)
  expect(stops).toEqual([
    {
      status: 'timeout',
      code: 'timeout',
      message: 'The turn was ended because the turn was not over after 1000 ms (budgets.totalMs).',
      hint: 'Raise budgets.totalMs if this CLI needs longer.',
      evidence: { by: 'budget', detail: 'totalMs 1000' },
    },
  ])
})

test('firstEventMs counts until the first record', () => {
  const late = watch({ firstEventMs: 1_000 })
  late.budget.heard()
  vi.advanceTimersByTime(1_000)
  expect(late.fired()).toEqual(['firstEventMs 1000'])
  const early = watch({ firstEventMs: 1_000 })
  early.budget.recorded()
  vi.advanceTimersByTime(5_000)
  expect(early.fired()).toEqual([])
})

test('idleMs counts from the last byte', () => {
  const { budget, fired } = watch({ idleMs: 1_000 })
  for (let time = 0; time < 5; time++) {
    vi.advanceTimersByTime(999)
    budget.heard()
  }
  expect(fired()).toEqual([])
  vi.advanceTimersByTime(1_000)
  expect(fired()).toEqual(['idleMs 1000'])
})

test('a tool in flight is not silence: toolMs counts until its end, then idleMs again', () => {
  const { budget, fired } = watch({ idleMs: 1_000, toolMs: 10_000 })
  budget.tool(started('a'))
  vi.advanceTimersByTime(9_999)
  expect(fired()).toEqual([])
  budget.tool(ended('a'))
  vi.advanceTimersByTime(999)
  expect(fired()).toEqual([])
  vi.advanceTimersByTime(1)
  expect(fired()).toEqual(['idleMs 1000'])
})

test('a byte while a tool runs does not start idleMs', () => {
  const { budget, fired } = watch({ idleMs: 1_000 })
  budget.tool(started('a'))
  budget.heard()
  vi.advanceTimersByTime(60_000)
  expect(fired()).toEqual([])
})

test('each tool has its own toolMs, and the one that ran out is named', () => {
  const { budget, stops } = watch({ toolMs: 1_000 })
  budget.tool(started('a'))
  vi.advanceTimersByTime(600)
  budget.tool(started('b'))
  budget.tool(ended('a'))
  vi.advanceTimersByTime(999)
  expect(stops).toEqual([])
  vi.advanceTimersByTime(1)
  expect(stops[0]?.message).toBe(
    'The turn was ended because the tool shell had not ended after 1000 ms (budgets.toolMs).',
  )
})

test('idleMs and toolMs stand still while reading does', () => {
  const { budget, fired } = watch({ idleMs: 1_000, toolMs: 1_000 })
  vi.advanceTimersByTime(400)
  budget.hold('reading')
  vi.advanceTimersByTime(60_000)
  budget.release('reading')
  vi.advanceTimersByTime(599)
  expect(fired()).toEqual([])
  vi.advanceTimersByTime(1)
  expect(fired()).toEqual(['idleMs 1000'])

  const tools = watch({ toolMs: 1_000 })
  tools.budget.tool(started('a'))
  tools.budget.hold('reading')
  tools.budget.tool(started('b'))
  vi.advanceTimersByTime(60_000)
  expect(tools.fired()).toEqual([])
  tools.budget.release('reading')
  vi.advanceTimersByTime(1_000)
  expect(tools.fired()).toEqual(['toolMs 1000', 'toolMs 1000'])
})

test('nothing counts silence after the last word, until it is taken back', () => {
  const { budget, fired } = watch({ idleMs: 1_000 })
  budget.hold('last word')
  budget.hold('reading')
  budget.release('reading')
  vi.advanceTimersByTime(60_000)
  expect(fired()).toEqual([])
  budget.release('last word')
  vi.advanceTimersByTime(1_000)
  expect(fired()).toEqual(['idleMs 1000'])
})

test('nothing fires once the turn is being ended, and no timer is left', () => {
  const { budget, fired } = watch({ totalMs: 10, firstEventMs: 10, idleMs: 10, toolMs: 10 })
  budget.tool(started('a'))
  budget.close()
  expect(vi.getTimerCount()).toBe(0)
  budget.tool(ended('a'))
  budget.heard()
  budget.release('reading')
  vi.advanceTimersByTime(1_000)
  expect(fired()).toEqual([])
})

test('a budget longer than setTimeout can count does not fire at once', () => {
  const month = 30 * 24 * 3_600_000
  const { fired } = watch({ totalMs: month })
  vi.advanceTimersByTime(month - 1)
  expect(fired()).toEqual([])
  vi.advanceTimersByTime(1)
  expect(fired()).toEqual([`totalMs ${month}`])
})
