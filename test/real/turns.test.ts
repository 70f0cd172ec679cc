import { describe, expect, test } from 'vitest'
import { assembleText } from '../../src/index.ts'
import { scenarios, toolTurnAnswer } from '../../src/testing/scenarios.ts'
import { namedClis, type RealCli } from './clis.ts'
import { Workbench } from './workbench.ts'

describe.each(namedClis)('%s', (_, cli) => {
  test('a tool turn arrives whole: thinking, text, two shell calls, and the last answer code point for code point', async () => {
    const bench = await Workbench.open(cli, scenarios.toolTurn)
    const { events, completion, breaches } = await bench.turn()
    expect(breaches).toEqual([])
    expect(completion.error).toBeUndefined()
    expect(completion.status).toBe('success')
    expect(completion.evidence.by).toBe('record')
    expect(completion.text).toBe(toolTurnAnswer)
    expect(assembleText(events)).toBe(
      `I will start with a greeting.\n\nNow one with an accent and a boat.\n\n${toolTurnAnswer}`,
    )
    const ends = events.filter((event) => event.type === 'tool' && event.phase === 'end')
    expect(ends.map(({ kind, status }) => ({ kind, status }))).toEqual([
      { kind: 'execute', status: 'completed' },
      { kind: 'execute', status: 'completed' },
    ])
    expect(ends[0]?.output).toContain('hello from the shell')
    expect(ends[1]?.output).toContain('café 🚣')
    expect(events.some((event) => event.type === 'thinking')).toBe(true)
    expect(events.find((event) => event.type === 'session')).toMatchObject({
      origin: 'new',
      transport: goesLive(cli) ? 'live' : 'structured',
    })
    expect(completion.usage).toMatchObject({ basis: 'turn' })
  })

  test('tokens arrive as fragments where the CLI has them', async () => {
    const bench = await Workbench.open(cli, scenarios.text)
    const { events, completion } = await bench.turn()
    const deltas = events.filter((event) => event.type === 'delta')
    expect(completion.text).toBe('The tide turns at six, and the boat leaves with it.')
    if (cli.adapter === 'codex-cli' && !goesLive(cli)) {
      expect(deltas.map(({ contentDelta }) => contentDelta)).toEqual([false])
    } else {
      expect(deltas.length).toBeGreaterThan(3)
      expect(deltas.every(({ contentDelta }) => contentDelta)).toBe(true)
    }
  })

  test('calls that the model makes at once all start and all end', async () => {
    const bench = await Workbench.open(cli, scenarios.parallelTools)
    const { events, completion, breaches } = await bench.turn()
    expect(breaches).toEqual([])
    expect(completion.text).toBe('All three answered: port, starboard and bow.')
    const ends = events.filter((event) => event.type === 'tool' && event.phase === 'end')
    expect(ends.map(({ output }) => output?.match(/port|starboard|bow/)?.[0]).sort()).toEqual([
      'bow',
      'port',
      'starboard',
    ])
  })

  test('3 MB of tool output neither hang nor break the turn', async () => {
    const bench = await Workbench.open(cli, scenarios.bigToolOutput)
    const { completion, breaches } = await bench.turn()
    expect(breaches).toEqual([])
    expect(completion).toMatchObject({ status: 'success', text: 'That was a lot of lines.' })
  })
})

/** codex streams over its live transport only, which 0.55 does not have. */
function goesLive({ adapter, version }: RealCli): boolean {
  return adapter === 'codex-cli' && version !== '0.55.0'
}
