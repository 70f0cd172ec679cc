import { describe, expect, it } from 'vitest'
import type { AgentEvent, CompletionEvent } from '../../src/index.ts'
import { checkGuarantees } from '../../src/testing/guarantees.ts'

const completion: CompletionEvent = {
  type: 'completion',
  seq: 0,
  at: 1,
  adapter: 'hand-made',
  status: 'success',
  text: 'Done.',
  stopReason: 'end_turn',
  usage: { basis: 'turn', inputTokens: 30, cachedInputTokens: 20, outputTokens: 5 },
  evidence: { by: 'record', detail: 'bye' },
  ledger: { bytes: 10, records: 4, ignored: 0, unknown: 0, invalid: 0, oversized: 0 },
  credentialExposure: 'none',
  stderrTail: '',
  exitCode: 0,
  signal: null,
  durationMs: 0,
}

// biome-ignore lint/suspicious/noExplicitAny: hand-made events break the types on purpose
type Loose = any

/** Fills in the envelope. */
function turn(...events: Loose[]): AgentEvent[] {
  return events.map((event, seq) => ({ at: 1, adapter: 'hand-made', ...event, seq }))
}

const session = { type: 'session', sessionId: 's', transport: 'structured', origin: 'new' }
const say = (messageId: string, text: string, more = {}) => ({
  type: 'delta',
  messageId,
  text,
  contentDelta: true,
  ...more,
})
const said = (messageId: string, text: string, more = {}) => ({
  type: 'message',
  messageId,
  text,
  status: 'completed',
  ...more,
})
const tool = (phase: string, more = {}) => ({
  type: 'tool',
  toolId: 't',
  phase,
  name: 'shell',
  kind: 'execute',
  ...more,
})
const usage = (more = {}) => ({ type: 'usage', usage: { ...completion.usage, ...more } })
const notice = (code: string) => ({ type: 'notice', level: 'info', code, message: 'x' })
const end = (more: Loose = {}) => ({ ...completion, ...more })
const answer = [say('m', 'Done.'), said('m', 'Done.')]
const failure = { code: 'crashed', message: 'It broke.', retryable: true }

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

