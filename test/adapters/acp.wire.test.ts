import { describe, expect, test } from 'vitest'
import { Driven, greeting, type Json } from './acp.driving.ts'

const text = (words: string) => ({ type: 'text', text: words })
const say = (words: string, more: Json = {}) => ({
  sessionUpdate: 'agent_message_chunk',
  content: text(words),
  ...more,
})
const think = (words: string) => ({ sessionUpdate: 'agent_thought_chunk', content: text(words) })
const call = (more: Json) => ({
  sessionUpdate: 'tool_call',
  toolCallId: 't1',
  title: 'bash',
  kind: 'execute',
  ...more,
})
const progress = (more: Json) => ({ sessionUpdate: 'tool_call_update', toolCallId: 't1', ...more })
const content = (words: string) => [{ type: 'content', content: text(words) }]
const permission = (more: Json = {}) => ({
  toolCall: { toolCallId: 't1', title: 'rm -r x', kind: 'execute', rawInput: { command: 'rm -r x' } },
  options: [
    { optionId: 'a', name: 'Allow', kind: 'allow_once' },
    { optionId: 'aa', name: 'Always', kind: 'allow_always' },
    { optionId: 'r', name: 'Reject', kind: 'reject_once' },
  ],
  ...more,
})
const host = { cwd: '/w', interactions: 'host' as const }
const methodsOf = (records: Json[]) => records.map(({ method }) => method)

describe('the handshake', () => {
  test('greets, opens a conversation without MCP servers, and offers neither files nor terminals', () => {
    const driven = new Driven()
    expect(driven.sent()).toEqual([
      {
        id: 1,
        method: 'initialize',
        params: {
          protocolVersion: 1,
          clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false },
          clientInfo: { name: 'coxswain', title: 'Coxswain', version: '1' },
        },
      },
    ])
    driven.answer(greeting())
    expect(driven.sent()).toEqual([{ id: 2, method: 'session/new', params: { cwd: '/w', mcpServers: [] } }])
    expect(driven.ready).toBe(0)
    driven.answer({ sessionId: 's1' })
    expect([driven.ready, driven.failures]).toEqual([1, []])
  })

  test('offers forms only where somebody can fill them in', () => {
    const [initialize] = new Driven({ options: host }).sent()
    expect(initialize).toMatchObject({ params: { clientCapabilities: { elicitation: { form: {} } } } })
  })

  test.each([
    [
      'resumes without hearing it all again',
      {},
      { sessionCapabilities: { resume: {} }, loadSession: true },
      'session/resume',
    ],
    ['loads where it can do no better', {}, { loadSession: true }, 'session/load'],
    ['forks', { fork: true }, { sessionCapabilities: { fork: {} } }, 'session/fork'],
  ])('%s', (_, more, capabilities, method) => {
    const driven = new Driven({ options: { cwd: '/w', resume: 'old', ...more } }).answer(
      greeting(capabilities),
    )
    expect(driven.sent()[1]).toEqual({
      id: 2,
      method,
      params: { cwd: '/w', mcpServers: [], sessionId: 'old' },
    })
    driven.update(say('what was said before')).answer(method === 'session/fork' ? { sessionId: 'new' } : {})
    expect(driven.events).toEqual([])
    driven.prompt().answer({ stopReason: 'end_turn' })
    const [sessionId, origin] = method === 'session/fork' ? ['new', 'forked'] : ['old', 'resumed']
    expect(driven.events[0]).toEqual({
      type: 'session',
      transport: 'live',
      sessionId,
      origin,
      cwd: '/w',
      cliVersion: '3.2.1',
    })
  })

  test.each<[string, Json | undefined, Json, string, string]>([
    [
      'another version',
      { protocolVersion: 2 },
      {},
      'unsupported_version',
      'agent speaks version 2 of ACP, not 1.',
    ],
    [
      'nobody is signed in',
      undefined,
      { code: -32000, message: 'Authentication required' },
      'auth',
      'Authentication required',
    ],
    [
      'a fault',
      undefined,
      { code: -32603, message: 'Internal error: no such folder' },
      'unknown',
      'no such folder',
    ],
  ])('fails: %s', (_, result, error, code, message) => {
    const driven = new Driven()
    if (result) driven.answer(result)
    else driven.answer(greeting()).refuse(error)
    expect(driven.failures).toMatchObject([{ code, message }])
    expect(driven.ready).toBe(0)
  })

  test.each<[string, Json, Json, string]>([
    ['that it cannot resume', {}, {}, 'unsupported'],
    [
      'that there is no such conversation',
      { loadSession: true },
      { code: -32602, message: 'not found' },
      'resume_rejected',
    ],
  ])('says of what shall be resumed %s', (_, capabilities, error, code) => {
    const driven = new Driven({ options: { cwd: '/w', resume: 'old' } }).answer(greeting(capabilities))
    if (code === 'resume_rejected') driven.refuse(error)
    expect(driven.failures.map((failure) => failure.code)).toEqual([code])
  })

  test('signs in first where the dialect has a way that the agent offers', () => {
    const driven = new Driven({ dialect: { agent: 'agent', authMethod: 'key' } })
    driven.answer(greeting({}, { authMethods: [{ id: 'key', name: 'Key' }] }))
    expect(driven.sent()[1]).toEqual({ id: 2, method: 'authenticate', params: { methodId: 'key' } })
    driven.answer({})
    expect(methodsOf(driven.sent())).toEqual(['session/new'])
  })

  const options = [
    { id: 'm', category: 'model', type: 'select', currentValue: 'small', options: [{ value: 'big' }] },
  ]
  test.each<[string, Json, Json]>([
    [
      'set_model',
      { models: { currentModelId: 'small', availableModels: [] } },
      { method: 'session/set_model', params: { sessionId: 's1', modelId: 'big' } },
    ],
    [
      'a configuration option',
      { configOptions: options },
      { method: 'session/set_config_option', params: { sessionId: 's1', configId: 'm', value: 'big' } },
    ],
  ])('chooses a model by %s', (_, offered, request) => {
    const driven = new Driven({ options: { cwd: '/w', model: 'big' } }).answer(greeting())
    driven.sent()
    driven.answer({ sessionId: 's1', ...offered })
    expect(driven.sent()).toEqual([{ id: 3, ...request }])
    driven.answer({}).prompt().answer({ stopReason: 'end_turn' })
    expect(driven.events[0]).toMatchObject({ type: 'session', model: 'big' })
  })

  test('does not pretend to choose a model or a mode that is not offered', () => {
    const model = new Driven({ options: { cwd: '/w', model: 'big' } })
      .answer(greeting())
      .answer({ sessionId: 's1' })
    expect(model.failures).toEqual([{ code: 'unsupported', message: 'agent offers no choice of models.' }])
    const mode = new Driven({ opening: { mode: 'yolo' } }).answer(greeting()).answer({ sessionId: 's1' })
    expect(mode.failures).toEqual([{ code: 'unsupported', message: 'agent has no mode "yolo".' }])
  })

  test('says why an agent that ends at once did so', () => {
    const driven = new Driven().end({ exitCode: 1, stderr: 'boom\nno such module\n' })
    expect(driven.failures).toEqual([
      {
        code: 'crashed',
        message: 'The agent ended (exit 1) before it had opened a conversation: no such module',
      },
    ])
  })
})

