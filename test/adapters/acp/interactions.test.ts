import { describe, expect, test } from 'vitest'
import { Driven, type Json } from './driving.ts'
import { host, permission, progress } from './records.ts'

describe('what the agent asks', () => {
  test.each<[string, Parameters<Driven['decide']>[1], Json, string, string | undefined]>([
    ['allow', { decision: 'allow' }, { outcome: 'selected', optionId: 'a' }, 'allow', undefined],
    [
      'allow for ever',
      { decision: 'allow', optionId: 'aa' },
      { outcome: 'selected', optionId: 'aa' },
      'allow',
      undefined,
    ],
    [
      'allow, with an option that denies',
      { decision: 'allow', optionId: 'r' },
      { outcome: 'selected', optionId: 'a' },
      'allow',
      undefined,
    ],
    ['deny', { decision: 'deny' }, { outcome: 'selected', optionId: 'r' }, 'deny', undefined],
    [
      'deny, with a reason',
      { decision: 'deny', message: 'no' },
      { outcome: 'selected', optionId: 'r' },
      'deny',
      'ACP has no place for the reason of a denial.',
    ],
    [
      'allow something else',
      { decision: 'allow', updatedInput: { command: 'ls' } },
      { outcome: 'selected', optionId: 'r' },
      'deny',
      'ACP cannot change the input of a tool call, so the call was denied.',
    ],
    ['cancel', { decision: 'cancel' }, { outcome: 'cancelled' }, 'cancel', undefined],
  ])('is answered: %s', (_, decision, outcome, said, lost) => {
    const driven = Driven.open({ options: host }).prompt()
    driven.sent()
    driven.ask(0, 'session/request_permission', permission())
    expect(driven.events.at(-1)).toEqual({
      type: 'interaction',
      interactionId: 'interaction-1',
      phase: 'request',
      kind: 'approval',
      title: 'rm -r x',
      toolId: 't1',
      options: permission().options,
    })
    expect(driven.sent()).toEqual([])
    driven.decide('interaction-1', decision)
    const stop = { method: 'session/cancel', params: { sessionId: 's1' } }
    expect(driven.sent()).toEqual([{ id: 0, result: { outcome } }, ...(said === 'cancel' ? [stop] : [])])
    expect(driven.said.slice(1)).toEqual([
      'tool start rm -r x execute',
      'tool input rm -r x {"command":"rm -r x"}',
      'request approval rm -r x',
      `resolved approval rm -r x ${said} by host`,
      ...(lost === undefined ? [] : [`notice decision_reduced ${lost}`]),
    ])
    driven.decide('interaction-1', { decision: 'allow' }).decide('interaction-9', { decision: 'allow' })
    expect(driven.sent()).toEqual([])
    driven.update(progress({ status: 'failed' })).answer({ stopReason: 'end_turn' })
    const end = said === 'allow' ? 'failed' : 'rejected'
    expect(driven.said).toContain(`tool end rm -r x ${end} undefined`)
  })

  test.each([
    ['deny', { oneTurn: true }, 'r'],
    ['allow', { approvals: 'approve-all' }, 'a'],
  ])('is answered at once where nobody is there: %s', (decision, opening, optionId) => {
    const driven = Driven.open({ opening }).prompt()
    driven.sent()
    driven.ask('x', 'session/request_permission', permission())
    expect(driven.sent()).toEqual([{ id: 'x', result: { outcome: { outcome: 'selected', optionId } } }])
    expect(driven.said.at(-1)).toBe(`resolved approval rm -r x ${decision} by default`)
  })

  test('several at once, one withdrawn, one left open when the turn is over', () => {
    const driven = Driven.open({ options: host }).prompt()
    driven.sent()
    for (const id of [0, 'b', 2]) driven.ask(id, 'session/request_permission', permission())
    driven.agent({ method: '$/cancel_request', params: { requestId: 'b' } })
    driven.decide('interaction-1', { decision: 'allow' }).agent({ id: 3, result: { stopReason: 'end_turn' } })
    expect(driven.sent().map(({ id }) => id)).toEqual(['b', 0, 2])
    expect(driven.said.filter((line) => line.startsWith('resolved'))).toEqual([
      'resolved approval rm -r x cancel by cli',
      'resolved approval rm -r x allow by host',
      'resolved approval rm -r x cancel by cli',
    ])
  })

  test('without a turn it is cancelled, and says nothing', () => {
    const driven = Driven.open({ options: host }).ask(0, 'session/request_permission', permission())
    expect(driven.sent()).toEqual([{ id: 0, result: { outcome: { outcome: 'cancelled' } } }])
    expect(driven.events).toEqual([])
  })

  test('to leave a mode is a plan', () => {
    const toolCall = { toolCallId: 't1', title: 'Ready to code?', kind: 'switch_mode' }
    const driven = Driven.open({ options: host }).prompt()
    driven.ask(0, 'session/request_permission', permission({ toolCall }))
    expect(driven.said.at(-1)).toBe('request plan Ready to code?')
  })

  const requestedSchema = {
    type: 'object',
    properties: {
      name: { type: 'string' },
      age: { type: 'integer' },
      ok: { type: 'boolean' },
      tags: { type: 'array' },
    },
    required: ['name'],
  }
  test.each<[string, Parameters<Driven['decide']>[1], Json]>([
    [
      'answers in the types of the form',
      { decision: 'allow', answers: { name: 'Ann', age: '7', ok: 'yes', tags: 'x', more: '1' } },
      { action: 'accept', content: { name: 'Ann', age: 7, ok: true, tags: ['x'] } },
    ],
    [
      'an answer that is not whole is none',
      { decision: 'allow', answers: { age: '7' } },
      { action: 'decline' },
    ],
    ['no', { decision: 'deny' }, { action: 'decline' }],
  ])('a form: %s', (_, decision, result) => {
    const driven = Driven.open({ options: host }).prompt()
    driven.sent()
    driven.ask(1, 'elicitation/create', { mode: 'form', message: 'Who?', requestedSchema })
    expect(driven.events.at(-1)).toMatchObject({ kind: 'form', title: 'Who?', schema: requestedSchema })
    expect(driven.decide('interaction-1', decision).sent()).toEqual([{ id: 1, result }])
  })

  test.each(['fs/read_text_file', 'terminal/create', 'something/else'])(
    '%s is refused, never left open',
    (method) => {
      const driven = Driven.open().prompt()
      driven.sent()
      driven.ask(0, method, {})
      expect(driven.sent()).toEqual([
        { id: 0, error: { code: -32601, message: `Method not found: ${method}` } },
      ])
    },
  )
})
