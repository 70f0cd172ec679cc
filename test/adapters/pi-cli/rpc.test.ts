import { describe, expect, it } from 'vitest'
import { agentStart, answer, type Form, forms, type Json, runEnd } from './records.ts'
import { Driven, type DrivenOptions, newer, older, state, user } from './rpc-driving.ts'

const usage = (input: number, output: number) => ({ input, output, cacheRead: 0, cacheWrite: 0 })
const openings = { cumulative: older, 'delta-only': newer } as const

/** A whole run of pi's, to its last word. */
function run(form: Form, prompt: string, records: Json[], driven: Driven, probe = 2): void {
  driven.pi(agentStart, user(prompt), ...records, ...runEnd(form))
  if (form === 'cumulative') driven.answer(`get_state-${probe}`, state())
}

describe('the handshake', () => {
  it('asks for the state, and is ready when pi has answered', () => {
    const driven = new Driven({ greeted: false })
    expect(driven.sent()).toEqual([{ id: 'get_state-1', type: 'get_state' }])
    expect(driven.ready).toBe(0)
    driven.answer('get_state-1', state())
    expect(driven.ready).toBe(1)
    expect(driven.said).toEqual([])
  })

  it.each<[string, DrivenOptions, Json, string[], string[]]>([
    ['a new conversation', {}, state(), [], ['session s1 new']],
    ['the resumed one', { options: { resume: 's1' } }, state(), [], ['session s1 resumed']],
    ['another than the resumed one', { options: { resume: 's0' } }, state(), ['resume_rejected'], []],
    [
      'a fork',
      { options: { resume: 's0', fork: true } },
      state({ messageCount: 2 }),
      [],
      ['session s1 forked'],
    ],
    ['a fork of nothing', { options: { resume: 's0', fork: true } }, state(), ['resume_rejected'], []],
    ['no id', {}, state({ sessionId: 7 }), ['protocol'], []],
  ])('tells %s', (_, options, said, failures, session) => {
    const driven = new Driven({ ...options, greeted: false }).answer('get_state-1', said)
    expect(driven.failures.map(({ code }) => code)).toEqual(failures)
    if (driven.ready) driven.prompt('Go.')
    expect(driven.said).toEqual(session)
  })

  it.each([
    [{ exitCode: 1, stderr: "No session found matching 's0'\n" }, '', 'resume_rejected'],
    [{ exitCode: 1, stderr: 'No models available.\n' }, '', 'auth'],
    [{ exitCode: 0, stderr: '' }, 'Session found in different project: /elsewhere', 'resume_rejected'],
    [{ exitCode: 0, stderr: '' }, 'Usage: pi', 'protocol'],
    [{ exitCode: 3, stderr: 'Boom.\n' }, '', 'crashed'],
    [{ exitCode: null, signal: 'SIGKILL', stderr: '' }, '', 'crashed'],
  ])('says why pi ended without one: %j %s', (exit, plain, code) => {
    const driven = new Driven({ greeted: false }).plain(plain).end(exit)
    expect(driven.failures.map((failure) => failure.code)).toEqual([code])
    expect(driven.said).toEqual([])
  })
})

