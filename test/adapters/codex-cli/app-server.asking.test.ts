import { describe, expect, it } from 'vitest'
import type { WireDecision } from '../../../src/protocol/wire.ts'
import { Driven, type Json, outline } from './app-server-driving.ts'

const runs = 'item/commandExecution/requestApproval'
const elicits = 'mcpServer/elicitation/request'
const command = {
  itemId: 'c1',
  command: "/bin/bash -lc 'touch a'",
  commandActions: [{ type: 'unknown', command: 'touch a' }],
  availableDecisions: [
    'accept',
    { acceptWithExecpolicyAmendment: { execpolicy_amendment: ['touch', 'a'] } },
    'cancel',
  ],
}
const question = {
  itemId: 'q1',
  questions: [
    {
      id: 'port',
      header: 'Port',
      question: 'Which port?',
      isOther: false,
      isSecret: false,
      options: [{ label: 'Kiel', description: 'south' }],
    },
    { id: 'pin', header: 'Pin', question: 'Which pin?', isOther: true, isSecret: true, options: null },
  ],
}
const form = {
  serverName: 'tiny',
  mode: 'form',
  message: 'Where to?',
  requestedSchema: {
    type: 'object',
    properties: { port: { type: 'string' }, berth: { type: 'integer' }, night: { type: 'boolean' } },
  },
}
const mayRun = {
  serverName: 'tiny',
  mode: 'form',
  message: 'Allow tiny to add?',
  _meta: { codex_approval_kind: 'mcp_tool_call', persist: ['session', 'always'], tool_name: 'add' },
  requestedSchema: { type: 'object', properties: {} },
}
const permissions = {
  itemId: 'p1',
  reason: 'to fetch',
  permissions: { network: { enabled: true }, fileSystem: null },
}

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
