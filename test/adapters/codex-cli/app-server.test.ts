import { describe, expect, it } from 'vitest'
import { command, Driven, type Json, main, outline, ran, total } from './app-server-driving.ts'

describe('the handshake', () => {
  it('greets, and opens the conversation that the launch asks for', () => {
    const driven = new Driven({
      greeted: false,
      opening: { method: 'thread/resume', params: { threadId: main } },
    })
    expect(outline(driven.sent())).toEqual(['initialize'])
    driven.answer('initialize', { userAgent: 'coxswain/0.171.0 (Linux)' })
    expect(driven.sent()).toEqual([
      { method: 'initialized' },
      { id: 2, method: 'thread/resume', params: { threadId: main } },
    ])
    expect(driven.ready).toBe(0)
    driven.answer('thread/resume', { thread: { id: main } })
    expect(driven.ready).toBe(1)
  })

  const failures: [title: string, message: string, resume: boolean, code: string][] = [
    ['an unknown conversation', `no rollout found for thread id ${main}`, true, 'resume_rejected'],
    ['no id of a conversation', 'invalid thread id: invalid character', true, 'resume_rejected'],
    ['whatever else goes wrong with a conversation', 'failed to read it', true, 'resume_rejected'],
    ['a server that must start', 'required MCP servers failed to initialize: tiny', false, 'mcp_unavailable'],
    [
      'settings that it does not take',
      'failed to load configuration: config.toml:1:1',
      false,
      'invalid_options',
    ],
  ]
  it.each(failures)('that codex refuses for %s says why', (_, message, resume, code) => {
    const driven = new Driven({ greeted: false, options: resume ? { resume: main } : {} })
    driven.answer('initialize').refuse('thread/start', message)
    expect(driven.failures.map((failure) => [failure.code, failure.message])).toEqual([[code, message]])
    driven.end()
    expect([driven.failures.length, driven.events]).toEqual([1, []])
  })

  it('that the process does not live to see says what stderr says', () => {
    const driven = new Driven({ greeted: false }).end({
      exitCode: 1,
      stderr: 'Error: loading config.toml failed\n',
    })
    expect(driven.failures.map(({ code }) => code)).toEqual(['invalid_options'])
    const silent = new Driven({ greeted: false }).end({ exitCode: null, signal: 'SIGKILL' })
    expect(silent.failures.map(({ code }) => code)).toEqual(['crashed'])
  })
})

