import { describe, expect, test } from 'vitest'
import { Driven, greeting, type Json } from './driving.ts'
import { call, content, permission, progress, say, text, think } from './records.ts'

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
