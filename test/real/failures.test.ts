import { describe, expect, test } from 'vitest'
import type { ErrorCode, TurnOptions } from '../../src/index.ts'
import { type ScenarioName, scenarios } from '../../src/testing/scenarios.ts'
import { namedClis } from './clis.ts'
import { Workbench } from './workbench.ts'

interface Row {
  scenario: ScenarioName
  status: 'success' | 'error'
  code?: ErrorCode
  text: string
}

/** What holds for every CLI; where one differs, its own row says so below. */
const rows: readonly Row[] = [
  { scenario: 'unauthorized', status: 'error', code: 'auth', text: '' },
  { scenario: 'rateLimited', status: 'error', code: 'rate_limit', text: '' },
  { scenario: 'serverError', status: 'error', code: 'overloaded', text: '' },
  {
    scenario: 'overloadedOnce',
    status: 'success',
    text: 'The tide turns at six, and the boat leaves with it.',
  },
  {
    scenario: 'connectionCutOnce',
    status: 'success',
    text: 'The tide turns at six, and the boat leaves with it.',
  },
  { scenario: 'emptyAnswer', status: 'success', text: '' },
]

/** Retries are what takes the time: one is enough to see them. */
function impatient({ cli, environment }: Workbench): Partial<TurnOptions> {
  switch (cli.adapter) {
    case 'claude-code':
      return {
        environment: { ...environment, CLAUDE_CODE_MAX_RETRIES: '1' },
        inherit: ['CLAUDE_CODE_MAX_RETRIES'],
      }
    case 'pi-cli':
      return { configuration: { retry: { enabled: true, maxRetries: 1, baseDelayMs: 100 } } }
    case 'codex-cli':
      return {}
  }
}

describe.each(namedClis)('%s', (_, cli) => {
  test.each(rows.map((row) => [row.scenario, row] as const))(
    '%s ends as it should',
    async (_, { scenario, status, code, text }) => {
      const bench = await Workbench.open(cli, scenarios[scenario])
      const { completion, breaches } = await bench.turn(impatient(bench))
      expect(breaches).toEqual([])
      expect({ status: completion.status, code: completion.error?.code, text: completion.text }).toEqual({
        status,
        code,
        text,
      })
    },
  )

  test('an answer cut by the token limit is an error that keeps its text', async () => {
    const bench = await Workbench.open(cli, scenarios.maxTokens)
    const { completion, breaches } = await bench.turn(impatient(bench))
    expect(breaches).toEqual([])
    // On 0.55.0 it looks like a connection that broke off.
    const code = cli.version === '0.55.0' ? 'network' : 'max_output'
    expect(completion).toMatchObject({ status: 'error', error: { code } })
    if (cli.adapter !== 'codex-cli') expect(completion.text).toContain('There was once a captain')
  })

  test('a connection that is cut every time never leaves the abandoned text in the answer', async () => {
    const bench = await Workbench.open(cli, scenarios.connectionCut)
    const { events, completion, breaches } = await bench.turn(impatient(bench))
    expect(breaches).toEqual([])
    const kept = events.filter((event) => event.type === 'message' && event.status === 'completed')
    expect(kept.map((event) => (event.type === 'message' ? event.text : ''))).toEqual(
      completion.status === 'success' ? [completion.text] : [],
    )
  })

  test('an endpoint that nobody listens on is an error, and nothing hangs', async () => {
    const bench = await Workbench.open(cli, scenarios.text)
    const endpoint = bench.server.endpointFor(bench.api)
    await bench.server.close()
    // codex 0.171 waits for the network without an end of its own ("Reconnecting... waiting for network").
    const waits = cli.version === '0.171.0'
    const budgets = { totalMs: waits ? 15_000 : 100_000 }
    const { completion, breaches } = await bench.turn({ ...impatient(bench), endpoint, budgets })
    expect(breaches).toEqual([])
    expect(completion).toMatchObject(
      waits
        ? { status: 'timeout', error: { code: 'timeout' }, evidence: { by: 'budget' } }
        : { status: 'error', error: { code: 'network' } },
    )
  })
})
