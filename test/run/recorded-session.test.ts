import { expect, test } from 'vitest'
import { type AgentEvent, replay } from '../../src/index.ts'
import { tinyLiveCli } from '../tiny-live-cli.ts'

const begun = { type: 'begun' }
const say = (text: string) => ({ type: 'say', text })
const over = { type: 'over' }

async function turns(records: object[], exit?: { exitCode: number | null; signal: string | null }) {
  const stdout = records.map((record) => `${JSON.stringify(record)}\n`)
  const turns: AgentEvent[][] = []
  for await (const event of replay({
    adapter: tinyLiveCli(),
    transport: 'live',
    stdout,
    ...(exit && { exit }),
  })) {
    if (event.seq === 0) turns.push([])
    turns.at(-1)?.push(event)
  }
  return turns
}

const gist = (events: readonly AgentEvent[] = []) =>
  events.map((event) =>
    event.type === 'notice'
      ? event.code
      : event.type === 'completion'
        ? `completion ${event.text}`
        : event.type,
  )

test('each turn of the process has its own numbers, its own completion, and the records that came in it', async () => {
  const found = await turns([{ type: 'ready', id: 't1' }, begun, say('One.'), over, begun, say('Two.'), over])
  expect(found.map(gist)).toEqual([
    ['session', 'delta', 'message', 'completion One.'],
    ['session', 'delta', 'message', 'completion Two.'],
  ])
  expect(found.map((events) => events.at(-1))).toMatchObject([
    { ledger: { records: 4 }, exitCode: null },
    { ledger: { records: 3 }, exitCode: 0 },
  ])
})

test('of a recording of both directions the CLI speaks alone', async () => {
  const framed = [begun, say('One.'), over].map((msg) => ({ dir: 'in', msg }))
  const [events] = await turns([{ dir: 'out', msg: say('not this') }, ...framed])
  expect(gist(events)).toEqual(['session', 'delta', 'message', 'completion One.'])
})

test('a line that comes after the last word of a turn is said before its completion', async () => {
  const stdout = [begun, say('One.'), over].map((record) => `${JSON.stringify(record)}\n`)
  const events: AgentEvent[] = []
  for await (const event of replay({
    adapter: tinyLiveCli(),
    transport: 'live',
    stdout: [...stdout, 'noise\n'],
  })) {
    events.push(event)
  }
  expect(gist(events)).toEqual(['session', 'delta', 'message', 'line_invalid', 'completion One.'])
})

test('an output that ends in mid-turn is no success; a bad exit after a good turn is said', async () => {
  const [, second] = await turns([begun, say('One.'), over, begun, say('Tw')], {
    exitCode: null,
    signal: 'SIGKILL',
  })
  expect(second?.at(-1)).toMatchObject({ status: 'error', text: 'Tw', error: { code: 'crashed' } })
  const [only] = await turns([begun, say('One.'), over], { exitCode: 3, signal: null })
  expect(gist(only)).toEqual(['session', 'delta', 'message', 'exit_after_success', 'completion One.'])
})

test('a recording without a turn has one completion, an error', async () => {
  const found = await turns([{ type: 'ready', id: 't1' }])
  expect(found.map(gist)).toEqual([['completion ']])
  expect(found[0]?.[0]).toMatchObject({ status: 'error', error: { code: 'protocol' } })
})
