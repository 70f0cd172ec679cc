import { describe, expect, it } from 'vitest'
import type { WireDecision } from '../../../src/protocol/wire.ts'
import { agentStart, answer, type Json, runEnd } from './records.ts'
import { Driven } from './rpc-driving.ts'

const request = (method: string, more: Json = {}): Json => ({
  type: 'extension_ui_request',
  id: 'u1',
  method,
  title: 'Which way?',
  ...more,
})
const reply = (more: Json) => ({ type: 'extension_ui_response', id: 'u1', ...more })
const asked = (record: Json, interactions: 'host' | 'default' = 'host') => {
  const driven = new Driven({ options: { interactions } }).prompt('Go.').answer('prompt-1').pi(agentStart)
  driven.sent()
  return driven.pi(record)
}

const choices = { options: ['port', 'starboard'] }
const allow = (value?: string | string[]): WireDecision =>
  value === undefined ? { decision: 'allow' } : { decision: 'allow', answers: { value } }

describe('what an extension asks', () => {
  it.each<[string, Json, WireDecision, Json, string]>([
    ['confirm', {}, { decision: 'allow' }, { confirmed: true }, 'approval allow'],
    ['confirm', {}, { decision: 'deny' }, { confirmed: false }, 'approval deny'],
    ['select', choices, allow('port'), { value: 'port' }, 'question allow'],
    ['select', choices, allow(['starboard']), { value: 'starboard' }, 'question allow'],
    ['select', choices, allow('down'), { cancelled: true }, 'question deny'],
    ['select', choices, allow(), { cancelled: true }, 'question deny'],
    ['input', {}, allow(''), { value: '' }, 'question allow'],
    ['input', {}, { decision: 'deny' }, { cancelled: true }, 'question deny'],
    ['editor', { prefill: 'Log' }, allow('Log: calm'), { value: 'Log: calm' }, 'form allow'],
  ])('is answered: %s %j, %j', (method, more, decision, answered, said) => {
    const [kind, word] = said.split(' ')
    const driven = asked(request(method, more)).decide('u1', decision)
    expect(driven.sent()).toEqual([reply(answered)])
    expect(driven.said.slice(-2)).toEqual([`interaction u1 ${kind}`, `interaction u1 ${word} by host`])
  })

  it('is cancelled with its turn', () => {
    const driven = asked(request('confirm')).decide('u1', { decision: 'cancel' })
    expect(driven.sent()).toEqual([reply({ confirmed: false }), { id: 'abort-1', type: 'abort' }])
    expect(driven.said.at(-1)).toBe('interaction u1 cancel by host')
  })

  it('is answered at once with what is safe where no host answers', () => {
    const driven = asked(request('select', choices), 'default')
    expect(driven.sent()).toEqual([reply({ cancelled: true })])
    expect(driven.said.slice(-2)).toEqual(['interaction u1 question', 'interaction u1 deny by default'])
  })

  it('can be several things at once, answered in any order, each once', () => {
    const driven = asked(request('confirm', { id: 0 })).pi(request('input', { id: 'b' }))
    driven.decide('b', allow('x')).decide('0', { decision: 'allow' }).decide('0', { decision: 'deny' })
    driven.decide('nobody', { decision: 'allow' })
    expect(driven.sent()).toEqual([
      { type: 'extension_ui_response', id: 'b', value: 'x' },
      { type: 'extension_ui_response', id: 0, confirmed: true },
    ])
  })

  it('does not outlive its time, its interrupt or its turn', () => {
    const late = asked(request('confirm', { timeout: 500 })).pi({ type: 'turn_start' })
    expect(late.said.at(-1)).toBe('interaction u1 cancel by cli')
    expect(late.decide('u1', { decision: 'allow' }).sent()).toEqual([])

    const stopped = asked(request('confirm')).command({ type: 'interrupt' })
    expect(stopped.sent()).toEqual([reply({ cancelled: true }), { id: 'abort-1', type: 'abort' }])
    expect(stopped.said.at(-1)).toBe('interaction u1 cancel by default')

    const over = asked(request('confirm')).pi(
      ...answer('delta-only', [{ text: ['x'] }]),
      ...runEnd('delta-only'),
    )
    expect(over.said.slice(-2)).toEqual(['interaction u1 cancel by cli', 'completion success'])
  })

  it('is refused between turns, and where nobody knows what it is', () => {
    const driven = new Driven({ options: { interactions: 'host' } }).pi(request('confirm'))
    expect([driven.sent(), driven.said]).toEqual([[reply({ cancelled: true })], []])
    const unknown = asked(request('paint'))
    expect(unknown.sent()).toEqual([reply({ cancelled: true })])
    expect(unknown.said.at(-1)).toBe('notice unknown_record')
  })
})

describe('what an extension shows', () => {
  it.each(['setStatus', 'setWidget', 'setTitle', 'set_editor_text'])('is silent: %s', (method) => {
    const driven = asked(request(method))
    expect([driven.sent(), driven.said]).toEqual([[], ['session s1 new']])
  })

  it('is a notice, of the next turn where none is open', () => {
    const driven = new Driven().pi(request('notify', { message: 'Loaded.', notifyType: 'info' }))
    driven.pi({ type: 'extension_error', error: 'Boom.' })
    expect(driven.said).toEqual([])
    driven.prompt('Go.').pi(request('notify', { message: 'Careful.', notifyType: 'warning' }))
    expect(driven.said).toEqual([
      'session s1 new',
      'notice extension_notice',
      'notice extension_error',
      'notice extension_notice',
    ])
  })
})
