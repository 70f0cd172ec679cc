import { describe, expect, it } from 'vitest'
import { piCli } from '../../../src/adapters/pi-cli.ts'
import { checkTurnOptions } from '../../../src/options/check.ts'
import { agentStart, answer, forms, type Json, play, runEnd, session } from './records.ts'

/** Faults that users of pi reported in public, each with an input of our own. */

describe('A07', () => {
  it('uses the deltas alone, U+2028 and all, where each update repeats the message', async () => {
    const whole = (value: string) => ({ role: 'assistant', content: [{ type: 'text', text: value }] })
    const update = (delta: string, soFar: string) => ({
      type: 'message_update',
      assistantMessageEvent: { type: 'text_delta', contentIndex: 0, delta, partial: whole(soFar) },
      message: whole(soFar),
    })
    const { said } = await play([
      JSON.stringify(update('port\u2028', 'port\u2028')),
      JSON.stringify(update('star', 'port\u2028star')),
      JSON.stringify(update('board', 'port\u2028starboard')),
      { type: 'message_end', message: { ...whole('port\u2028starboard'), stopReason: 'stop' } },
    ])
    expect(said).toEqual([
      'delta message-1 +port\u2028',
      'delta message-1 +star',
      'delta message-1 +board',
      'message message-1 completed port\u2028starboard',
    ])
  })
})

describe.each(forms)('B20 (%s)', (form) => {
  it.each([
    ['error', '403 this key may not row', 'error', 'auth'],
    ['aborted', 'Request was aborted', 'interrupted', 'aborted'],
  ])(
    'is no success on exit 0 when the last answer ended with %s',
    async (stopReason, errorMessage, status, code) => {
      const { completion } = await play([
        session,
        agentStart,
        ...answer(form, [], { stopReason, errorMessage }),
        ...runEnd(form),
      ])
      expect(completion).toMatchObject({ status, exitCode: 0, error: { code }, evidence: { by: 'record' } })
    },
  )
})

describe('B21', () => {
  const failed = answer('delta-only', [], { stopReason: 'error', errorMessage: '503 service unavailable' })
  const retry = {
    type: 'auto_retry_start',
    attempt: 1,
    maxAttempts: 3,
    delayMs: 2000,
    errorMessage: '503 service unavailable',
  }

  it('takes the agent_end before a retry for no end, and agent_settled for the end', async () => {
    const { events, completion } = await play([
      agentStart,
      ...failed,
      { type: 'agent_end', messages: [], willRetry: true },
      retry,
      agentStart,
      ...answer('delta-only', [{ text: ['Ahoy'] }]),
      { type: 'auto_retry_end', success: true, attempt: 1 },
      ...runEnd('delta-only'),
    ])
    expect(completion).toMatchObject({
      status: 'success',
      text: 'Ahoy',
      evidence: { detail: 'agent_settled, stopReason stop' },
    })
    expect(events.filter((event) => event.type === 'completion')).toHaveLength(1)
  })

  it('takes the last agent_end for the end where there is neither agent_settled nor willRetry', async () => {
    const { completion } = await play([
      agentStart,
      ...answer('cumulative', [], { stopReason: 'error', errorMessage: '503 service unavailable' }),
      { type: 'agent_end', messages: [] },
      retry,
      agentStart,
      ...answer('cumulative', [{ text: ['Ahoy'] }]),
      { type: 'agent_end', messages: [] },
    ])
    expect(completion).toMatchObject({
      status: 'success',
      text: 'Ahoy',
      evidence: { detail: 'agent_end, stopReason stop' },
    })
  })

  /** What the runner reads: the linger timer must not end a pi that sleeps before its retry. */
  it('tells the runner of the end only when no retry can follow', () => {
    const ended = (records: Json[]) => {
      const wire = piCli.structured.wire()
      wire.start({ transport: 'structured', options: {} })
      return records.reduce<boolean | undefined>(
        (last, record) => wire.receive(record).ended ?? last,
        undefined,
      )
    }
    const good = answer('cumulative', [{ text: ['Ahoy'] }])
    expect(ended([...failed, { type: 'agent_end' }])).toBe(false)
    expect(ended([...failed, { type: 'agent_end', willRetry: true }, retry])).toBe(false)
    expect(ended([...good, { type: 'agent_end' }])).toBe(true)
    expect(ended([...good, { type: 'agent_end' }, { type: 'compaction_start', reason: 'threshold' }])).toBe(
      false,
    )
    expect(
      ended([
        ...good,
        { type: 'agent_end' },
        { type: 'compaction_start', reason: 'threshold' },
        { type: 'compaction_end', reason: 'threshold', willRetry: false },
      ]),
    ).toBe(true)
    expect(ended([...good, { type: 'agent_end' }, agentStart])).toBe(false)
    expect(ended([...failed, ...runEnd('delta-only')])).toBe(true)
  })
})

