import { describe, expect, test } from 'vitest'
import { type Adapter, defineAdapter, resolveTransport, type TransportOptions } from '../../src/index.ts'
import { tinyCli } from '../tiny-cli.ts'

const oneShot = tinyCli()
const live = {
  floor: '1.1.0',
  launch: () => {
    throw new Error('nothing is launched here')
  },
  wire: oneShot.structured.wire,
}
/** Streams as much on both. */
const twoWay = defineAdapter({ ...oneShot, live })
/** Has no one-shot protocol. */
const liveOnly = defineAdapter({ ...oneShot, live, liveOnly: true })
const inBlocks = {
  ...oneShot.capabilities,
  streams: { ...oneShot.capabilities.streams, text: 'block' as const },
}
/** Streams its answer on the live transport only. */
const streamer = defineAdapter({
  ...oneShot,
  capabilities: inBlocks,
  credentials: [
    { name: 'both', variables: ['A_KEY'], billing: 'api' },
    { name: 'one-shot', variables: ['B_KEY'], billing: 'api', transports: ['structured'] },
  ],
  live: { ...live, capabilities: { streams: oneShot.capabilities.streams } },
})

describe('what is chosen, and why', () => {
  const listens = 'takes a CLI that listens while it works.'
  const rows: [string, Adapter, TransportOptions, string | undefined, string, string][] = [
    ['no one-shot protocol', liveOnly, {}, undefined, 'live', 'tiny-cli has no other.'],
    ['one protocol alone', oneShot, {}, undefined, 'structured', 'tiny-cli has no other.'],
    [
      'both stream alike',
      twoWay,
      {},
      '1.2.0',
      'structured',
      'tiny-cli streams as much on its one-shot protocol.',
    ],
    [
      'live streams more',
      streamer,
      {},
      '1.1.0',
      'live',
      'tiny-cli streams its answer token by token on this transport only.',
    ],
    [
      'no version is new enough',
      streamer,
      { transport: 'auto' },
      undefined,
      'live',
      'tiny-cli streams its answer token by token on this transport only.',
    ],
    [
      'so is one that does not tell',
      streamer,
      {},
      'unknown',
      'live',
      'tiny-cli streams its answer token by token on this transport only.',
    ],
    [
      'structured was asked for',
      streamer,
      { transport: 'structured' },
      '1.2.0',
      'structured',
      'It was asked for.',
    ],
    ['live was asked for', twoWay, { transport: 'live' }, '1.2.0', 'live', 'It was asked for.'],
    [
      'input is required',
      twoWay,
      { liveInput: 'required' },
      '1.2.0',
      'live',
      `liveInput: 'required' ${listens}`,
    ],
    ['the host approves', twoWay, { approvals: 'host' }, '1.2.0', 'live', `approvals: 'host' ${listens}`],
    [
      'a callback approves',
      twoWay,
      { approvals: () => 'allow' },
      '1.2.0',
      'live',
      `approvals as a callback ${listens}`,
    ],
    [
      'a set for both',
      streamer,
      { credentials: { set: 'both' } },
      '1.2.0',
      'live',
      'tiny-cli streams its answer token by token on this transport only.',
    ],
    [
      'a set for one',
      streamer,
      { credentials: { set: 'one-shot' } },
      '1.2.0',
      'structured',
      'The credential set that was asked for works on the structured transport only.',
    ],
    [
      'too old, streams alike',
      twoWay,
      {},
      '1.0.9',
      'structured',
      'The live transport of tiny-cli needs version 1.1.0.',
    ],
  ]
  test.each(rows)('%s', (_title, adapter, options, version, transport, reason) => {
    expect(resolveTransport(adapter, options, version)).toEqual({ transport, reason })
  })

  test('too old for the transport that streams: the other one, with a notice', () => {
    expect(resolveTransport(streamer, {}, '1.0.9')).toEqual({
      transport: 'structured',
      reason: 'The live transport of tiny-cli needs version 1.1.0.',
      notice: 'tiny-cli 1.0.9 streams no answer token by token: its live transport needs 1.1.0 or newer.',
    })
  })
})

describe('what cannot be is refused by name', () => {
  const rows: [Adapter, TransportOptions, string | undefined, string, string][] = [
    [liveOnly, { transport: 'structured' }, undefined, 'unsupported', 'tiny-cli has no one-shot protocol.'],
    [
      oneShot,
      { transport: 'live' },
      undefined,
      'unsupported',
      "tiny-cli has no live transport, which transport: 'live' takes.",
    ],
    [
      oneShot,
      { approvals: 'host' },
      undefined,
      'unsupported',
      "tiny-cli has no live transport, which approvals: 'host' takes.",
    ],
    [
      twoWay,
      { transport: 'tmux' },
      undefined,
      'unsupported',
      "This version of coxswain does not support transport: 'tmux' on any adapter. Supported: 'auto', 'structured' and 'live'.",
    ],
    [
      twoWay,
      { transport: 'structured', liveInput: 'required' },
      undefined,
      'invalid_options',
      "transport: 'structured' cannot be combined with liveInput: 'required'.",
    ],
    [
      twoWay,
      { liveInput: 'required' },
      '1.0.9',
      'unsupported',
      "tiny-cli 1.0.9 has no live transport that works, which liveInput: 'required' takes: that needs 1.1.0 or newer.",
    ],
  ]
  test.each(rows)('%#', (adapter, options, version, code, message) => {
    expect(() => resolveTransport(adapter, options, version)).toThrowError(
      expect.objectContaining({ code, message }),
    )
  })

  test('an unknown adapter, with the known ones', () => {
    expect(() => resolveTransport('gemini-cli')).toThrowError(/claude-code, codex-cli, cursor-cli, pi-cli/)
  })
})