describe('a turn', () => {
  test('thinks, speaks, calls a tool, and speaks again', () => {
    const driven = Driven.open().prompt()
    expect(driven.sent()).toEqual([
      { id: 3, method: 'session/prompt', params: { sessionId: 's1', prompt: [text('Go.')] } },
    ])
    driven.update(
      think('Hm'),
      think('m.'),
      say(''),
      say('I '),
      say('look.'),
      call({ status: 'pending', rawInput: {}, name: 'Bash' }),
      progress({ rawInput: { command: 'ls' }, status: 'in_progress' }),
      progress({ content: content('a\n') }),
      progress({ content: content('a\nb\n') }),
      progress({
        status: 'completed',
        content: content('a\nb\n'),
        rawOutput: { output: 'a\nb\n', exitCode: 0 },
      }),
      say('Done.'),
    )
    driven.answer({ stopReason: 'end_turn', usage: { inputTokens: 5, outputTokens: 1, totalTokens: 6 } })
    expect(driven.said).toEqual([
      'session',
      'thinking Hm',
      'thinking m.',
      'delta I ',
      'delta look.',
      'message completed I look.',
      'tool start Bash execute',
      'tool input Bash {"command":"ls"}',
      'tool output Bash a\n',
      'tool output Bash b\n',
      'tool end Bash completed a\nb\n',
      'delta Done.',
      'message completed Done.',
      'completion success',
    ])
    expect(driven.last).toMatchObject({ text: 'Done.', stopReason: 'end_turn', sessionId: 's1' })
    expect(driven.last?.usage).toBeUndefined()
  })

  test.each<[string, Json, string[], string | undefined, string | undefined]>([
    [
      'end_turn',
      { stopReason: 'end_turn' },
      ['message completed Well.', 'completion success'],
      'end_turn',
      undefined,
    ],
    [
      'max_tokens',
      { stopReason: 'max_tokens' },
      ['message completed Well.', 'completion error max_output'],
      'max_tokens',
      'The token limit cut the answer.',
    ],
    [
      'refusal',
      { stopReason: 'refusal' },
      ['message completed Well.', 'completion error refused'],
      'refusal',
      'The agent refused to go on.',
    ],
    [
      'max_turn_requests',
      { stopReason: 'max_turn_requests' },
      ['message completed Well.', 'completion error unknown'],
      'max_turn_requests',
      "The agent's limit of model requests in a turn was reached.",
    ],
    [
      'cancelled',
      { stopReason: 'cancelled' },
      ['message interrupted Well.', 'completion interrupted aborted'],
      'cancelled',
      'The turn was stopped from outside the CLI.',
    ],
    [
      'one of another version',
      { stopReason: 'bored' },
      ['message completed Well.', 'completion error protocol'],
      undefined,
      'The agent ended the turn for a reason that ACP does not have: bored',
    ],
  ])('ends as its stopReason says: %s', (_, result, story, stopReason, message) => {
    const driven = Driven.open().prompt().update(say('Well.')).answer(result)
    expect(driven.said.slice(2)).toEqual(story)
    expect([driven.last?.stopReason, driven.last?.error?.message]).toEqual([stopReason, message])
  })

  test.each<[string, Json, string]>([
    [
      'by its kind',
      { code: -32603, message: 'Internal error: Oh.', data: { errorKind: 'max_output_tokens' } },
      'max_output',
    ],
    ['by its words', { code: -32603, message: 'Internal error: invalid api key' }, 'auth'],
    ['by its number', { code: -32000, message: 'Sorry.' }, 'auth'],
    [
      'by a status in its data',
      { code: -32603, message: 'Internal error', data: { details: 'HTTP 529' } },
      'overloaded',
    ],
  ])('fails as its error says: %s', (_, error, code) => {
    expect(Driven.open().prompt().refuse(error).last?.error?.code).toBe(code)
  })

  test('what an agent says of an error is no message', () => {
    const driven = Driven.open().prompt().update(say('API Error: too long'))
    driven.refuse({ code: -32603, message: 'Internal error: API Error: too long' })
    expect(driven.said.slice(2)).toEqual([
      'message retracted API Error: too long',
      'completion error unknown',
    ])
    expect(driven.last?.text).toBe('')
  })

  test('a message of another id is another message, and so is one after a tool', () => {
    const driven = Driven.open().prompt()
    driven.update(
      say('One.', { messageId: 'a' }),
      say('Two.', { messageId: 'b' }),
      call({ status: 'completed' }),
      say('Three.', { messageId: 'b' }),
    )
    driven.answer({ stopReason: 'end_turn' })
    expect(driven.said.filter((line) => line.startsWith('message'))).toEqual([
      'message completed One.',
      'message completed Two.',
      'message completed Three.',
    ])
  })

  test('a sub-agent speaks under the call that began it', () => {
    const of = (id: string) => ({ _meta: { claudeCode: { parentToolUseId: id } } })
    const driven = Driven.open().prompt()
    driven.update(call({ rawInput: { task: 1 } }), say('Inside.', of('t1')), say('Outside.'))
    driven.update(progress({ status: 'completed' })).answer({ stopReason: 'end_turn' })
    expect(driven.events.filter((event) => event.type === 'message')).toMatchObject([
      { text: 'Inside.', parentToolId: 't1' },
      { text: 'Outside.' },
    ])
    expect(driven.last?.text).toBe('Outside.')
  })

  test('a plan, a notice, a compaction; what nobody needs is silent, what nobody knows is counted', () => {
    const driven = Driven.open().prompt()
    driven.update(
      { sessionUpdate: 'plan', entries: [{ content: 'Row', status: 'in_progress', priority: 'high' }] },
      { sessionUpdate: 'notice', severity: 'warning', title: 'Slow.' },
      { sessionUpdate: 'compaction_update', compactionId: 'c', status: 'in_progress' },
      { sessionUpdate: 'available_commands_update', availableCommands: [] },
      { sessionUpdate: 'sonar' },
      say('', { content: { type: 'audio', data: '' } }),
    )
    driven.agent({ method: 'ping/pong', params: {} })
    expect(driven.said.slice(1)).toEqual([
      'plan Row:in_progress',
      'notice agent_notice Slow.',
      'notice compaction Compaction: in_progress.',
      'notice unknown_record This version does not know the session update "sonar".',
      'notice unknown_record This version does not know content of type "audio" in what an agent says.',
      'notice unknown_record This version does not know the notification "ping/pong".',
    ])
  })

  test('what nobody knows is a notice between two turns, too', () => {
    const driven = Driven.open().update({ sessionUpdate: 'sonar' })
    driven.agent({ method: 'ping/pong', params: {} }, { id: 9, method: 'ping/ask', params: {} }, { odd: 1 })
    expect(driven.said).toEqual([
      'notice unknown_record This version does not know the session update "sonar".',
      'notice unknown_record This version does not know the notification "ping/pong".',
      'notice unknown_record This version does not know the request "ping/ask".',
      'notice unknown_record This version does not know a record that is no JSON-RPC.',
    ])
  })

  test('what comes between two turns, or of another conversation, is of no turn', () => {
    const driven = Driven.open().update(say('early')).prompt().answer({ stopReason: 'end_turn' })
    driven.update(say('late')).prompt()
    driven.agent({ method: 'session/update', params: { sessionId: 's2', update: say('elsewhere') } })
    driven.answer({ stopReason: 'end_turn' })
    expect(driven.events.filter((event) => event.type === 'delta')).toEqual([])
    expect(driven.completions.map(({ status }) => status)).toEqual(['success', 'success'])
  })

  test.each([
    ['/init', false, ' /init'],
    ['/init', true, '/init'],
    ['- /init', false, '- /init'],
  ])('the prompt %s is no command unless it shall be one', (prompt, promptExpansion, sent) => {
    const driven = Driven.open({ options: { cwd: '/w', promptExpansion } }).prompt(prompt)
    expect(driven.sent()).toMatchObject([{ params: { prompt: [{ type: 'text', text: sent }] } }])
  })

  test('images go to an agent that takes them, and to no other', () => {
    const image = { type: 'image', mimeType: 'image/png', data: 'AA==' } as const
    const driven = Driven.open().prompt([{ type: 'text', text: 'See.' }, image])
    expect(driven.sent()).toMatchObject([{ params: { prompt: [{ text: 'See.' }, image] } }])
    const blind = new Driven().answer({ protocolVersion: 1 }).answer({ sessionId: 's1' })
    blind.sent()
    blind.prompt([{ type: 'text', text: 'See.' }, image])
    expect([blind.sent(), blind.last?.error?.code]).toEqual([[], 'unsupported'])
  })
})