describe.each(forms)('B24 (%s)', (form) => {
  it('ends, without text and with a warning, when the model asked for a tool and named none', async () => {
    const { said, completion } = await play([
      agentStart,
      ...answer(form, [], { stopReason: 'toolUse' }),
      ...runEnd(form),
    ])
    expect(said).toContain('notice tool_call_missing')
    // It did not stop by itself, so it is no success either.
    expect(completion).toMatchObject({
      status: 'error',
      text: '',
      error: { code: 'protocol', retryable: true },
    })
  })
})

describe('F05', () => {
  it('keeps thinking out of the reply, and says the reply once', async () => {
    const update = (event: Json) => ({ type: 'message_update', assistantMessageEvent: event })
    const { said, completion } = await play([
      update({ type: 'thinking_delta', contentIndex: 0, delta: 'which way is north?' }),
      update({ type: 'text_delta', contentIndex: 1, delta: 'North ' }),
      update({ type: 'text_delta', contentIndex: 1, delta: 'is up.' }),
      update({ type: 'text_end', contentIndex: 1, content: 'North is up.' }),
      {
        type: 'message_end',
        message: {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'which way is north?' },
            { type: 'text', text: 'North is up.' },
          ],
          stopReason: 'stop',
        },
      },
      { type: 'agent_settled' },
    ])
    expect(said).toEqual([
      'thinking thinking-1 +which way is north?',
      'delta message-1 +North ',
      'delta message-1 +is up.',
      'message message-1 completed North is up.',
    ])
    expect(completion.text).toBe('North is up.')
  })
})

describe.each([
  ['L06', '- hoist the sails'],
  ['L06', '-- and more'],
  ['L12', '@plan hoist the sails'],
])('%s', (_id, prompt) => {
  it(`sends "${prompt}" by stdin, with no word of it and no -- on argv`, () => {
    const { launch } = checkTurnOptions({ adapter: 'pi-cli', prompt })
    const planned = piCli.structured.launch(launch, {
      version: '0.73.1',
      home: '/h',
      directory: '/h',
      platform: 'linux',
      isRoot: false,
    })
    expect(planned.stdin).toBe(prompt)
    expect(planned.arguments).not.toContain('--')
    expect(planned.arguments.join(' ')).not.toContain('hoist')
  })
})

describe('L13', () => {
  it('takes plain text without any JSON for an error that quotes it, not for an empty success', async () => {
    const { completion } = await play(['Land ahoy, said the model', 'in plain words'])
    expect(completion).toMatchObject({
      status: 'error',
      text: '',
      error: { code: 'protocol', message: 'pi printed plain text and no JSON: Land ahoy, said the model' },
      ledger: { invalid: 2, records: 0 },
    })
  })

  it('lets a line of noise beside the records be', async () => {
    const { completion } = await play([
      'Loading...',
      ...answer('delta-only', [{ text: ['Hi'] }]),
      ...runEnd('delta-only'),
    ])
    expect(completion).toMatchObject({ status: 'success', text: 'Hi', ledger: { invalid: 1 } })
  })
})
