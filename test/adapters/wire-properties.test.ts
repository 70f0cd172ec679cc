import fc from 'fast-check'
import { expect, test } from 'vitest'
import { acpAgent, getAdapter } from '../../src/index.ts'
import { asString } from '../../src/protocol/narrow.ts'
import { RecordedTurn } from '../../src/run/recorded-turn.ts'
import { checkGuarantees } from '../../src/testing/guarantees.ts'
import type { Json } from './driven-wire.ts'
import { foreignRecord, recordedRecords } from './foreign-records.ts'
import { type Action, FuzzedWire, type LivePeer, rpcAnswer, rpcRefusal } from './live-fuzzing.ts'

/** Whatever a CLI says, in whatever order, and whatever a host wants meanwhile. */

const update = (kind: string, more: Json): Json => ({
  jsonrpc: '2.0',
  method: 'session/update',
  params: { sessionId: 's1', update: { sessionUpdate: kind, ...more } },
})
const words = { content: { type: 'text', text: 'Ahoy. ' } }
const call = { toolCallId: 'c1', title: 'ls', kind: 'execute' }
const acpRecords: Json[] = [
  update('agent_message_chunk', words),
  update('agent_message_chunk', { ...words, messageId: 'm1' }),
  update('agent_thought_chunk', words),
  update('user_message_chunk', words),
  update('tool_call', { ...call, status: 'pending', rawInput: { command: 'ls' } }),
  update('tool_call_update', { ...call, status: 'in_progress', content: [{ type: 'content', ...words }] }),
  update('tool_call_update', { ...call, status: 'completed', rawOutput: { exitCode: 0 } }),
  update('tool_call_update', { ...call, status: 'failed' }),
  update('plan', { entries: [{ content: 'Sail', status: 'pending', priority: 'high' }] }),
  update('usage_update', { used: 100, size: 1000 }),
  update('current_mode_update', { currentModeId: 'code' }),
  update('available_commands_update', { availableCommands: [] }),
  {
    jsonrpc: '2.0',
    id: 'q1',
    method: 'session/request_permission',
    params: {
      sessionId: 's1',
      toolCall: call,
      options: [{ optionId: 'yes', name: 'Yes', kind: 'allow_once' }],
    },
  },
  { jsonrpc: '2.0', id: 0, method: 'fs/read_text_file', params: { sessionId: 's1', path: '/w/a' } },
]
const acpResults = {
  initialize: { protocolVersion: 1, agentCapabilities: {}, authMethods: [] },
  'session/new': { sessionId: 's1' },
  'session/prompt': { stopReason: 'end_turn' },
}
const acpPeer = { opening: { oneTurn: false }, records: acpRecords, refuse: rpcRefusal }
const acpAnswer = (sent: Json) => rpcAnswer(sent, acpResults)

const peers: [string, LivePeer][] = [
  [
    'claude-code',
    {
      adapter: getAdapter('claude-code'),
      opening: {},
      records: recordedRecords('claude-code', 'live'),
      answer: (sent) => claudeAnswer(sent, { subtype: 'success', response: {} }),
      refuse: (sent) => claudeAnswer(sent, { subtype: 'error', error: 'no wind' }),
    },
  ],
  [
    'codex-cli',
    {
      adapter: getAdapter('codex-cli'),
      opening: { method: 'thread/start', params: { cwd: '/w' } },
      records: recordedRecords('codex-cli', 'live'),
      answer: (sent) =>
        rpcAnswer(sent, { 'thread/start': { thread: { id: 's1' } }, 'turn/start': { turn: { id: 't1' } } }),
      refuse: rpcRefusal,
    },
  ],
  [
    'pi-cli',
    {
      adapter: getAdapter('pi-cli'),
      opening: { settles: true, clearsQueue: true, hasCommands: false },
      records: recordedRecords('pi-cli', 'live'),
      answer: (sent) => piAnswer(sent, { success: true, data: { sessionId: 's1', messageCount: 0 } }),
      refuse: (sent) => piAnswer(sent, { success: false, error: 'no wind' }),
    },
  ],
  ['cursor-cli', { adapter: getAdapter('cursor-cli'), ...acpPeer, answer: acpAnswer }],
  [
    'any ACP agent',
    { adapter: acpAgent({ id: 'agent', command: ['agent'] }), ...acpPeer, answer: acpAnswer },
  ],
]

