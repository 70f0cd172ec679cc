import { describe, expect, it } from 'vitest'
import { replay } from '../../../src/index.ts'
import type { AgentEvent } from '../../../src/protocol/events.ts'
import { Driven, type Json, main, outline } from './app-server-driving.ts'

/** What people reported of `codex app-server` and its wrappers, each with an input of its own. */

const about = (turnId: string, params: Json) => ({ threadId: main, turnId, ...params })

describe('framing', () => {
  it('A04: a character cut between reads stays whole, and its item adds no second copy', async () => {
    const bytes = (record: Json) => Buffer.from(`${JSON.stringify(record)}\n`)
    const delta = bytes({
      method: 'item/agentMessage/delta',
      params: about('t1', { itemId: 'm1', delta: '港' }),
    })
    const at = delta.indexOf(Buffer.from('港'))
    const item = { type: 'agentMessage', id: 'm1', text: '港' }
    const events: AgentEvent[] = []
    const stdout = [
      bytes({ id: 2, result: { thread: { id: main } } }),
      bytes({ method: 'turn/started', params: { threadId: main, turn: { id: 't1' } } }),
      delta.subarray(0, at + 1),
      delta.subarray(at + 1, at + 2),
      delta.subarray(at + 2),
      bytes({ method: 'item/completed', params: about('t1', { item }) }),
      bytes({
        method: 'turn/completed',
        params: { threadId: main, turn: { id: 't1', status: 'completed' } },
      }),
    ]
    for await (const event of replay({ adapter: 'codex-cli', transport: 'live', stdout })) events.push(event)
    const said = events.flatMap((event) => ('text' in event ? [[event.type, event.text]] : []))
    expect(said).toEqual([
      ['delta', '港'],
      ['message', '港'],
      ['completion', '港'],
    ])
  })
})

describe('limits', () => {
  it.each(['usageLimitExceeded', 'usage_limit_exceeded', 'usage_limit_reached'])(
    'C06: a limit that codex means to wait for (%s) is said at once, and is the reason if the turn dies of it',
    (codexErrorInfo) => {
      const error = { message: 'The tide is out: your limit is used up.', codexErrorInfo }
      const driven = new Driven().turn().notify('error', { willRetry: true, error })
      expect(driven.said.at(-1)).toBe('notice usage_limit The tide is out: your limit is used up.')
      expect(driven.completions).toEqual([])
      driven.end({ exitCode: 1 })
      expect(driven.last?.error?.code).toBe('usage_limit')
    },
  )

  it('C06: one that codex gets over is only a notice', () => {
    const error = { message: 'Used up.', codexErrorInfo: 'usageLimitExceeded' }
    const driven = new Driven().turn().notify('error', { willRetry: true, error }).says('Afloat.').done()
    expect(driven.last).toMatchObject({ status: 'success', text: 'Afloat.' })
  })

  it('C07: a reset time that comes after the end delays nothing, and is known to the next turn', () => {
    const error = { message: 'Used up.', codexErrorInfo: 'usageLimitExceeded' }
    const driven = new Driven().turn().done('failed', error)
    expect(driven.last?.error).toEqual({ code: 'usage_limit', message: 'Used up.', retryable: true })
    const primary = { usedPercent: 100, windowDurationMins: 300, resetsAt: 1_790_000_400 }
    driven.codex({ method: 'account/rateLimits/updated', params: { rateLimits: { primary } } })
    driven.turn().done('failed', error)
    expect(driven.last?.error?.retryAt).toBe(1_790_000_400_000)
  })
})

describe('text', () => {
  it('D10: a message that stays empty says nothing, and does not replace the answer', () => {
    const empty = { type: 'agentMessage', id: 'm2', text: '', phase: 'commentary' }
    const driven = new Driven().turn().started(empty).completed(empty)
    driven.says('Moored.', 'm1')
    driven
      .started({ ...empty, id: 'm3' })
      .completed({ ...empty, id: 'm3' })
      .done()
    expect(driven.said).toEqual([
      'session new m1',
      'delta Moored.',
      'message completed Moored.',
      'completion success',
    ])
    expect(driven.last?.text).toBe('Moored.')
  })
})

