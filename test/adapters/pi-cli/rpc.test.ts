import { describe, expect, it } from 'vitest'
import { agentStart, answer, type Form, forms, type Json, runEnd } from './records.ts'
import { Driven, type DrivenOptions, newer, older, state } from './rpc-driving.ts'

const user = (text: string): Json => ({
  type: 'message_start',
  message: { role: 'user', content: [{ type: 'text', text }] },
})
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

describe('prompts', () => {
  it('carry their images', () => {
    const image = { type: 'image', mimeType: 'image/png', data: 'AAAA' } as const
    const driven = new Driven().prompt([
      { type: 'text', text: 'Look' },
      image,
      { type: 'text', text: 'here.' },
    ])
    expect(driven.sent()).toEqual([
      { id: 'prompt-1', type: 'prompt', message: 'Look\nhere.', images: [image] },
    ])
  })

  it.each([
    ['/skill:x', false, '/skill:x'],
    ['/skill:x', true, ' /skill:x'],
    ['@/etc/passwd', true, '@/etc/passwd'],
    ['a /b', true, 'a /b'],
  ])('are literal: %s, with commands of the caller’s own: %s', (text, hasCommands, sent) => {
    const driven = new Driven({ opening: { ...newer, hasCommands } }).prompt(text).steer('a', text)
    expect(driven.sent().map(({ message }) => message)).toEqual([sent, sent])
  })

  it.each([
    ['No API key found for anthropic.\n\nUse /login', 'auth'],
    ['No model selected.', 'auth'],
    ['Cannot submit a prompt while compaction is in progress.', 'busy'],
    ['Something else.', 'unknown'],
  ])('that pi refuses end their turn: %s', (error, code) => {
    // Before 0.80 pi accepts a prompt before it looks at it.
    const driven = new Driven({ opening: older }).prompt('Go.').answer('prompt-1').refuse('prompt-1', error)
    expect(driven.last).toMatchObject({
      status: 'error',
      error: { code },
      evidence: { detail: 'response prompt' },
    })
    driven.prompt('Go.').refuse('prompt-2', error)
    expect(driven.completions.length).toBe(2)
  })

  const running = 'Agent is already processing. Specify streamingBehavior'
  const ask = (id: string) => ({ id, type: 'prompt', message: 'Go.' })

  it('that pi refuses for a run that has not shown itself are given again after it', () => {
    const driven = new Driven().prompt('Go.').steer('a', 'more').refuse('prompt-1', running)
    expect(driven.steered.map(({ outcome }) => outcome)).toEqual(['rejected'])
    driven.sent()
    driven.answer('get_state-2', state({ isStreaming: true })).pi(agentStart, user('Other.'))
    expect([driven.sent(), driven.owed.at(-1)]).toEqual([[], undefined])
    driven.pi(...runEnd('delta-only'))
    expect(driven.sent()).toEqual([ask('prompt-2')])
    driven.refuse('prompt-2', running).answer('get_state-3', state())
    expect(driven.sent().at(-1)).toEqual(ask('prompt-3'))
    expect(driven.said).toEqual(['session s1 new'])
  })

  it('that pi refuses for a run that never begins are given again when the extension has failed', () => {
    const driven = new Driven().prompt('Go.').refuse('prompt-1', running)
    driven.answer('get_state-2', state({ isStreaming: true })).pi({ type: 'extension_error', error: 'No.' })
    driven.sent()
    driven.answer('get_state-3', state())
    expect(driven.sent()).toEqual([ask('prompt-2')])
  })

  it.each([
    ['before its prompt is sent', (driven: Driven) => driven.pi(agentStart).prompt('Go.').interrupt()],
    [
      'before its prompt is sent again',
      (driven: Driven) => driven.prompt('Go.').pi(agentStart).refuse('prompt-1', running).interrupt(),
    ],
    [
      'before its prompt is refused',
      (driven: Driven) => driven.prompt('Go.').pi(agentStart).interrupt().refuse('prompt-1', running),
    ],
  ])('let their turn be stopped while pi runs by itself, %s', (_, stop) => {
    const driven = stop(new Driven())
    driven.sent()
    driven.pi(...runEnd('delta-only'))
    expect(driven.said).toEqual(['session s1 new', 'completion interrupted'])
    expect(driven.prompt('Next.').sent()).toMatchObject([{ type: 'prompt', message: 'Next.' }])
  })

  it('are told afterwards what extensions said in a run of theirs; what they asked is cancelled', () => {
    const driven = new Driven({ options: { interactions: 'host' } }).pi(agentStart).prompt('Go.')
    driven.pi(
      { type: 'extension_ui_request', id: 'n', method: 'notify', message: 'Ahoy.' },
      { type: 'extension_error', error: 'Oops.' },
      { type: 'extension_ui_request', id: 'c', method: 'confirm', title: 'Sure?' },
    )
    expect(driven.sent()).toEqual([{ type: 'extension_ui_response', id: 'c', cancelled: true }])
    expect(driven.said).toEqual([])
    driven.pi(...runEnd('delta-only'))
    expect(driven.said).toEqual(['session s1 new', 'notice extension_notice', 'notice extension_error'])
  })

  it('that pi refuses when their turn is over already end nothing twice', () => {
    const driven = new Driven({ opening: newer }).prompt('Go.').pi({ type: 'agent_settled' })
    expect(driven.completions.length).toBe(1)
    driven.refuse('prompt-1', 'Too late.')
    expect(driven.completions.length).toBe(1)
  })

  it('that an extension takes for itself end their turn, unless it runs the agent', () => {
    const driven = new Driven().prompt('!x').answer('prompt-1', { disposition: 'handled' })
    driven.answer('get_state-2', state())
    expect(driven.last?.status).toBe('success')
    driven.prompt('!y').answer('prompt-2', { disposition: 'handled' })
    driven.answer('get_state-3', state({ isStreaming: true }))
    expect(driven.completions.length).toBe(1)
  })
})