describe('counts', () => {
  const dialect = { agent: 'agent', usage: 'turn' as const }
  const spent = (amount: number, currency = 'USD') => ({
    sessionUpdate: 'usage_update',
    used: 1,
    size: 2,
    cost: { amount, currency },
  })

  test('cost is the difference to what the conversation had cost before', () => {
    const driven = Driven.open({ dialect })
    const usage = {
      inputTokens: 100,
      cachedReadTokens: 20,
      cachedWriteTokens: 4,
      outputTokens: 40,
      thoughtTokens: 3,
      totalTokens: 167,
    }
    driven.prompt().update(spent(0.25)).answer({ stopReason: 'end_turn', usage })
    driven.update(spent(0.5)).prompt().update(spent(0.75)).answer({ stopReason: 'end_turn' })
    expect(driven.completions.map(({ costUsd }) => costUsd)).toEqual([0.25, 0.25])
    expect(driven.completions[0]?.usage).toEqual({
      basis: 'turn',
      inputTokens: 124,
      cachedInputTokens: 20,
      cacheWriteTokens: 4,
      outputTokens: 40,
      reasoningTokens: 3,
    })
  })

  test('no cost is told where nobody knows what came before, in another money, or of a model without a price', () => {
    const resumed = new Driven({ dialect, options: { cwd: '/w', resume: 's1' } })
    resumed.answer(greeting({ loadSession: true })).answer({})
    resumed.prompt().update(spent(0.5)).answer({ stopReason: 'end_turn' })
    const credits = Driven.open({ dialect })
      .prompt()
      .update(spent(3, 'credits'))
      .answer({ stopReason: 'end_turn' })
    const free = Driven.open({ dialect }).prompt().update(spent(0)).answer({ stopReason: 'end_turn' })
    for (const { last } of [resumed, credits, free]) expect(last).not.toHaveProperty('costUsd')
  })
})

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

test('a recording, of which our side is missing, gives the same turns', () => {
  const driven = new Driven({ opening: undefined, options: {} })
  driven.agent(
    { id: 9, result: greeting() },
    { id: 10, result: { sessionId: 's1', models: { currentModelId: 'm' } } },
  )
  driven.update(say('One.'))
  driven.agent({ id: 11, result: { stopReason: 'end_turn' } })
  driven.update(say('Two.'))
  driven.ask(0, 'session/request_permission', permission())
  driven.agent({ id: 12, result: { stopReason: 'refusal' } }).end()
  expect(driven.completions.map(({ status, text, error }) => [status, text, error?.code])).toEqual([
    ['success', 'One.', undefined],
    ['error', 'Two.', 'refused'],
  ])
  expect(driven.events[0]).toMatchObject({ type: 'session', model: 'm', origin: 'new' })
})