describe('a turn', () => {
  it('says who speaks, streams, counts and ends with what codex says of it', () => {
    const driven = new Driven().turn()
    driven.started({ type: 'userMessage', id: 'u1', content: [{ type: 'text', text: 'go' }] })
    driven.started({ type: 'reasoning', id: 'r1' })
    driven.notify('item/reasoning/summaryPartAdded', { itemId: 'r1' })
    driven.notify('item/reasoning/summaryTextDelta', { itemId: 'r1', delta: 'Hm' })
    driven.completed({ type: 'reasoning', id: 'r1', summary: ['Hm'], content: [] })
    driven.started({ type: 'agentMessage', id: 'm1', text: '' })
    driven.notify('item/agentMessage/delta', { itemId: 'm1', delta: 'All ' })
    driven.notify('item/agentMessage/delta', { itemId: 'm1', delta: 'well' })
    driven.completed({ type: 'agentMessage', id: 'm1', text: 'All well' })
    driven.notify('thread/tokenUsage/updated', total(120, 120)).done()
    expect(driven.said).toEqual([
      'session new m1',
      'thinking Hm',
      'delta All ',
      'delta well',
      'message completed All well',
      'usage turn 120',
      'completion success',
    ])
    expect(driven.last).toMatchObject({
      text: 'All well',
      sessionId: main,
      evidence: { by: 'record', detail: 'turn/completed completed' },
    })
  })

  it('gives the prompt as it is, with images and the model that was set', () => {
    const driven = new Driven().command({ type: 'model', model: 'm2' })
    driven.turn([
      { type: 'text', text: '@/etc/passwd $skill /compact' },
      { type: 'image', mimeType: 'image/png', data: 'AAAA' },
    ])
    expect(driven.sent()[0]?.params).toEqual({
      threadId: main,
      model: 'm2',
      input: [
        { type: 'text', text: '@/etc/passwd $skill /compact', text_elements: [] },
        { type: 'image', url: 'data:image/png;base64,AAAA' },
      ],
    })
    expect(driven.said).toEqual(['session new m2'])
  })

  it('after the first of a process is a resumed one, and counts its own tokens', () => {
    const driven = new Driven().turn().says('One').notify('thread/tokenUsage/updated', total(100, 100)).done()
    driven.turn()
    // 0.113 repeats the count of the turn before.
    driven.notify('thread/tokenUsage/updated', total(100, 100))
    driven.says('Two').notify('thread/tokenUsage/updated', total(350, 200)).done()
    expect(driven.said.filter((line) => /^(session|usage|completion)/.test(line))).toEqual([
      'session new m1',
      'usage turn 100',
      'completion success',
      'session resumed m1',
      'usage turn 250',
      'completion success',
    ])
  })

  const baselines: [
    title: string,
    before: Json | undefined,
    stale: Json | undefined,
    first: Json,
    usage: string[],
  ][] = [
    ['told before the turn (0.171)', total(240, 120), undefined, total(360, 120), ['usage turn 120']],
    ['told when the turn begins (0.113)', undefined, total(240, 120), total(360, 120), ['usage turn 120']],
    ['not told at all', undefined, undefined, total(360, 120), ['usage turn 120']],
    [
      'not told, and the response counts as none',
      undefined,
      undefined,
      total(360, 0),
      ['usage conversation 360'],
    ],
  ]
  it.each(baselines)('of a resumed conversation counts its own tokens where the start is %s', (_, ...row) => {
    const [before, stale, first, usage] = row
    const driven = new Driven({ options: { resume: main } })
    if (before) driven.notify('thread/tokenUsage/updated', { ...before, turnId: 'old' })
    driven.turn()
    if (stale) driven.notify('thread/tokenUsage/updated', stale)
    driven.says('More').notify('thread/tokenUsage/updated', first).done()
    expect(driven.said.filter((line) => line.startsWith('usage'))).toEqual(usage)
  })

  const endings: [title: string, error: Json | undefined, code: string, more: Json][] = [
    [
      'a status of the API',
      {
        message: 'unexpected status 401 Unauthorized: no',
        codexErrorInfo: { httpConnectionFailed: { httpStatusCode: 401 } },
      },
      'auth',
      {},
    ],
    [
      'a word of its own',
      { message: 'Too much.', codexErrorInfo: 'contextWindowExceeded' },
      'context_window',
      {},
    ],
    [
      'only a status',
      { message: 'It failed.', codexErrorInfo: { responseTooManyFailedAttempts: { httpStatusCode: 429 } } },
      'rate_limit',
      {},
    ],
    ['a vague word', { message: 'It failed.', codexErrorInfo: 'internalServerError' }, 'overloaded', {}],
    [
      'a cut answer',
      { message: 'Incomplete response returned, reason: max_output_tokens', codexErrorInfo: 'other' },
      'max_output',
      { stopReason: 'max_tokens' },
    ],
    ['a refusal', { message: 'No.', codexErrorInfo: 'cyberPolicy' }, 'refused', { stopReason: 'refusal' }],
    ['an unknown word', { message: 'Odd.', codexErrorInfo: 'constructor' }, 'unknown', {}],
    ['nothing', undefined, 'unknown', {}],
  ]
  it.each(endings)('that failed is an error, known by %s', (_, error, code, more) => {
    const driven = new Driven().turn().says('Half').done('failed', error)
    expect(driven.last).toMatchObject({ status: 'error', text: 'Half', error: { code }, ...more })
  })

  it('that used up a limit says when that is over', () => {
    const window = { usedPercent: 100, resetsAt: 1_787_238_354 }
    const driven = new Driven().turn()
    driven.notify('account/rateLimits/updated', { rateLimits: { primary: window, secondary: null } })
    driven.done('failed', { message: 'Enough.', codexErrorInfo: 'usageLimitExceeded' })
    expect(driven.last?.error).toMatchObject({ code: 'usage_limit', retryAt: 1_787_238_354_000 })
  })

  it('that codex does not begin is an error', () => {
    const driven = new Driven()
      .prompt()
      .refuse('turn/start', 'Input exceeds the maximum length of 1048576 characters.')
    expect(driven.last).toMatchObject({ status: 'error', error: { code: 'invalid_request' } })
    driven.turn().says('Here').done()
    expect(driven.last).toMatchObject({ status: 'success', text: 'Here' })
  })

  it('that the process does not survive is a crash; between turns there is nothing to say', () => {
    const driven = new Driven().turn().says('Half').started(command)
    driven.end({ exitCode: null, signal: 'SIGKILL' })
    expect(driven.last).toMatchObject({ status: 'error', text: 'Half', error: { code: 'crashed' } })
    expect(new Driven().turn().says('Whole').done().end({ exitCode: 1 }).completions).toHaveLength(1)
  })

  it('takes nothing from another one, whenever that comes', () => {
    const driven = new Driven().turn().says('One').done()
    const before = driven.events.length
    driven.started(command).completed(ran).says('Late').notify('item/agentMessage/delta', { delta: 'x' })
    expect(driven.events).toHaveLength(before)
    driven.turn()
    driven.completed(ran, { turnId: 'turn-1' })
    driven.notify('turn/completed', { turn: { id: 'turn-1', status: 'completed' } })
    expect(driven.said.at(-1)).toBe('session resumed m1')
  })

  it('comes after what was said before it began', () => {
    const driven = new Driven()
    driven.codex(
      { method: 'configWarning', params: { summary: 'No bubblewrap.', details: null } },
      { method: 'remoteControl/status/changed', params: {} },
      {
        method: 'mcpServer/startupStatus/updated',
        params: { name: 'tiny', status: 'failed', error: 'boom' },
      },
    )
    driven.turn()
    expect(driven.said).toEqual([
      'notice cli_warning No bubblewrap.',
      'notice mcp_server_failed The MCP server tiny did not start: boom',
      'session new m1',
    ])
    expect(driven.events[2]).toMatchObject({ mcpServers: [{ name: 'tiny', status: 'failed' }] })
  })

  it('counts what it does not know, and is silent of what says nothing', () => {
    const driven = new Driven().turn()
    driven.notify('codex/event/agent_message_delta').notify('thread/status/changed').notify('hook/started')
    driven.notify('tides/changed').started({ type: 'tideTable', id: 't1' }).codex({ id: 5 })
    expect(driven.said.slice(1)).toEqual([
      'notice unknown_record This version does not know the notification "tides/changed".',
      'notice unknown_record This version does not know the item type "tideTable".',
      'notice unknown_record A record was no JSON-RPC message.',
    ])
  })
})

