import { describe, expect, it } from 'vitest'
import {
  answer,
  call,
  Driven,
  echo,
  init,
  interrupted,
  messageEnd,
  refusal,
  request,
  result,
  said,
  steerUuids,
  text,
  toolResult,
} from './live-driving.ts'

const [first = '', second = ''] = steerUuids

describe('the handshake', () => {
  it('is an initialize, and prompts may come once it is answered', () => {
    const driven = new Driven({ greeted: false })
    expect(driven.sent()).toEqual([{ subtype: 'initialize' }])
    expect(driven.ready).toBe(0)
    expect(driven.claude(answer(1)).ready).toBe(1)
  })

  it('fails where claude refuses it', () => {
    const driven = new Driven({ greeted: false }).claude(refusal(1, 'no'))
    expect(driven.failures.map(({ code, message }) => [code, message])).toEqual([
      ['protocol', 'claude refused to begin: no'],
    ])
  })

  it('fails once, with why, where the conversation is unknown', () => {
    const errors = ['No conversation found with session ID: x']
    const driven = new Driven({ greeted: false, options: { resume: 'x' } })
      .claude({ type: 'result', subtype: 'error_during_execution', is_error: true, errors })
      .end({ exitCode: 1, stderr: errors[0] ?? '' })
    expect(driven.failures.map(({ code }) => code)).toEqual(['resume_rejected'])
    expect(driven.events).toEqual([])
  })

  it('fails with what stderr says where claude ends before it', () => {
    const driven = new Driven({ greeted: false }).end({ exitCode: 1, stderr: 'Not logged in\n' })
    expect(driven.failures.map(({ code, message }) => [code, message])).toEqual([['auth', 'Not logged in']])
  })
})

describe('turns', () => {
  it('follow each other in one process, each with a session, a completion, and a cost of its own', () => {
    const driven = new Driven()
      .prompt('One')
      .claude(init(), said('m1', text('A')), result('A', { total_cost_usd: 0.1 }))
      .prompt('Two')
      .claude(init(), said('m2', text('B')), result('B', { total_cost_usd: 0.3 }))
    expect(driven.said).toEqual([
      'session s1 live new',
      'delta A',
      'message completed A',
      'usage',
      'completion success A',
      'session s1 live resumed',
      'delta B',
      'message completed B',
      'usage',
      'completion success B',
    ])
    expect(driven.completions.map(({ costUsd, usage }) => [costUsd, usage?.inputTokens])).toEqual([
      [0.1, 10],
      [0.2, 10],
    ])
    expect(driven.sent()).toEqual([['One'], ['Two']])
  })

  it('tell no cost for the first turn of a resumed conversation, and the difference afterwards', () => {
    const driven = new Driven({ options: { resume: 's1' } })
      .prompt('One')
      .claude(init(), said('m1', text('A')), result('A', { total_cost_usd: 1 }))
      .prompt('Two')
      .claude(init(), said('m2', text('B')), result('B', { total_cost_usd: 1.5 }))
    expect(driven.completions.map(({ costUsd }) => costUsd)).toEqual([undefined, 0.5])
    expect(driven.said[0]).toBe('session s1 live resumed')
  })

  it('keep their prompts literal, unless asked not to', () => {
    const sent = (promptExpansion: boolean, cliVersion: string) =>
      new Driven({ options: { promptExpansion }, cliVersion }).prompt('/cost of @a/b c').sent()
    expect(sent(false, '2.1.332')).toEqual([[' /cost of @a/b c']])
    expect(sent(false, '2.0.72')).toEqual([[' /cost of @a/b', ' c']])
    expect(sent(true, '2.0.72')).toEqual([['/cost of @a/b c']])
  })

  it('take no records that come between them', () => {
    const driven = new Driven()
      .claude(init(), said('m0', text('Stray')), result('Stray', { total_cost_usd: 0.5 }))
      .prompt('One')
      .claude(init(), said('m1', text('A')), result('A', { total_cost_usd: 0.6 }))
    expect(driven.said.filter((line) => line.includes('Stray'))).toEqual([])
    expect(driven.last).toMatchObject({ status: 'success', text: 'A', costUsd: 0.1 })
  })

  it('have nothing to do with what is unknown between them, which is said all the same', () => {
    const driven = new Driven().claude({ type: 'tide' }, { type: 'system', subtype: 'tide' })
    expect(driven.said).toEqual(['notice unknown_record', 'notice unknown_record'])
  })

  it('do not mistake the end of what claude ran by itself for theirs', () => {
    const driven = new Driven()
      .claude(init(), said('m0', text('Stray')))
      .prompt('One')
      .claude(said('m0', text('Stray')), result('Stray'))
      .claude(init(), said('m1', text('A')), result('A'))
    expect(driven.completions.map((completion) => completion.text)).toEqual(['A'])
  })

  it.each([
    ['crashed', { exitCode: 1, stderr: 'boom' }, 'crashed'],
    ['killed', { exitCode: null, signal: 'SIGKILL' }, 'crashed'],
  ])('end with the process: %s', (_, exit, code) => {
    const driven = new Driven()
      .prompt('One')
      .claude(init(), said('m1', call('t1')))
      .end(exit)
    expect(driven.last).toMatchObject({ status: 'error', error: { code } })
    expect(driven.said).toContain('tool end Bash interrupted')
    expect(driven.completions).toHaveLength(1)
  })

  it('say nothing when the process ends between them', () => {
    const driven = new Driven().prompt('One').claude(init(), result('A'))
    const count = driven.events.length
    driven.end({ exitCode: 1 })
    expect(driven.events).toHaveLength(count)
    expect(driven.failures).toEqual([])
  })

  it('wait for background tasks where they shall', () => {
    const started = { type: 'system', subtype: 'task_started', task_id: 'b1' }
    const ended = { type: 'system', subtype: 'background_tasks_changed', tasks: [] }
    const play = (backgroundTasks: 'wait' | 'forbid') =>
      new Driven({ options: { backgroundTasks } })
        .prompt('One')
        .claude(init(), started, said('m1', text('A')), result('A'))
    expect(play('forbid').completions).toHaveLength(1)
    const waiting = play('wait')
    expect(waiting.completions).toHaveLength(0)
    expect(waiting.claude(ended).completions).toHaveLength(1)
  })

  it('get another model, and wait for it; one that claude refuses is said', () => {
    const driven = new Driven().command({ type: 'model', model: 'big' }).prompt('One')
    expect(driven.sent()).toEqual([{ subtype: 'set_model', model: 'big' }])
    driven.claude(refusal(2, 'unknown'))
    expect(driven.sent()).toEqual([['One']])
    driven.claude(init(), result('A')).prompt('Two').claude(init(), result('B'))
    expect(driven.said.filter((line) => line === 'notice model_refused')).toHaveLength(1)
  })
})

