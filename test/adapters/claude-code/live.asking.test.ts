import { describe, expect, it } from 'vitest'
import { call, Driven, init, interrupted, request, result, said, toolResult } from './live-driving.ts'

describe('what claude asks', () => {
  const asked = { subtype: 'can_use_tool', tool_name: 'Bash', input: { command: 'ls' }, tool_use_id: 't1' }
  const suggestion = { type: 'setMode', mode: 'acceptEdits', destination: 'localSettings' }
  const running = (given = {}) => new Driven(given).prompt('One').claude(init(), said('m1', call('t1')))

  it.each([
    ['allow', { decision: 'allow' }, { behavior: 'allow', updatedInput: { command: 'ls' } }],
    [
      'allow, with another input',
      { decision: 'allow', updatedInput: { command: 'pwd' } },
      { behavior: 'allow', updatedInput: { command: 'pwd' } },
    ],
    [
      'allow, for this session',
      { decision: 'allow', optionId: 'always-1' },
      {
        behavior: 'allow',
        updatedInput: { command: 'ls' },
        updatedPermissions: [{ type: 'setMode', mode: 'acceptEdits', destination: 'session' }],
      },
    ],
    ['deny', { decision: 'deny', message: 'No.' }, { behavior: 'deny', message: 'No.' }],
    ['cancel', { decision: 'cancel', message: 'No.' }, { behavior: 'deny', message: 'No.', interrupt: true }],
  ] as const)('of a call is answered: %s', (_, decision, response) => {
    const driven = running().claude(request(0, { ...asked, permission_suggestions: [suggestion] }))
    driven.sent()
    driven.decide('0', decision)
    expect(driven.sent()).toEqual([{ subtype: 'success', request_id: 0, response }])
    expect(driven.said.slice(-2)).toEqual([
      'asked 0 approval Bash: ls',
      `resolved 0 ${decision.decision} by host`,
    ])
    expect(driven.decide('0', { decision: 'deny' }).sent()).toEqual([])
  })

  it('offers options as ACP names them', () => {
    const driven = running().claude(request('r', { ...asked, permission_suggestions: [suggestion] }))
    expect(driven.events.at(-1)).toMatchObject({
      toolId: 't1',
      options: [
        { optionId: 'allow', name: 'Allow', kind: 'allow_once' },
        { optionId: 'always-1', name: 'Allow and accept edits for this session', kind: 'allow_always' },
        { optionId: 'deny', name: 'Deny', kind: 'reject_once' },
      ],
    })
  })

  it('and was denied is a call that was rejected, whatever its result says', () => {
    const driven = running().claude(request('r', asked)).decide('r', { decision: 'deny', message: 'No.' })
    driven.claude(toolResult('t1', 'No.', true), result(''))
    expect(driven.said).toContain('tool end Bash rejected')
  })

  it('as questions gets a schema and answers', () => {
    const questions = [
      { question: 'Which?', header: 'Way', options: [{ label: 'Port', description: 'left' }] },
      { question: 'What?', header: 'Load', multiSelect: true, options: [{ label: 'Tea' }, { label: 'Rum' }] },
    ]
    const ask = { subtype: 'can_use_tool', tool_name: 'AskUserQuestion', input: { questions } }
    const driven = running().claude(request('q', ask))
    expect(driven.events.at(-1)).toMatchObject({
      kind: 'question',
      title: 'Which? What?',
      schema: {
        type: 'object',
        properties: {
          'Which?': { title: 'Way', type: 'string', oneOf: [{ const: 'Port', description: 'left' }] },
          'What?': { type: 'array', items: { anyOf: [{ const: 'Tea' }, { const: 'Rum' }] } },
        },
        required: ['Which?', 'What?'],
      },
    })
    driven.sent()
    driven.decide('q', { decision: 'allow', answers: { 'Which?': 'Port', 'What?': ['Tea', 'Rum'] } })
    const updatedInput = { questions, answers: { 'Which?': 'Port', 'What?': 'Tea, Rum' } }
    expect(driven.sent()).toMatchObject([{ response: { behavior: 'allow', updatedInput } }])
  })

  it('as a plan leaves plan mode when it is allowed', () => {
    const ask = { subtype: 'can_use_tool', tool_name: 'ExitPlanMode', input: { plan: 'Do it' } }
    const driven = running().claude(request('p', ask))
    expect(driven.said.at(-1)).toBe('asked p plan Carry out the plan?')
    driven.sent()
    const updatedPermissions = [{ type: 'setMode', mode: 'default', destination: 'session' }]
    expect(driven.decide('p', { decision: 'allow' }).sent()).toMatchObject([
      { response: { updatedPermissions } },
    ])
  })

  it.each([
    ['allow', { action: 'accept', content: { name: '7', age: 7, size: 1.5, ok: true, tags: ['x'] } }],
    ['deny', { action: 'decline' }],
    ['cancel', { action: 'cancel' }],
  ] as const)('for an MCP server is a form: %s', (decision, response) => {
    const types = { name: 'string', age: 'integer', size: 'number', ok: 'boolean', tags: 'array' }
    const properties = Object.fromEntries(Object.entries(types).map(([name, type]) => [name, { type }]))
    const schema = { type: 'object', properties }
    const answers = { name: '7', age: '7', size: '1.5', ok: 'true', tags: 'x' }
    const ask = { subtype: 'elicitation', mcp_server_name: 'crew', message: 'Who?', requested_schema: schema }
    const driven = running().claude(request('e', ask))
    expect(driven.events.at(-1)).toMatchObject({ kind: 'form', title: 'crew: Who?', schema })
    driven.sent()
    expect(driven.decide('e', { decision, answers }).sent()).toMatchObject([{ response }])
  })

  it('can be several things at once, and claude can withdraw one', () => {
    const driven = running().claude(request('a', asked), request('b', asked))
    driven.claude({ type: 'control_cancel_request', request_id: 'a' }).decide('a', { decision: 'allow' })
    driven.decide('b', { decision: 'allow' })
    expect(driven.said.slice(-2)).toEqual(['resolved a cancel by cli', 'resolved b allow by host'])
  })

  it('and nobody answered is settled with the turn', () => {
    const driven = running().claude(request('a', asked), ...interrupted)
    expect(driven.said).toContain('resolved a cancel by cli')
    expect(driven.said.at(-1)).toMatch(/^completion/)
  })

  it('is denied at once where no host listens', () => {
    const driven = running({ options: {} }).claude(request('a', asked))
    expect(driven.said.slice(-2)).toEqual(['asked a approval Bash: ls', 'resolved a deny by default'])
    expect(driven.sent().at(-1)).toMatchObject({ response: { behavior: 'deny' } })
  })

  it.each([
    ['an unknown request', { subtype: 'read_mind' }, { error: 'method not found: read_mind' }],
    ['a message to a server of ours', { subtype: 'mcp_message' }, { error: 'method not found: mcp_message' }],
    ['a hook', { subtype: 'hook_callback' }, { response: {} }],
    ['a call between turns', asked, { response: { behavior: 'deny' } }],
  ])('is never left hanging: %s', (_, ask, response) => {
    expect(new Driven().claude(request(0, ask)).sent()).toMatchObject([{ request_id: 0, ...response }])
  })
})