describe('text that codex takes back', () => {
  it('is retracted when the connection breaks off', () => {
    const driven = new Driven().turn()
    driven.notify('item/agentMessage/delta', { itemId: 'm1', delta: 'Half a' })
    driven.notify('error', {
      error: { message: 'Reconnecting... 1/5', additionalDetails: 'cut' },
      willRetry: true,
    })
    driven.says('Whole', 'm2').done()
    expect(driven.said.slice(1)).toEqual([
      'delta Half a',
      'message retracted Half a',
      'notice retry Reconnecting... 1/5 (cut)',
      'delta Whole',
      'message completed Whole',
      'completion success',
    ])
  })

  it.each([
    ['0.113.0', ['message retracted Whole', 'message completed Again']],
    ['0.171.0', ['message completed Whole', 'message completed Again']],
  ])('is also what was finished before that, on %s', (version, fates) => {
    const driven = new Driven({ version }).turn().says('Whole')
    driven.notify('error', { error: { message: 'Reconnecting... 1/5' }, willRetry: true })
    driven.says('Again').done()
    expect(driven.said.filter((line) => line.startsWith('message'))).toEqual(fates)
  })

  it('is retracted when a steer makes the model think again', () => {
    const driven = new Driven().turn()
    driven.notify('item/agentMessage/delta', { itemId: 'm1', delta: 'Straight on' })
    driven.steer('s1', 'To port').started({ type: 'userMessage', id: 'u2', clientId: 's1', content: [] })
    driven.says('To port', 'm2').done()
    expect(driven.said.filter((line) => line.startsWith('message'))).toEqual([
      'message retracted Straight on',
      'message completed To port',
    ])
  })
})
