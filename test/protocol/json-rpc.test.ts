import { describe, expect, it } from 'vitest'
import { JsonRpcPeer } from '../../src/protocol/json-rpc.ts'

describe('what is sent', () => {
  it.each([
    ['2.0', { jsonrpc: '2.0' }],
    ['omitted', {}],
  ] as const)('carries its version or not: %s', (version, head) => {
    const peer = new JsonRpcPeer<string>(version)
    expect([
      peer.request('open', { at: 1 }, 'opening'),
      peer.request('close', {}, 'closing'),
      peer.notification('hello'),
      peer.notification('moved', { to: 2 }),
      peer.answer(0, { ok: true }),
      peer.refuse('a', 'unheard/of'),
    ]).toEqual([
      { ...head, id: 1, method: 'open', params: { at: 1 } },
      { ...head, id: 2, method: 'close', params: {} },
      { ...head, method: 'hello' },
      { ...head, method: 'moved', params: { to: 2 } },
      { ...head, id: 0, result: { ok: true } },
      { ...head, id: 'a', error: { code: -32601, message: 'Method not found: unheard/of' } },
    ])
  })
})

describe('what comes', () => {
  const rows: [title: string, record: Record<string, unknown>, what: unknown][] = [
    [
      'a request',
      { id: 7, method: 'ask', params: { a: 1 } },
      { kind: 'request', id: 7, method: 'ask', params: { a: 1 } },
    ],
    ['a request with id 0', { id: 0, method: 'ask' }, { kind: 'request', id: 0, method: 'ask', params: {} }],
    [
      'a request with a string for an id',
      { jsonrpc: '2.0', id: 'x', method: 'ask', params: [1] },
      { kind: 'request', id: 'x', method: 'ask', params: {} },
    ],
    [
      'a notification',
      { method: 'said', params: { b: 2 } },
      { kind: 'notification', method: 'said', params: { b: 2 } },
    ],
    [
      'a notification with an id of null',
      { id: null, method: 'said' },
      { kind: 'notification', method: 'said', params: {} },
    ],
    [
      'an answer',
      { id: 1, result: { c: 3 } },
      { kind: 'response', id: 1, call: 'opening', result: { c: 3 } },
    ],
    [
      'an answer of null',
      { id: 1, result: null },
      { kind: 'response', id: 1, call: 'opening', result: null },
    ],
    [
      'an answer to what nobody asked',
      { id: 99, result: {} },
      { kind: 'response', id: 99, call: undefined, result: {} },
    ],
    [
      'an answer whose id has become a string',
      { id: '1', result: {} },
      { kind: 'response', id: '1', call: undefined, result: {} },
    ],
    [
      'an error',
      { id: 1, error: { code: -32600, message: 'no', data: { why: 'so' } } },
      { kind: 'error', id: 1, call: 'opening', error: { code: -32600, message: 'no', data: { why: 'so' } } },
    ],
    [
      'an error without anything',
      { error: {} },
      {
        kind: 'error',
        id: undefined,
        call: undefined,
        error: { code: undefined, message: 'The peer gave no reason.', data: undefined },
      },
    ],
    ['neither', { id: 1 }, { kind: 'invalid' }],
    ['nothing', {}, { kind: 'invalid' }],
  ]

  it.each(rows)('%s', (_, record, what) => {
    const peer = new JsonRpcPeer<string>('omitted')
    peer.request('open', {}, 'opening')
    expect(peer.classify(record)).toEqual(what)
  })

  it('is the answer to a request once', () => {
    const peer = new JsonRpcPeer<string>('2.0')
    peer.request('open', {}, 'opening')
    peer.request('close', {}, 'closing')
    expect(peer.pending).toEqual(['opening', 'closing'])
    const answers = [peer.classify({ id: 2, result: 1 }), peer.classify({ id: 2, result: 1 })]
    expect(answers.map((answer) => answer.kind === 'response' && answer.call)).toEqual(['closing', undefined])
    expect(peer.pending).toEqual(['opening'])
  })
})
