import { describe, expect, test } from 'vitest'
import { Driven, greeting } from './driving.ts'
import { call, host, methodsOf, permission, say } from './records.ts'

describe('commands', () => {
  test('what is said to a running turn is the next one, all of it in one, for ACP has no steering', () => {
    const driven = Driven.open().prompt()
    driven
      .command({ type: 'steer', id: 'x', text: '/left' })
      .command({ type: 'steer', id: 'y', text: 'Slowly.' })
    driven.sent()
    expect(driven.steered).toEqual([])
    driven.answer({ stopReason: 'end_turn' })
    expect(driven.steered).toEqual([
      { id: 'x', outcome: 'queued' },
      { id: 'y', outcome: 'queued' },
    ])
    expect(driven.sent()).toMatchObject([
      {
        method: 'session/prompt',
        params: {
          prompt: [
            { type: 'text', text: ' /left' },
            { type: 'text', text: 'Slowly.' },
          ],
        },
      },
    ])
    driven.update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'Aye.' } })
    driven.answer({ stopReason: 'end_turn' })
    expect(driven.said.slice(-5)).toEqual([
      'completion success',
      'session',
      'delta Aye.',
      'message completed Aye.',
      'completion success',
    ])
  })

  test.each([
    [
      'a process of one turn',
      { oneTurn: true },
      [],
      'ACP has no way to say something to a running turn, and no other one follows.',
    ],
    ['a turn that is being stopped', {}, ['interrupt'], 'The turn is being stopped.'],
  ] as const)('a steer at %s is rejected, with why', (_title, opening, before, reason) => {
    const driven = Driven.open({ opening }).prompt()
    for (const type of before) driven.command({ type })
    driven.command({ type: 'steer', id: 'x', text: 'left' })
    expect(driven.steered).toEqual([{ id: 'x', outcome: 'rejected', reason }])
  })

  test('a steer is rejected when no turn runs, and when the turn is stopped before it could be queued', () => {
    const driven = Driven.open().command({ type: 'steer', id: 'x', text: 'left' }).prompt()
    driven.command({ type: 'steer', id: 'y', text: 'left' }).command({ type: 'interrupt' })
    driven.sent()
    driven.answer({ stopReason: 'cancelled' })
    expect(driven.steered).toEqual([
      { id: 'x', outcome: 'rejected', reason: 'No turn is running.' },
      { id: 'y', outcome: 'rejected', reason: 'The turn was over before the agent could be told.' },
    ])
    expect(driven.sent()).toEqual([])
  })

  test('an interrupt is sent once, answers what is open, and the agent ends the turn', () => {
    const driven = Driven.open({ options: host }).command({ type: 'interrupt' }).prompt()
    driven.sent()
    driven.ask(0, 'session/request_permission', permission())
    driven.command({ type: 'interrupt' }).command({ type: 'interrupt' })
    expect(driven.sent()).toEqual([
      { id: 0, result: { outcome: { outcome: 'cancelled' } } },
      { method: 'session/cancel', params: { sessionId: 's1' } },
    ])
    expect(driven.last).toBeUndefined()
    driven.answer({ stopReason: 'cancelled' })
    expect(driven.said.slice(-2)).toEqual([
      'tool end rm -r x interrupted undefined',
      'completion interrupted aborted',
    ])
  })

  test.each([[{ code: -32800, message: 'Request cancelled' }], [{ code: -32603, message: 'AbortError' }]])(
    'an agent that answers an interrupt with an error was interrupted: %j',
    (error) => {
      const driven = Driven.open().prompt().command({ type: 'interrupt' }).refuse(error)
      expect(driven.last?.status).toBe('interrupted')
    },
  )

  test('another model is set before the next prompt; one that is refused fails that turn alone', () => {
    const driven = new Driven().answer(greeting())
    driven.answer({ sessionId: 's1', models: { currentModelId: 'small' } })
    driven.command({ type: 'model', model: 'big' })
    driven.sent()
    driven.prompt()
    expect(methodsOf(driven.sent())).toEqual(['session/set_model'])
    driven.refuse({ code: -32602, message: 'unknown' })
    expect(driven.last?.error).toMatchObject({ code: 'model_not_found' })
    driven.prompt().answer({})
    expect(methodsOf(driven.sent())).toEqual(['session/set_model', 'session/prompt'])
    driven.answer({ stopReason: 'end_turn' })
    expect(driven.last?.status).toBe('success')
  })

  test('an agent that dies in a turn ends it', () => {
    const driven = Driven.open()
      .prompt()
      .update(call({}), say('Al'))
      .end({ exitCode: 1, stderr: 'out of memory' })
    expect(driven.said.slice(-3)).toEqual([
      'tool end bash interrupted undefined',
      'message interrupted Al',
      'completion error crashed',
    ])
    expect(driven.last?.error?.message).toBe('out of memory')
  })
})