describe.each(forms)('turns in the %s form', (form) => {
  const opening = openings[form]

  it('begin with the session and end with the word of pi, each with its own usage', () => {
    const driven = new Driven({ opening }).prompt('One.')
    expect(driven.sent()).toEqual([{ id: 'prompt-1', type: 'prompt', message: 'One.' }])
    driven.answer('prompt-1')
    run(form, 'One.', answer(form, [{ text: ['Fi', 'rst.'] }], { usage: usage(100, 7) }), driven)
    driven.prompt('Two.')
    run(form, 'Two.', answer(form, [{ text: ['Second.'] }], { usage: usage(150, 9) }), driven, 3)
    expect(driven.said).toEqual([
      'session s1 new',
      'delta message-1 +Fi',
      'delta message-1 +rst.',
      'usage',
      'message message-1 completed First.',
      'completion success',
      'session s1 resumed',
      'delta message-1 +Second.',
      'usage',
      'message message-1 completed Second.',
      'completion success',
    ])
    expect(
      driven.completions.map(({ text, usage: used }) => [text, used?.inputTokens, used?.outputTokens]),
    ).toEqual([
      ['First.', 100, 7],
      ['Second.', 150, 9],
    ])
  })

  it('end with the error of the last answer, and keep an answer that was cut', () => {
    const driven = new Driven({ opening }).prompt('Go.')
    run(form, 'Go.', answer(form, [{ text: ['Once'] }], { stopReason: 'length' }), driven)
    driven.prompt('Go.')
    const refused = answer(form, [], { stopReason: 'error', errorMessage: '401 invalid x-api-key' })
    run(form, 'Go.', refused, driven, 3)
    expect(driven.completions.map(({ error, text }) => [error?.code, text])).toEqual([
      ['max_output', 'Once'],
      ['auth', ''],
    ])
    expect(driven.said).toContain('message message-1 completed Once')
  })

  it('are of the wire alone: of what comes between them only the unknown is said', () => {
    const driven = new Driven({ opening }).pi(
      { type: 'queue_update', steering: [], followUp: [] },
      { type: 'session_info_changed' },
      { type: 'something_new' },
      { type: 'extension_ui_request', id: 'u', method: 'setStatus', statusKey: 'k' },
    )
    expect(driven.said).toEqual(['notice unknown_record'])
    driven.prompt('Go.').pi({ type: 'something_new' })
    expect(driven.said.slice(1)).toEqual(['session s1 new', 'notice unknown_record'])
  })

  it('withdraw what a retry says anew', () => {
    const driven = new Driven({ opening }).prompt('Go.')
    const cut = answer(form, [{ text: ['Half'] }], {
      stopReason: 'error',
      errorMessage: 'terminated',
      broken: true,
    })
    driven.pi(agentStart, user('Go.'), ...cut, {
      type: 'agent_end',
      messages: [],
      ...(form === 'delta-only' && { willRetry: true }),
    })
    driven.pi({
      type: 'auto_retry_start',
      attempt: 1,
      maxAttempts: 3,
      delayMs: 1,
      errorMessage: 'terminated',
    })
    // The answer to what was asked when the agent ended comes after pi has said that it goes on.
    driven.answer('get_state-2', state())
    expect(driven.completions).toEqual([])
    driven.pi({ type: 'auto_retry_end', success: true, attempt: 1 })
    run(form, 'Go.', answer(form, [{ text: ['Whole.'] }]), driven, 3)
    expect(driven.said.filter((line) => /^message|completion/.test(line))).toEqual([
      'message message-1 retracted Half',
      'message message-2 completed Whole.',
      'completion success',
    ])
  })

  it('wait for the compaction that follows', () => {
    const driven = new Driven({ opening }).prompt('Go.')
    driven.pi(agentStart, user('Go.'), ...answer(form, [{ text: ['Done.'] }]), {
      type: 'agent_end',
      messages: [],
    })
    driven
      .pi({ type: 'compaction_start', reason: 'threshold' })
      .answer('get_state-2', state({ isCompacting: true }))
    expect(driven.completions).toEqual([])
    expect(driven.owed.at(-1)).not.toBe(true)
    driven.pi({ type: 'compaction_end', reason: 'threshold', willRetry: false })
    expect(driven.owed.at(-1) === true).toBe(form === 'cumulative')
    if (form === 'cumulative') driven.answer('get_state-3', state())
    else driven.pi({ type: 'agent_settled' })
    expect(driven.last?.status).toBe('success')
  })

  it('are not what pi does by itself: a prompt waits until that is over', () => {
    const driven = new Driven({ opening }).pi(agentStart, user('From an extension.'), {
      type: 'something_new',
    })
    driven.prompt('Mine.').steer('a', 'more')
    driven.pi(...answer(form, [{ text: ['Hello.'] }]))
    expect([driven.said, driven.sent(), driven.owed]).toEqual([['notice unknown_record'], [], []])
    driven.pi(...runEnd(form))
    if (form === 'cumulative') driven.answer('get_state-2', state())
    const sent = driven.sent().filter(({ type }) => type !== 'get_state')
    expect(sent.map(({ id, message }) => [id, message])).toEqual([
      ['prompt-1', 'Mine.'],
      ['steer-1', 'more'],
    ])
    driven.answer('prompt-1').answer('steer-1').pi(agentStart, user('Mine.'), user('more'))
    driven.pi(...answer(form, [{ text: ['Yours.'] }]), ...runEnd(form))
    if (form === 'cumulative') driven.answer('get_state-3', state())
    expect(driven.said).toEqual([
      'notice unknown_record',
      'session s1 new',
      'delta message-1 +Yours.',
      'message message-1 completed Yours.',
      'completion success',
    ])
    expect(driven.steered).toEqual([{ id: 'a', outcome: 'delivered' }])
  })

  it('are given again when pi had begun to run by itself before it read the prompt', () => {
    const driven = new Driven({ opening }).prompt('Mine.')
    driven.sent()
    driven.pi(agentStart, user('From an extension.'))
    driven.refuse('prompt-1', 'Agent is already processing. Specify streamingBehavior')
    driven.pi(...answer(form, [{ text: ['Hello.'] }]))
    expect([driven.said, driven.sent()]).toEqual([['session s1 new'], []])
    driven.pi(...runEnd(form))
    if (form === 'cumulative') driven.answer('get_state-2', state())
    expect(driven.sent().at(-1)).toEqual({ id: 'prompt-2', type: 'prompt', message: 'Mine.' })
    driven.answer('prompt-2')
    run(form, 'Mine.', answer(form, [{ text: ['Yours.'] }]), driven, 3)
    expect(driven.completions.map(({ text }) => text)).toEqual(['Yours.'])
  })
})