function claudeAnswer({ type, request_id }: Json, response: Json): Json | undefined {
  return type === 'control_request'
    ? { type: 'control_response', response: { request_id, ...response } }
    : undefined
}

function piAnswer({ id, type }: Json, more: Json): Json | undefined {
  return asString(id) === undefined ? undefined : { id, type: 'response', command: type, ...more }
}

function actionsFor({ records }: LivePeer): fc.Arbitrary<Action[]> {
  const received = foreignRecord(records).map((record): Action => ({ do: 'receive', record }))
  const simple = (...names: ('answer' | 'refuse' | 'prompt' | 'steer' | 'interrupt' | 'model')[]) =>
    fc.constantFrom(...names).map((name): Action => ({ do: name }))
  const decide = fc
    .constantFrom('allow' as const, 'deny' as const, 'cancel' as const)
    .map((decision): Action => ({ do: 'decide', decision }))
  const one = fc.oneof(
    { weight: 13, arbitrary: received },
    { weight: 5, arbitrary: simple('answer') },
    { weight: 3, arbitrary: simple('prompt') },
    { weight: 3, arbitrary: simple('steer', 'interrupt', 'model', 'refuse') },
    { weight: 1, arbitrary: decide },
  )
  const greeted = simple('answer')
  return fc
    .tuple(greeted, greeted, greeted, simple('prompt'), fc.array(one, { maxLength: 40 }))
    .map(([a, b, c, d, rest]) => [a, b, c, d, ...rest])
}

const exits = fc.constantFrom(
  { exitCode: 0, signal: null, stderr: '' },
  { exitCode: 1, signal: null, stderr: 'Error: aground\n' },
  { exitCode: null, signal: 'SIGKILL', stderr: '' },
  { exitCode: null, signal: 'SIGTERM', stderr: '', lingered: true },
  { exitCode: 0, signal: null, stderr: '', stopped: true },
)

test.each(peers)(
  '%s: every turn of a live wire completes once, every steer is told once, nothing throws',
  (_, peer) => {
    expect(peer.records.length).toBeGreaterThan(8)
    fc.assert(
      fc.property(actionsFor(peer), exits, (actions, exit) => {
        const wire = new FuzzedWire(peer)
        for (const action of actions) wire.perform(action)
        wire.end(exit)
        expect(wire.completions).toHaveLength(wire.opened)
        expect(wire.steered.map(({ id }) => id).sort()).toEqual(
          Array.from({ length: wire.steers }, (_each, index) => `steer-${index + 1}`).sort(),
        )
      }),
      { numRuns: 300 },
    )
  },
)

test.each(['claude-code', 'codex-cli', 'cursor-cli', 'pi-cli'])(
  '%s: whatever a one-shot CLI prints, its turn completes once, keeps the guarantees, and nothing throws',
  (id) => {
    const records = recordedRecords(id, 'structured')
    expect(records.length).toBeGreaterThan(8)
    fc.assert(
      fc.property(fc.array(foreignRecord(records), { maxLength: 40 }), exits, (printed, exit) => {
        const turn = new RecordedTurn(getAdapter(id))
        const stdout = Buffer.from(printed.map((record) => `${JSON.stringify(record)}\n`).join(''))
        const events = [...turn.start(), ...turn.push(stdout), ...turn.end(exit)]
        const completion = events.at(-1)
        expect(completion?.type === 'completion' && completion.evidence.by).not.toBe('host')
        expect(checkGuarantees(events).filter(({ guarantee }) => guarantee !== 8)).toEqual([])
      }),
      { numRuns: 300 },
    )
  },
)
