import { expect, test } from 'vitest'
import { codexCli } from '../../src/adapters/codex-cli.ts'
import { replayNow } from '../../src/testing/replay-now.ts'

/** Faults of framing that users of such wrappers reported, by the id of the project's list, where one wire stands for all. */

const thread = '{"type":"thread.started","thread_id":"t1"}\n'
const turn = '{"type":"turn.started"}\n'
const completed =
  '{"type":"turn.completed","usage":{"input_tokens":1,"cached_input_tokens":0,"output_tokens":1}}\n'
const says = (text: string) =>
  `${JSON.stringify({ type: 'item.completed', item: { id: 'item_0', type: 'agent_message', text } })}\n`

function eventsOf(...chunks: (string | Uint8Array)[]) {
  return replayNow({ adapter: codexCli }, chunks.map(Buffer.from))
}

test('A19: a line of 20 MB in chunks of 64 KiB costs time and memory in proportion to its length', () => {
  const output = 'starboard '.repeat(2_000_000)
  const item = { id: 'item_1', type: 'command_execution', command: 'cat log', exit_code: 0 }
  const line = Buffer.from(
    `${JSON.stringify({ type: 'item.completed', item: { ...item, aggregated_output: output, status: 'completed' } })}\n`,
  )
  let held = 0
  function* chunks() {
    yield Buffer.from(thread)
    const before = process.memoryUsage().arrayBuffers
    for (let at = 0; at < line.length; at += 65_536) {
      yield line.subarray(at, at + 65_536)
      held = Math.max(held, process.memoryUsage().arrayBuffers - before)
    }
    yield Buffer.from(completed)
  }
  const started = performance.now()
  const events = replayNow({ adapter: codexCli }, chunks())
  // Some 100 ms; one that scans what it holds again for every chunk takes many seconds.
  expect(performance.now() - started).toBeLessThan(4_000)
  expect(held).toBeLessThan(3 * line.length)
  expect(events.find((event) => event.type === 'tool' && event.phase === 'end')).toMatchObject({
    exitCode: 0,
    status: 'completed',
  })
  expect(events.some((event) => 'output' in event && event.output === output)).toBe(true)
})

test('A20: escape sequences before a record are stripped, a line of nothing else is said, those inside of strings stay', () => {
  const events = eventsOf(
    `\u001b]0;agent: ready\u0007${thread}`,
    '\u001b[?2004h\n',
    `\u001b[?25l\u001b]2;title\u001b\\${turn}`,
    says('\u001b[1mBold\u001b[0m'),
    completed,
  )
  expect(events.map((event) => (event.type === 'notice' ? event.code : event.type))).toEqual([
    'session',
    'line_invalid',
    'delta',
    'message',
    'usage',
    'completion',
  ])
  expect(events.at(-1)).toMatchObject({
    status: 'success',
    text: '\u001b[1mBold\u001b[0m',
    ledger: { records: 4, invalid: 1 },
  })
})
