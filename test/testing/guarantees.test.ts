import { describe, expect, it } from 'vitest'
import type { AgentEvent } from '../../src/index.ts'
import { checkGuarantees } from '../../src/testing/guarantees.ts'
import {
  answer,
  completion,
  end,
  failure,
  type Loose,
  notice,
  said,
  say,
  session,
  tool,
  turn,
  usage,
} from './hand-made-turns.ts'

describe('a turn that keeps them all has no breach', () => {
  const turns: [string, AgentEvent[]][] = [
    [
      'with everything in it',
      turn(
        session,
        { type: 'thinking', messageId: 'thinking-1', text: 'hm', contentDelta: true },
        say('a', 'Never mi'),
        said('a', 'Never mi', { status: 'retracted' }),
        tool('start'),
        tool('input', { inputDelta: '{' }),
        tool('input', { input: {} }),
        tool('output', { outputDelta: 'x' }),
        tool('output', { output: 'xy' }),
        say('child', 'Hi.', { parentToolId: 't' }),
        said('child', 'Hi.', { parentToolId: 't' }),
        tool('end', { status: 'completed', output: 'xy', exitCode: 0 }),
        usage(),
        say('m1', 'Do'),
        said('m1', 'Do'),
        say('m2', 'ne.'),
        said('m2', 'ne.', { continues: 'm1' }),
        end(),
      ),
    ],
    [
      'that failed',
      turn(
        ...answer,
        usage(),
        end({
          status: 'error',
          error: failure,
          stopReason: undefined,
          evidence: { by: 'exit', detail: 'exit 1' },
        }),
      ).map((event) => JSON.parse(JSON.stringify(event))),
    ],
    [
      'that exited badly after a good end, and says so',
      turn(...answer, usage(), notice('exit_after_success'), end({ exitCode: 1 })),
    ],
    ['that said nothing, and says so', turn(usage(), notice('empty_answer'), end({ text: '' }))],
  ]
  it.each(turns)('%s', (_title, events) => {
    expect(checkGuarantees(events)).toEqual([])
  })
})

describe('the ledger is counted again where the bytes are there', () => {
  const check = (text: string, ledger: Loose, ...events: Loose[]) =>
    checkGuarantees(
      turn(...events, ...answer, usage(), end({ ledger: { ...completion.ledger, ...ledger } })),
      new TextEncoder().encode(text),
    ).map(({ guarantee, message }) => `${guarantee}: ${message}`)

  it('and agrees', () => {
    expect(check('{"a":1}\n\n{"b":"\u2028"}\r\n', { bytes: 22, records: 2 })).toEqual([])
    expect(check('{"a":1}{"b":2}\n', { bytes: 15, records: 2 })).toEqual([])
    expect(check('{}\noops', { bytes: 7, records: 1, invalid: 1 }, notice('line_invalid'))).toEqual([])
  })

  it('or does not', () => {
    expect(check('{}\n', { bytes: 2, records: 1 })).toEqual(['9: the ledger counts 2 of 3 bytes'])
    expect(check('{}\n{}\n', { bytes: 6, records: 1 })).toEqual(['9: the ledger counts 1 of 2 records'])
    expect(check('{}\noops\n', { bytes: 8, records: 1 })).toEqual([
      '7: of 1 lines of JSON and 1 others, the ledger tells 1 records and 0 invalid lines',
    ])
  })
})
