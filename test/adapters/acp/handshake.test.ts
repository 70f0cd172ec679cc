import { describe, expect, test } from 'vitest'
import { Driven, greeting, type Json } from './driving.ts'
import { host, methodsOf, say } from './records.ts'

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