describe('the end of pi', () => {
  it.each([
    [{ exitCode: null, signal: 'SIGKILL' }, 'crashed'],
    [{ exitCode: 1, stderr: 'TypeError: boom\n' }, 'crashed'],
    [{ exitCode: 0 }, 'protocol'],
  ])('closes the turn that is open: %j', (exit, code) => {
    const driven = new Driven().prompt('Go.').pi(agentStart, user('Go.')).end(exit)
    expect(driven.completions.map(({ status, error }) => [status, error?.code])).toEqual([['error', code]])
    expect(driven.failures).toEqual([])
  })

  it('says nothing between turns', () => {
    const driven = new Driven().end()
    expect([driven.said, driven.failures]).toEqual([[], []])
  })
})

describe('a recording', () => {
  it.each(forms)('has its turns where pi begins and ends them (%s)', (form) => {
    const driven = new Driven({ opening: {}, greeted: false })
    for (const prompt of ['One.', 'Two.']) {
      driven.pi({ id: 'x', type: 'response', command: 'prompt', success: true }, agentStart, user(prompt))
      driven.pi(...answer(form, [{ text: [prompt] }]), ...runEnd(form))
    }
    driven.end()
    expect(driven.completions.map(({ status, text }) => [status, text])).toEqual([
      ['success', 'One.'],
      ['success', 'Two.'],
    ])
  })

  it('has the turns that pi refused', () => {
    const driven = new Driven({ opening: {} })
    driven.pi({ id: 'x', type: 'response', command: 'prompt', success: false, error: 'No API key found.' })
    expect(driven.completions.map(({ error }) => error?.code)).toEqual(['auth'])
  })

  it('notes a request that pi refused while it ran', () => {
    const driven = new Driven({ opening: {} }).pi(agentStart, user('Go.'))
    driven.pi({ id: 'x', type: 'response', command: 'prompt', success: false, error: 'already processing' })
    expect(driven.said.at(-1)).toBe('notice request_refused')
  })
})
