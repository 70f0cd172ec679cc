import { describe, expect, it } from 'vitest'
import { bash, bashFragments, end, execution, said, text, update } from './json-records.ts'
import { agentStart, answer, play, retryAnnounced, runEnd, session } from './records.ts'

describe('the session', () => {
  it.each([
    ['new', {}, {}],
    ['resumed', { resume: 's1' }, {}],
    ['resumed', { resume: 's1' }, { parentSession: '/home/sessions/2026_s0.jsonl' }],
    ['forked', { resume: 's0', fork: true }, { parentSession: '/home/sessions/2026_s0.jsonl' }],
  ])('is %s when asked %o', async (origin, options, more) => {
    const { completion, said } = await play(
      [{ ...session, ...more }, ...answer('delta-only', [{ text: ['Hi'] }]), ...runEnd('delta-only')],
      { options },
    )
    expect(said[0]).toBe(`session s1 ${origin}`)
    expect(completion.status).toBe('success')
  })

  it.each([[{ resume: 's0' }], [{ resume: 's' }], [{ resume: 's0', fork: true }]])(
    'that is a fresh one instead of %o is rejected',
    async (options) => {
      const { completion, said } = await play(
        [session, ...answer('delta-only', [{ text: ['Hi'] }]), ...runEnd('delta-only')],
        { options },
      )
      expect(said[0]).toBe('session s1 new')
      expect(completion).toMatchObject({
        status: 'error',
        text: 'Hi',
        error: { code: 'resume_rejected', retryable: false },
      })
    },
  )
})

describe('the end', () => {
  const good = answer('delta-only', [{ text: ['Done.'] }])

  it.each([
    ['agent_settled', [...good, ...runEnd('delta-only')], 'agent_settled, stopReason stop'],
    [
      'an agent_end that promises no retry (0.75.4 to 0.80.3)',
      [...good, { type: 'agent_end', willRetry: false }],
      'agent_end, stopReason stop',
    ],
    [
      'an agent_end that says nothing of retries (0.75.3 and before)',
      [...good, { type: 'agent_end' }],
      'agent_end, stopReason stop',
    ],
  ])('is %s', async (_name, records, detail) => {
    expect((await play(records)).completion).toMatchObject({
      status: 'success',
      evidence: { by: 'record', detail },
    })
  })

  it.each([
    ['without any of them', good],
    ['with the end of a retry that failed alone', [...good, { type: 'auto_retry_end', success: false }]],
    ['with an agent_end that promises a retry', [...good, { type: 'agent_end', willRetry: true }]],
    ['with an agent_end that a new run took back', [...good, { type: 'agent_end' }, agentStart]],
    ['with a session alone', [session]],
    ['with nothing at all', []],
  ])('is an error %s, in spite of exit 0', async (_name, records) => {
    expect((await play(records)).completion).toMatchObject({
      status: 'error',
      error: { code: 'protocol' },
      evidence: { by: 'exit' },
    })
  })

  it('is interrupted when agent_settled says that the run was aborted', async () => {
    const { completion } = await play([...good, ...runEnd('delta-only', { aborted: true })])
    expect(completion).toMatchObject({ status: 'interrupted', error: { code: 'aborted' } })
  })

  it('is interrupted, not failed, when it was aborted while it waited for a retry', async () => {
    const { completion } = await play([
      ...answer('delta-only', [{ text: ['Half'] }], { stopReason: 'error', errorMessage: 'terminated' }),
      ...retryAnnounced('delta-only', 'terminated'),
      { type: 'auto_retry_end', success: false, attempt: 1, finalError: 'Retry cancelled' },
      { type: 'agent_settled', aborted: true },
    ])
    expect(completion).toMatchObject({ status: 'interrupted', text: '', error: { code: 'aborted' } })
  })

  it('is an error when pi settles without any answer', async () => {
    const { completion } = await play([session, agentStart, ...runEnd('delta-only')])
    expect(completion).toMatchObject({ status: 'error', error: { code: 'protocol' } })
  })

  it('is good after a tool that ends the run by itself', async () => {
    const { completion } = await play([
      ...answer('delta-only', [{ text: ['Over.'] }, { call: bash, fragments: bashFragments }], {
        stopReason: 'toolUse',
      }),
      execution('start', { args: bash.arguments }),
      execution('end', { result: text('hi'), isError: false }),
      ...runEnd('delta-only'),
    ])
    expect(completion).toMatchObject({ status: 'success', text: 'Over.' })
  })

  it('is an error where that tool never gave a result', async () => {
    const { completion } = await play([
      ...answer('delta-only', [{ text: ['Wait.'] }, { call: bash, fragments: bashFragments }], {
        stopReason: 'toolUse',
      }),
      execution('start', { args: bash.arguments }),
      ...runEnd('delta-only'),
    ])
    expect(completion).toMatchObject({
      status: 'error',
      text: 'Wait.',
      error: { code: 'protocol', retryable: true },
      evidence: { by: 'record', detail: 'agent_settled, stopReason toolUse' },
    })
  })
})

describe('records that say nothing', () => {
  it.each([
    'turn_start',
    'turn_end',
    'queue_update',
    'entry_appended',
    'session_info_changed',
    'thinking_level_changed',
    'auto_retry_end',
    'summarization_retry_finished',
  ])('%s is ignored silently', async (type) => {
    const { said, completion } = await play([{ type, steering: [], message: { role: 'assistant' } }])
    expect(said).toEqual([])
    expect(completion.ledger).toMatchObject({ ignored: 1, unknown: 0 })
  })

  it.each([
    ['a record', { type: 'telepathy' }],
    ['a record without a type', { id: 1 }],
    ['an update', update({ type: 'smell_delta', contentIndex: 0 })],
    ['a role', { type: 'message_start', message: { role: 'oracle' } }],
    ['a message part', end([{ type: 'hologram' }])],
  ])('%s that is new is one counted notice', async (_name, record) => {
    const { said, completion } = await play([record])
    expect(said).toEqual(['notice unknown_record'])
    expect(completion.ledger).toMatchObject({ unknown: 1 })
  })

  it.each([
    [{ type: 'message_update' }],
    [{ type: 'message_update', assistantMessageEvent: 'text' }],
    [{ type: 'message_start', message: null }],
    [{ type: 'tool_execution_start', toolCallId: 7 }],
    [{ type: 'tool_execution_end' }],
    [{ type: 'session', id: 5 }],
  ])('that are malformed are a notice, not a crash: %o', async (record) => {
    expect(await said([record])).toEqual(['notice unknown_record'])
  })
})

describe('notices', () => {
  it('tell of compaction and of its failure', async () => {
    const { events } = await play([
      { type: 'compaction_start', reason: 'threshold' },
      {
        type: 'compaction_end',
        reason: 'threshold',
        aborted: false,
        willRetry: false,
        errorMessage: 'no room',
      },
      {
        type: 'summarization_retry_scheduled',
        attempt: 1,
        maxAttempts: 3,
        delayMs: 2000,
        errorMessage: '529 overloaded',
      },
      { type: 'extension_error', extensionPath: '/e.ts', event: 'tool_call', error: 'broken extension' },
    ])
    expect(events.filter((event) => event.type === 'notice')).toMatchObject([
      { level: 'info', code: 'compaction' },
      { level: 'warning', code: 'compaction_failed', message: 'no room' },
      {
        level: 'warning',
        code: 'retry',
        details: { attempt: 1, maxAttempts: 3, delayMs: 2000, code: 'overloaded' },
      },
      { level: 'warning', code: 'extension_error', message: 'broken extension' },
    ])
  })
})
