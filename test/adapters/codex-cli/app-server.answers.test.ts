import { describe, expect, it } from 'vitest'
import type { WireDecision } from '../../../src/protocol/wire.ts'
import { Driven, type Json, outline } from './app-server-driving.ts'
import { command, elicits, form, mayRun, permissions, question, runs } from './app-server-requests.ts'

describe('an answer', () => {
  const accepted = { action: 'accept', content: null, _meta: null }
  const rows: [
    title: string,
    method: string,
    params: Json,
    decision: WireDecision,
    result: Json,
    also: string[],
  ][] = [
    ['allows a command', runs, command, { decision: 'allow' }, { decision: 'accept' }, []],
    [
      'allows it for good',
      runs,
      command,
      { decision: 'allow', optionId: 'acceptWithExecpolicyAmendment' },
      { decision: { acceptWithExecpolicyAmendment: { execpolicy_amendment: ['touch', 'a'] } } },
      [],
    ],
    ['denies it', runs, command, { decision: 'deny' }, { decision: 'decline' }, []],
    [
      'denies it whatever option it names',
      runs,
      command,
      { decision: 'deny', optionId: 'accept' },
      { decision: 'decline' },
      [],
    ],
    [
      'denies it with words for the model',
      runs,
      command,
      { decision: 'deny', message: 'Not now.' },
      { decision: 'decline' },
      ['turn/steer'],
    ],
    ['stops the turn', runs, command, { decision: 'cancel' }, { decision: 'cancel' }, []],
    [
      'that wants something else run is a denial',
      runs,
      command,
      { decision: 'allow', updatedInput: { command: 'ls' } },
      { decision: 'decline' },
      [],
    ],
    [
      'grants what was asked for, for the turn',
      'item/permissions/requestApproval',
      permissions,
      { decision: 'allow' },
      { permissions: { network: { enabled: true } }, scope: 'turn' },
      [],
    ],
    [
      'grants it for the session',
      'item/permissions/requestApproval',
      permissions,
      { decision: 'allow', optionId: 'session' },
      { permissions: { network: { enabled: true } }, scope: 'session' },
      [],
    ],
    [
      'grants nothing',
      'item/permissions/requestApproval',
      permissions,
      { decision: 'deny' },
      { permissions: {}, scope: 'turn' },
      [],
    ],
    [
      'answers questions',
      'item/tool/requestUserInput',
      question,
      { decision: 'allow', answers: { port: 'Kiel', pin: ['1', '2'] } },
      { answers: { port: { answers: ['Kiel'] }, pin: { answers: ['1', '2'] } } },
      [],
    ],
    [
      'leaves questions open',
      'item/tool/requestUserInput',
      question,
      { decision: 'deny', answers: { port: 'Kiel' } },
      { answers: {} },
      [],
    ],
    [
      'leaves them open and stops the turn',
      'item/tool/requestUserInput',
      question,
      { decision: 'cancel' },
      { answers: {} },
      ['turn/interrupt'],
    ],
    [
      'fills a form in the types that it wants',
      elicits,
      form,
      { decision: 'allow', answers: { port: 'Kiel', berth: '3', night: 'true' } },
      { ...accepted, content: { port: 'Kiel', berth: 3, night: true } },
      [],
    ],
    [
      'fills a form as it is',
      elicits,
      form,
      { decision: 'allow', updatedInput: { berth: 3 } },
      { ...accepted, content: { berth: 3 } },
      [],
    ],
    ['declines a form', elicits, form, { decision: 'deny' }, { ...accepted, action: 'decline' }, []],
    [
      'cancels a form',
      elicits,
      form,
      { decision: 'cancel' },
      { ...accepted, action: 'cancel' },
      ['turn/interrupt'],
    ],
    ['allows a tool of an MCP server', elicits, mayRun, { decision: 'allow' }, accepted, []],
    [
      'allows it for the session',
      elicits,
      mayRun,
      { decision: 'allow', optionId: 'session' },
      { ...accepted, _meta: { persist: 'session' } },
      [],
    ],
  ]
  it.each(rows)('%s', (_, method, params, decision, result, also) => {
    const driven = new Driven().turn().asks(0, method, params)
    driven.sent()
    driven.decide('interaction-1', decision)
    const [first, ...others] = driven.sent()
    expect([first, ...outline(others)]).toEqual([{ id: 0, result }, ...also])
  })

  it('to several at once goes to the one that it is for, under the id that codex gave', () => {
    const driven = new Driven()
      .turn()
      .asks(0, runs, command)
      .asks('x', elicits, form)
      .asks(7, runs, { itemId: 'c2' })
    driven.sent()
    driven.decide('interaction-2', { decision: 'deny' })
    driven.decide('interaction-1', { decision: 'allow' })
    expect(driven.sent().map(({ id }) => id)).toEqual(['x', 0])
    driven.done()
    expect(driven.said.filter((line) => line.startsWith('resolved'))).toEqual([
      'resolved interaction-2 deny by host',
      'resolved interaction-1 allow by host',
      'resolved interaction-3 cancel by cli',
    ])
  })

  it('that comes twice, too late or for nobody says nothing', () => {
    const driven = new Driven().turn().asks(0, runs, command).asks(1, runs, { itemId: 'c2' })
    driven.decide('interaction-1', { decision: 'allow' })
    driven.notify('serverRequest/resolved', { requestId: 0 })
    driven.notify('serverRequest/resolved', { requestId: 1 })
    expect(driven.said.at(-1)).toBe('resolved interaction-2 cancel by cli')
    driven.sent()
    const count = driven.events.length
    for (const id of ['interaction-1', 'interaction-2', 'interaction-9'])
      driven.decide(id, { decision: 'allow' })
    expect([driven.sent(), driven.events.length]).toEqual([[], count])
  })
})
