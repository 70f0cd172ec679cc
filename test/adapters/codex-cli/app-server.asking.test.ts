import { describe, expect, it } from 'vitest'
import { Driven, outline } from './app-server-driving.ts'
import { command, elicits, form, mayRun, permissions, question, runs } from './app-server-requests.ts'

describe('what codex asks', () => {
  it.each([
    [runs, command, 'approval Run this command? touch a'],
    [
      runs,
      { ...command, networkApprovalContext: { host: 'a.test' } },
      'approval Allow network access to a.test?',
    ],
    [runs, { itemId: 'c1', command: 'ls', reason: 'to look' }, 'approval Run this command? ls (to look)'],
    ['item/fileChange/requestApproval', { itemId: 'f1' }, 'approval Apply these changes? /w/a'],
    [
      'item/permissions/requestApproval',
      permissions,
      'approval Grant these permissions? network: {"enabled":true} (to fetch)',
    ],
    ['item/tool/requestUserInput', question, 'question Which port? Which pin?'],
    [elicits, form, 'form Where to?'],
    [
      elicits,
      { ...form, mode: 'url', url: 'https://a.test/', requestedSchema: undefined },
      'form Where to? https://a.test/',
    ],
    [elicits, mayRun, 'approval Allow tiny to add?'],
  ] as const)('%s %# reads so that a person understands it', (method, params, title) => {
    const driven = new Driven().turn()
    driven.started({ type: 'fileChange', id: 'f1', changes: [{ path: '/w/a', kind: { type: 'add' } }] })
    driven.asks(0, method, params)
    expect(driven.said.at(-1)).toBe(`asks interaction-1 ${title}`)
  })

  it('names the call that it is about, also where it comes before the call (0.113)', () => {
    const driven = new Driven().turn().asks(0, runs, command)
    expect(driven.said.slice(1, 3)).toEqual([
      'tool c1 start shell',
      `tool c1 input {"command":"/bin/bash -lc 'touch a'"}`,
    ])
    expect(driven.events.at(-1)).toMatchObject({ toolId: 'c1' })
    driven.started({ type: 'mcpToolCall', id: 't1', server: 'tiny', tool: 'add', arguments: {} })
    driven.started({ type: 'mcpToolCall', id: 't2', server: 'tiny', tool: 'sub', arguments: {} })
    driven.asks(1, elicits, mayRun)
    expect(driven.events.at(-1)).toMatchObject({ toolId: 't1' })
  })

  it('lists the ways to answer', () => {
    const driven = new Driven().turn().asks(0, runs, command)
    expect(driven.events.at(-1)).toMatchObject({
      options: [
        { optionId: 'accept', name: 'Allow', kind: 'allow_once' },
        { optionId: 'acceptWithExecpolicyAmendment', name: 'Always allow touch a', kind: 'allow_always' },
        { optionId: 'decline', name: 'Deny', kind: 'reject_once' },
        { optionId: 'cancel', name: 'Deny and stop', kind: 'reject_once' },
      ],
    })
  })

  it('as questions has a schema whose properties are what answers are keyed by', () => {
    const driven = new Driven().turn().asks(0, 'item/tool/requestUserInput', question)
    expect(driven.events.at(-1)).toMatchObject({
      schema: {
        type: 'object',
        required: ['port', 'pin'],
        properties: {
          port: {
            type: 'string',
            title: 'Port',
            description: 'Which port?',
            oneOf: [{ const: 'Kiel', title: 'Kiel', description: 'south' }],
          },
          pin: { type: 'string', title: 'Pin', description: 'Which pin?', writeOnly: true },
        },
      },
    })
  })
})

describe('where nobody is to be asked', () => {
  it.each([
    [runs, command, { decision: 'decline' }],
    ['item/tool/requestUserInput', question, { answers: {} }],
    [elicits, form, { action: 'decline', content: null, _meta: null }],
  ])('%s is answered at once, and said', (method, params, result) => {
    const driven = new Driven({ options: {} }).turn()
    driven.sent()
    driven.asks(0, method, params)
    expect(driven.sent()).toEqual([{ id: 0, result }])
    expect(driven.said.slice(-2).map((line) => line.split(' ')[0])).toEqual(['asks', 'resolved'])
    expect(driven.said.at(-1)).toBe('resolved interaction-1 deny by default')
  })

  it('what is asked between turns is denied', () => {
    const driven = new Driven()
    driven.asks(3, elicits, { ...form, turnId: null })
    expect(driven.sent()).toEqual([{ id: 3, result: { action: 'decline', content: null, _meta: null } }])
    expect(driven.events).toEqual([])
  })

  it('a request that nobody knows is refused, and said', () => {
    const driven = new Driven().turn()
    driven.sent()
    driven.asks(0, 'attestation/generate').asks('a', 'execCommandApproval', { command: ['ls'] })
    expect(outline(driven.sent())).toEqual([-32601, -32601])
    expect(driven.said.at(-1)).toBe(
      'notice unknown_record codex asked for "execCommandApproval", which this version does not know.',
    )
  })
})

describe('a recording', () => {
  it('tells what was asked, and answers nothing', () => {
    const driven = new Driven({ recorded: true, options: {} })
    driven.sent()
    driven.codex({ id: 9, result: { thread: { id: '01a00000-0000-7000-8000-000000000001' } } })
    driven.notify('turn/started', { turn: { id: 'turn-0' } }).asks(0, runs, command)
    driven.notify('serverRequest/resolved', { requestId: 0 }).says('Done').done()
    expect(driven.said.filter((line) => /^(session|asks|resolved|completion)/.test(line))).toEqual([
      'session new',
      'asks interaction-1 approval Run this command? touch a',
      'resolved interaction-1 undefined by cli',
      'completion success',
    ])
    expect(driven.sent()).toEqual([])
  })
})
