import { describe, expect, it } from 'vitest'
import { agentStart, answer, runEnd } from './records.ts'
import { Driven, type DrivenOptions, older, state, user } from './rpc-driving.ts'

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