describe('steers', () => {
  const running = (given = {}) => new Driven(given).prompt('One').claude(init(), said('m1', call('t1')))

  it('are delivered when claude says them back in the turn', () => {
    const driven = running().steer('a', '/also this').steer('b', 'and that')
    expect(driven.sent()).toEqual([['One'], [first, '\u200b/also this'], [second, 'and that']])
    driven.claude(toolResult('t1', 'ok'), echo(first))
    expect(driven.steered).toEqual([{ id: 'a', outcome: 'delivered' }])
    driven.claude(echo(second), said('m2', text('Done')), result('Done'))
    expect(driven.steered).toEqual([
      { id: 'a', outcome: 'delivered' },
      { id: 'b', outcome: 'delivered' },
    ])
    expect(driven.completions).toHaveLength(1)
  })

  it('wait until the turn has begun', () => {
    const driven = new Driven().prompt('One').steer('a', 'this')
    expect(driven.sent()).toEqual([['One']])
    expect(driven.claude(init()).sent()).toEqual([[first, 'this']])
  })

  it('that came too late are queued, and begin one turn', () => {
    const driven = running().steer('a', 'this').steer('b', 'that')
    driven.claude(said('m2', text('Done')), result('Done'))
    expect(driven.steered).toEqual([
      { id: 'a', outcome: 'queued' },
      { id: 'b', outcome: 'queued' },
    ])
    driven.claude(echo(first), init(), echo(second), said('m3', text('More')), result('More'))
    expect(driven.completions.map((completion) => completion.text)).toEqual(['Done', 'More'])
    expect(driven.said.filter((line) => line.startsWith('session'))).toHaveLength(2)
    expect(driven.steered).toHaveLength(2)
  })

  it('are rejected when no turn runs', () => {
    expect(new Driven().steer('a', 'this').steered).toEqual([
      { id: 'a', outcome: 'rejected', reason: 'No turn is running.' },
    ])
  })

  it('go one at a time to a claude that cannot give them back', () => {
    const driven = running({ cliVersion: '2.0.72' }).steer('a', 'this').steer('b', 'that')
    expect(driven.sent()).toEqual([['One'], [first, 'this']])
    expect(driven.claude(echo(first)).sent()).toEqual([[second, 'that']])
  })

  it('are taken back before an interrupt, which they must not outlive', () => {
    const driven = running().steer('a', 'this')
    driven.sent()
    driven.interrupt().interrupt()
    expect(driven.sent()).toEqual([
      { subtype: 'cancel_async_message', message_uuid: first },
      { subtype: 'interrupt' },
    ])
    driven.claude(answer(2, { cancelled: true }), answer(3), ...interrupted)
    expect(driven.steered.map(({ outcome }) => outcome)).toEqual(['rejected'])
    expect(driven.last?.status).toBe('interrupted')
  })

  it('have their fate before their turn ends, also where the answer comes after the result', () => {
    const driven = running().steer('a', 'this').interrupt()
    driven.claude(answer(3), ...interrupted)
    expect(driven.completions).toHaveLength(0)
    driven.claude(answer(2, { cancelled: true }))
    expect(driven.steered.map(({ outcome }) => outcome)).toEqual(['rejected'])
    expect(driven.completions).toHaveLength(1)
  })

  it('are rejected when claude ends', () => {
    expect(running().steer('a', 'this').end({ exitCode: 1 }).steered).toEqual([
      { id: 'a', outcome: 'rejected', reason: 'claude has ended.' },
    ])
  })
})