describe('questions', () => {
  const approves = 'item/commandExecution/requestApproval'

  it('H04: every request is answered, the first of all with its id 0, and an unknown one refused', () => {
    const driven = new Driven({ options: {} }).turn()
    driven.sent()
    driven.asks(0, approves, { itemId: 'c1', reason: null }).asks(1, 'sail/trim')
    expect(driven.sent()).toEqual([
      { id: 0, result: { decision: 'decline' } },
      { id: 1, error: { code: -32601, message: 'Method not found: sail/trim' } },
    ])
  })

  it('H05: what is asked before turn/start is answered is asked, not declined', () => {
    const driven = new Driven().prompt()
    driven.notify('turn/started', { turn: { id: driven.turnId } })
    driven.asks(0, approves, { itemId: 'c1', command: 'ls' })
    expect(driven.said.at(-1)).toBe('asks interaction-1 approval Run this command? ls')
    driven.answer('turn/start', { turn: { id: driven.turnId, status: 'inProgress' } })
    driven.sent()
    driven.decide('interaction-1', { decision: 'allow' })
    expect(driven.sent()).toEqual([{ id: 0, result: { decision: 'accept' } }])
  })
})

describe('MCP servers', () => {
  it('I04: starting, cancelled and ready are no alarm, and the last word about a server is the one that counts', () => {
    const driven = new Driven()
    for (const status of ['starting', 'cancelled', 'ready']) {
      driven.codex({
        method: 'mcpServer/startupStatus/updated',
        params: { threadId: main, name: 'harbour', status, error: null },
      })
    }
    driven.turn().says('Here.').done()
    expect(driven.said.filter((line) => line.startsWith('notice'))).toEqual([])
    expect(driven.events[0]).toMatchObject({
      type: 'session',
      mcpServers: [{ name: 'harbour', status: 'ready' }],
    })
  })
})

describe('conversations', () => {
  it('M09: a resume that codex cannot do is an error: no new conversation is begun, and no turn', () => {
    const opening = { method: 'thread/resume', params: { threadId: main } }
    const driven = new Driven({ greeted: false, options: { resume: main }, opening })
    driven.answer('initialize').refuse('thread/resume', 'thread not found')
    expect(outline(driven.sent())).toEqual(['initialize', 'initialized', 'thread/resume'])
    expect(driven.failures.map(({ code }) => code)).toEqual(['resume_rejected'])
    expect([driven.ready, driven.events]).toEqual([0, []])
  })

  const rests = { status: { type: 'idle' } }

  it('P03: a thread that comes to rest without the end of its turn owes it, and is not waited for for ever', () => {
    const driven = new Driven().turn().says('Squeezed.').notify('thread/status/changed', rests)
    expect([driven.owed, driven.completions]).toEqual([[true], []])
    driven.end({ exitCode: null, signal: 'SIGTERM', lingered: true })
    expect(driven.last).toMatchObject({
      status: 'error',
      text: 'Squeezed.',
      error: { code: 'protocol', retryable: true },
    })
  })

  it('P03: a rest that the end follows, that is over again, or that is another thread’s means nothing', () => {
    const driven = new Driven().notify('thread/status/changed', rests).turn()
    driven.notify('thread/status/changed', { ...rests, threadId: 'another' })
    expect(driven.owed).toEqual([])
    driven.notify('thread/status/changed', rests)
    driven.notify('thread/status/changed', { status: { type: 'active', activeFlags: [] } })
    expect(driven.owed).toEqual([true, false])
    driven.notify('thread/status/changed', rests).says('Here.').done()
    expect(driven.owed).toEqual([true, false, true, false])
    expect(driven.last).toMatchObject({ status: 'success' })
    driven.turn().end({ exitCode: null, signal: 'SIGKILL' })
    expect(driven.last?.error?.code).toBe('crashed')
  })
})