describe('steers', () => {
  const running = (options: DrivenOptions = {}) => {
    const driven = new Driven(options).prompt('Go.').pi(agentStart, user('Go.'))
    driven.sent()
    return driven
  }

  it('are delivered when their text comes into the run, each once, also where the prompt said the same', () => {
    const driven = new Driven().prompt('Go.').steer('a', 'Go.').steer('b', 'Go.')
    expect(driven.sent().map(({ id, message }) => [id, message])).toEqual([
      ['prompt-1', 'Go.'],
      ['steer-1', 'Go.'],
      ['steer-2', 'Go.'],
    ])
    driven.answer('steer-1').answer('steer-2').pi(agentStart, user('Go.'))
    expect(driven.steered).toEqual([])
    driven.pi(user('Go.'))
    expect(driven.steered).toEqual([{ id: 'a', outcome: 'delivered' }])
    driven.pi(user('Go.'))
    expect(driven.steered.at(-1)).toEqual({ id: 'b', outcome: 'delivered' })
  })

  it('are rejected where nothing runs, and where pi refuses them', () => {
    const idle = new Driven().steer('a', 'Hello?')
    expect(idle.steered).toEqual([{ id: 'a', outcome: 'rejected', reason: 'No turn is running.' }])
    expect(idle.sent()).toEqual([])
    const refused = running().steer('a', '/x').refuse('steer-1', 'cannot be queued')
    expect(refused.steered).toEqual([{ id: 'a', outcome: 'rejected', reason: 'cannot be queued' }])
  })

  it('that the run did not take in are taken back before the turn ends', () => {
    const driven = running().steer('a', 'late').steer('b', 'shouted')
    driven.pi(...answer('delta-only', [{ text: ['Done.'] }]), ...runEnd('delta-only'))
    expect(driven.completions).toEqual([])
    driven.answer('steer-1').sent()
    driven.answer('steer-2')
    expect(driven.sent()).toEqual([{ id: 'clear_queue-1', type: 'clear_queue' }])
    // An extension had made another text of the second one, which came into the run.
    driven.answer('clear_queue-1', { steering: ['late'], followUp: [] })
    expect(driven.steered).toEqual([
      { id: 'a', outcome: 'rejected', reason: 'The turn was over before pi took it in.' },
      { id: 'b', outcome: 'delivered' },
    ])
    expect(driven.last?.status).toBe('success')
  })

  it.each([
    [0, [], 'delivered'],
    [1, ['new_session', 'switch_session', 'get_state'], 'rejected'],
  ])('before 0.84.4, with %i left in the queue: %j, %s', (pendingMessageCount, more, outcome) => {
    const driven = running({ opening: older }).steer('a', 'late').answer('steer-1')
    driven.pi(...answer('cumulative', [{ text: ['Done.'] }]), ...runEnd('cumulative'))
    driven.answer('get_state-2', state({ pendingMessageCount }))
    driven.answer('get_state-3', state({ pendingMessageCount }))
    driven.answer('new_session-1', { cancelled: false }).answer('switch_session-1', { cancelled: false })
    driven.answer('get_state-4', state())
    expect(driven.sent().map(({ type }) => type)).toEqual(['steer', 'get_state', 'get_state', ...more])
    expect(driven.steered.map((receipt) => receipt.outcome)).toEqual([outcome])
    expect(driven.last?.status).toBe('success')
    expect(driven.failures).toEqual([])
  })

  it('that cannot be taken back say so; a conversation that pi did not come back to is a failure', () => {
    const late = () => {
      const driven = running({ opening: older }).steer('a', 'late').answer('steer-1')
      driven.pi(...answer('cumulative', [{ text: ['Done.'] }]), ...runEnd('cumulative'))
      driven.answer('get_state-2', state()).answer('get_state-3', state({ pendingMessageCount: 1 }))
      return driven
    }
    const kept = late().answer('new_session-1', { cancelled: true })
    expect(kept.steered.at(0)?.reason).toBe(
      'The turn was over before pi took it in; pi holds it until the next prompt.',
    )
    expect(kept.last?.status).toBe('success')
    const lost = late().answer('new_session-1', { cancelled: false }).answer('switch_session-1', {})
    lost.answer('get_state-4', state({ sessionFile: '/state/s2.jsonl' }))
    expect(lost.failures.map(({ code }) => code)).toEqual(['protocol'])
    expect(lost.completions.length).toBe(1)
  })

  it('get one receipt each when pi ends', () => {
    const driven = running().steer('a', 'x').steer('b', 'y').answer('steer-1').end({ exitCode: 1 })
    expect(driven.steered).toEqual([
      { id: 'a', outcome: 'rejected', reason: 'pi has ended.' },
      { id: 'b', outcome: 'rejected', reason: 'pi has ended.' },
    ])
  })
})