describe('steers to a process of one turn', () => {
  const begin = (cliVersion = '2.1.332') =>
    new Driven({ opening: { oneTurn: true }, cliVersion }).prompt('One').claude(init())

  it('go to claude only while a tool runs, so that a boundary will come', () => {
    const driven = begin().steer('a', 'this')
    expect(driven.sent()).toEqual([['One']])
    expect(driven.claude(said('m1', call('t1'))).sent()).toEqual([[first, 'this']])
  })

  it('do not go with the beginning of the turn, either', () => {
    const driven = new Driven({ opening: { oneTurn: true } }).prompt('One').steer('a', 'this')
    expect(driven.claude(init()).sent()).toEqual([['One']])
  })

  it('that no boundary came for are never sent', () => {
    const driven = begin()
      .steer('a', 'this')
      .claude(said('m1', text('Done')), result('Done'))
    expect(driven.sent()).toEqual([['One']])
    expect(driven.steered.map(({ outcome }) => outcome)).toEqual(['rejected'])
    expect(driven.completions).toHaveLength(1)
  })

  const missed = (cliVersion?: string) => {
    const driven = begin(cliVersion)
      .claude(said('m1', call('t1')))
      .steer('a', 'this')
    driven.claude(toolResult('t1', 'ok'))
    driven.sent()
    return driven
  }

  it('that missed their boundary are withdrawn, and the turn ends once claude has said so', () => {
    const driven = missed().claude(said('m2', text('Done')), messageEnd('end_turn'))
    expect(driven.sent()).toEqual([{ subtype: 'cancel_async_message', message_uuid: first }])
    driven.claude(result('Done'))
    expect(driven.completions).toHaveLength(0)
    expect(driven.owed).toEqual([true])
    driven.claude(answer(2, { cancelled: true }))
    expect(driven.owed).toEqual([true, false])
    expect(driven.steered.map(({ outcome }) => outcome)).toEqual(['rejected'])
    expect(driven.last).toMatchObject({ status: 'success', text: 'Done' })
  })

  it.each([
    ['2.1.332', [answer(2, { cancelled: false })]],
    ['2.0.72', []],
  ])('that claude %s does not give back are part of the turn, which goes on', (version, answers) => {
    const driven = missed(version).claude(said('m2', text('Done')), messageEnd('end_turn'), result('Done'))
    driven.claude(...answers, echo(first))
    expect(driven.completions).toHaveLength(0)
    driven.claude(init(), said('m3', text('More')), result('More'))
    expect(driven.steered).toEqual([{ id: 'a', outcome: 'delivered' }])
    expect(driven.completions.map((completion) => completion.text)).toEqual(['More'])
  })
})

describe('interrupts', () => {
  it('end the turn by what claude says, and the next prompt waits for their answer', () => {
    const driven = new Driven().prompt('One').claude(init(), said('m1', call('t1')))
    driven.interrupt().claude(toolResult('t1', 'Exit code 137', true), ...interrupted)
    expect(driven.said).toContain('tool end Bash interrupted')
    expect(driven.last).toMatchObject({ status: 'interrupted', error: { code: 'aborted' } })
    driven.sent()
    expect(driven.prompt('Two').sent()).toEqual([])
    expect(driven.claude(answer(2)).sent()).toEqual([['Two']])
    driven.claude(init(), said('m2', text('B')), result('B'))
    expect(driven.last).toMatchObject({ status: 'success', text: 'B' })
  })

  it('wait until the turn has begun', () => {
    const driven = new Driven().prompt('One').interrupt()
    expect(driven.sent()).toEqual([['One']])
    expect(driven.claude(init()).sent()).toEqual([{ subtype: 'interrupt' }])
  })

  it('do nothing when nothing runs', () => {
    expect(new Driven().interrupt().sent()).toEqual([])
  })
})

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

describe('a replay', () => {
  it('opens turns by what claude says, and tells decisions by what was said back', () => {
    const ask = { subtype: 'can_use_tool', tool_name: 'Bash', input: { command: 'ls' } }
    const response = { subtype: 'success', request_id: 'a', response: { behavior: 'allow' } }
    const driven = new Driven({ opening: undefined, greeted: false })
      .claude(init(), said('m1', call('t1')), request('a', ask), { type: 'control_response', response })
      .claude(toolResult('t1', 'ok'), result('A'), init(), result('B'))
      .end()
    expect(driven.said).toContain('resolved a allow by host')
    expect(driven.completions.map((completion) => completion.text)).toEqual(['A', 'B'])
    expect(driven.failures).toEqual([])
  })
})