describe('each guarantee, broken once, is reported with the event that broke it', () => {
  const rows: [number, string, AgentEvent[], number | undefined, RegExp][] = [
    [0, 'a gap in seq', turn(session, ...answer, end()).filter((event) => event.seq !== 1), 2, /has seq 2/],
    [0, 'another adapter', turn(session, { ...session, adapter: 'b' }, end()), 1, /adapter changed/],
    [0, 'two sessions', turn(session, session, end()), 1, /second session/],
    [0, 'an unknown type', turn({ type: 'applause' }, end()), 0, /malformed applause/],
    [0, 'a missing field', turn(say('m', ''), end()), 0, /malformed delta: text/],
    [0, 'a field too many', turn({ ...session, mood: 'good' }, end()), 0, /not in its type: mood/],
    [
      0,
      'what JSON cannot carry',
      turn({ ...notice('a'), details: [undefined] }, end()),
      0,
      /details\.0 is undefined$/,
    ],
    [
      0,
      'a field that JSON leaves out',
      turn(
        tool('start'),
        tool('input', { input: { command: undefined } }),
        tool('end', { status: 'failed' }),
        end(),
      ),
      1,
      /JSON does not carry unchanged: input\.command is undefined$/,
    ],
    [
      0,
      'a number that is none',
      turn({ ...notice('a'), details: { left: Number.NaN } }, end()),
      0,
      /details\.left is NaN$/,
    ],
    [1, 'no completion', turn(...answer), 1, /last event is a message/],
    [1, 'no event at all', [], undefined, /last event is missing/],
    [1, 'two completions', turn(...answer, usage(), end(), end()), 4, /2 completions/],
    [1, 'an event after it', turn(...answer, usage(), end(), notice('late')), 4, /last event is a notice/],
    [
      2,
      'success by exit',
      turn(...answer, end({ evidence: { by: 'exit', detail: 'exit 0' } })),
      2,
      /by exit/,
    ],
    [2, 'success with an error', turn(...answer, end({ error: failure })), 2, /with the error/],
    [2, 'an error without one', turn(...answer, end({ status: 'error' })), 2, /without an error/],
    [2, 'success after a bad exit, unsaid', turn(...answer, end({ exitCode: 1 })), 2, /success after exit 1/],
    [2, 'success without text, unsaid', turn(end({ text: '' })), 0, /without text/],
    [2, 'success that was cut', turn(...answer, end({ stopReason: 'max_tokens' })), 2, /token limit/],
    [2, 'success that was refused', turn(...answer, end({ stopReason: 'refusal' })), 2, /refusal/],
    [
      2,
      'a stop that is a crash',
      turn(...answer, end({ status: 'interrupted', error: failure })),
      2,
      /aborted/,
    ],
    [3, 'deltas that are not the text', turn(say('m', 'Don'), said('m', 'Done.'), end()), 1, /deltas of m/],
    [3, 'a message without deltas', turn(said('m', 'Done.'), end()), 0, /deltas of m/],
    [3, 'deltas without a message', turn(...answer, say('n', 'x'), end()), 3, /n has deltas but no message/],
    [3, 'a fate twice', turn(...answer, said('m', 'Done.'), end()), 2, /goes on after/],
    [3, 'a run that goes on', turn(...answer, say('m', '.'), end()), 2, /goes on after/],
    [
      3,
      'thinking as text',
      turn({ type: 'thinking', messageId: 'm', text: 'x', contentDelta: true }, ...answer, end()),
      1,
      /both thinking and answer/,
    ],
    [
      3,
      'a run of two speakers',
      turn(say('m', 'Do'), say('m', 'ne.', { parentToolId: 't' }), end()),
      1,
      /speaker/,
    ],
    [
      3,
      'a continuation of nothing',
      turn(say('m', 'Done.'), said('m', 'Done.', { continues: 'x' }), end()),
      1,
      /continues x/,
    ],
    [4, 'another text', turn(...answer, end({ text: 'Done' })), 2, /not the last message/],
    [
      4,
      'a retracted text',
      turn(...answer, say('n', 'Oh'), said('n', 'Oh', { status: 'retracted' }), end({ text: 'Oh' })),
      4,
      /not the last message/,
    ],
    [
      4,
      "a sub-agent's text",
      turn(
        say('n', 'Oh', { parentToolId: 't' }),
        said('n', 'Oh', { parentToolId: 't' }),
        end({ text: 'Oh' }),
      ),
      2,
      /not the last message/,
    ],
    [5, 'no end', turn(tool('start'), ...answer, end()), 0, /tool t has no end/],
    [5, 'no start', turn(tool('end', { status: 'completed' }), ...answer, end()), 0, /end before its start/],
    [5, 'two starts', turn(tool('start'), tool('start'), end()), 1, /starts twice/],
    [
      5,
      'two inputs',
      turn(tool('start'), tool('input', { input: 1 }), tool('input', { input: 1 }), end()),
      2,
      /second full input/,
    ],
    [
      5,
      'a fragment after the input',
      turn(tool('start'), tool('input', { input: 1 }), tool('input', { inputDelta: '{' }), end()),
      2,
      /after the full one/,
    ],
    [5, 'an input of nothing', turn(tool('start'), tool('input'), end()), 1, /exactly one of input/],
    [
      5,
      'two ends',
      turn(tool('start'), tool('end', { status: 'failed' }), tool('end', { status: 'failed' }), end()),
      2,
      /end after its end/,
    ],
    [
      5,
      'another name',
      turn(tool('start'), tool('end', { status: 'failed', name: 'read' }), end()),
      1,
      /changed its name/,
    ],
    [
      7,
      'an unknown record, unsaid',
      turn(...answer, end({ ledger: { ...completion.ledger, unknown: 1 } })),
      2,
      /0 notices 'unknown_record'/,
    ],
    [
      7,
      'an invalid line, uncounted',
      turn(notice('line_invalid'), ...answer, end()),
      3,
      /1 notices 'line_invalid'/,
    ],
    [
      8,
      'usage that changed at the end',
      turn(...answer, usage({ outputTokens: 4 }), end()),
      3,
      /not the last/,
    ],
    [8, 'cached tokens left out', turn(...answer, usage({ inputTokens: 3 }), end()), 2, /cached/],
    [8, 'reasoning tokens left out', turn(...answer, usage({ reasoningTokens: 9 }), end()), 2, /reasoning/],
    [
      8,
      "a cost beside the conversation's usage",
      turn(...answer, end({ usage: { basis: 'conversation' }, costUsd: 1 })),
      2,
      /a cost/,
    ],
    [
      9,
      'a budget that is no timeout',
      turn(...answer, end({ evidence: { by: 'budget', detail: 'x' } })),
      2,
      /budget/,
    ],
    [
      9,
      'a signal that was none',
      turn(...answer, end({ status: 'error', error: failure, evidence: { by: 'signal', detail: 'x' } })),
      2,
      /no signal/,
    ],
  ]
  it.each(rows)('%i: %s', (guarantee, _title, events, seq, message) => {
    const found = checkGuarantees(events)
    expect(found).toContainEqual({
      guarantee,
      message: expect.stringMatching(message),
      ...(seq !== undefined && { seq }),
    })
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