describe('interrupts', () => {
  const aborted = answer('delta-only', [{ text: ['Half'] }], { stopReason: 'aborted', broken: true })

  it('send one abort, and end with the word of pi; what was said stays', () => {
    const driven = new Driven().prompt('Go.').pi(agentStart, user('Go.'))
    driven.sent()
    driven.command({ type: 'interrupt' }).command({ type: 'interrupt' })
    expect(driven.sent()).toEqual([{ id: 'abort-1', type: 'abort' }])
    driven.pi(...aborted, ...runEnd('delta-only', { aborted: true })).answer('abort-1')
    expect(driven.last).toMatchObject({ status: 'interrupted', text: 'Half', error: { code: 'aborted' } })
    driven.command({ type: 'interrupt' })
    expect(driven.sent()).toEqual([])
  })

  it('are repeated when the run begins after them', () => {
    const driven = new Driven().prompt('Go.').command({ type: 'interrupt' }).answer('abort-1')
    driven.answer('prompt-1').sent()
    driven.pi(agentStart)
    expect(driven.sent()).toEqual([{ id: 'abort-2', type: 'abort' }])
    driven.pi(...runEnd('delta-only', { aborted: true }))
    expect(driven.last?.status).toBe('interrupted')
  })

  it('take back what is queued first', () => {
    const driven = new Driven().prompt('Go.').pi(agentStart, user('Go.')).steer('a', 'more').answer('steer-1')
    driven.sent()
    driven.command({ type: 'interrupt' })
    expect(driven.sent().map(({ type }) => type)).toEqual(['clear_queue', 'abort'])
    driven.answer('clear_queue-1', { steering: ['more'], followUp: [] })
    expect(driven.steered).toEqual([{ id: 'a', outcome: 'rejected', reason: 'The turn was stopped.' }])
    driven.steer('b', 'still there?')
    expect(driven.steered.at(-1)?.outcome).toBe('rejected')
  })

  it('end a wait for a retry, which has no other end before 0.80.4', () => {
    const driven = new Driven({ opening: older }).prompt('Go.').pi(agentStart, user('Go.'))
    driven.pi(...answer('cumulative', [], { stopReason: 'error', errorMessage: '500 oops' }))
    driven.pi({ type: 'agent_end', messages: [] })
    driven.pi({
      type: 'auto_retry_start',
      attempt: 1,
      maxAttempts: 3,
      delayMs: 9000,
      errorMessage: '500 oops',
    })
    driven.answer('get_state-2', state()).command({ type: 'interrupt' })
    driven.pi({ type: 'auto_retry_end', success: false, attempt: 1, finalError: 'Retry cancelled' })
    driven.answer('get_state-3', state())
    expect(driven.last).toMatchObject({ status: 'interrupted', error: { code: 'aborted' } })
  })

  it('do not undo a turn that had ended well', () => {
    const driven = new Driven({ opening: older }).prompt('Go.').pi(agentStart, user('Go.'))
    driven.pi(...answer('cumulative', [{ text: ['Done.'] }])).command({ type: 'interrupt' })
    driven.pi(...runEnd('cumulative')).answer('get_state-2', state())
    expect(driven.last?.status).toBe('success')
  })
})

describe('models', () => {
  const models = [
    { provider: 'q', id: 'm2' },
    { provider: 'p', id: 'm2' },
    { provider: 'q', id: 'vendor/m3' },
  ]

  it.each([
    ['m2', 'p', 'm2'],
    ['q/m2', 'q', 'm2'],
    ['vendor/m3', 'q', 'vendor/m3'],
  ])('are changed before the next prompt: %s', (name, provider, modelId) => {
    const driven = new Driven().command({ type: 'model', model: name })
    expect(driven.sent()).toEqual([])
    driven.prompt('Go.').steer('a', 'more')
    expect(driven.sent().map(({ type }) => type)).toEqual(['get_available_models'])
    driven.answer('get_available_models-1', { models })
    expect(driven.sent()).toEqual([{ id: 'set_model-1', type: 'set_model', provider, modelId }])
    expect(driven.said).toEqual([])
    driven.answer('set_model-1', { provider, id: modelId })
    expect(driven.sent().map(({ type }) => type)).toEqual(['prompt', 'steer'])
    expect(driven.said).toEqual(['session s1 new'])
  })

  it('that pi does not have are an error of each turn until another is named', () => {
    const driven = new Driven().command({ type: 'model', model: 'none' }).prompt('Go.').steer('a', 'more')
    driven.answer('get_available_models-1', { models }).prompt('Go.')
    driven.answer('get_available_models-2', { models: 'what' })
    expect(driven.completions.map(({ error }) => error?.code)).toEqual(['model_not_found', 'model_not_found'])
    expect(driven.steered.map(({ outcome }) => outcome)).toEqual(['rejected'])
    driven.command({ type: 'model', model: 'm2' }).prompt('Go.')
    driven.answer('get_available_models-3', { models }).refuse('set_model-1', 'No API key for p/m2')
    expect(driven.last?.error?.message).toBe('No API key for p/m2')
  })

  it('do not keep a turn from being stopped before its prompt is sent', () => {
    const driven = new Driven().command({ type: 'model', model: 'm2' }).prompt('Go.')
    driven.command({ type: 'interrupt' })
    expect(driven.said).toEqual(['session s1 new', 'completion interrupted'])
    driven.sent()
    driven.answer('get_available_models-1', { models })
    expect(driven.sent()).toEqual([])
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
