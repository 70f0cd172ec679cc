import { describe, expect, test } from 'vitest'
import type { WireEvent } from '../../src/protocol/events.ts'
import { createRedactor } from '../../src/protocol/redact.ts'
import { delta, message, secrets } from './secret-events.ts'

function completion(text: string): WireEvent {
  return { type: 'completion', status: 'success', text, evidence: { by: 'record', detail: 'result' } }
}

describe('a secret in fragments', () => {
  test('is hidden when its last fragment is there, and the text before it is said at once', () => {
    const redactor = createRedactor(secrets)
    expect(redactor.receive(delta('the key is sk-li'))).toEqual([delta('the key is ')])
    expect(redactor.receive(delta('ve-12345'))).toEqual([])
    expect(redactor.receive(delta('6, keep it'))).toEqual([delta('[redacted:SECRET_KEY], keep it')])
    expect(redactor.receive(message('the key is sk-live-123456, keep it'))).toEqual([
      message('the key is [redacted:SECRET_KEY], keep it'),
    ])
  })

  test('that comes to nothing is said as soon as that is known', () => {
    const redactor = createRedactor(secrets)
    expect(redactor.receive(delta('sk-live-12345'))).toEqual([])
    expect(redactor.receive(delta('7'))).toEqual([delta('sk-live-123457')])
  })

  test('that comes to nothing is said before its message, at the latest', () => {
    const redactor = createRedactor(secrets)
    expect(redactor.receive(delta('ask'))).toEqual([delta('a')])
    expect(redactor.receive(message('ask'))).toEqual([delta('sk'), message('ask')])
  })

  test('is held for its own message only', () => {
    const redactor = createRedactor(secrets)
    expect(redactor.receive(delta('sk-', 'a'))).toEqual([])
    expect(redactor.receive(delta('live-123456', 'b'))).toEqual([delta('[redacted:SECRET_KEY]', 'b')])
  })

  test('a block is held as a whole, so that it stays one', () => {
    const redactor = createRedactor(secrets)
    const block: WireEvent = { type: 'delta', messageId: 'message-1', text: 'I ask', contentDelta: false }
    expect(redactor.receive(block)).toEqual([])
    expect(redactor.receive(message('I ask'))).toEqual([block, message('I ask')])
  })

  test('in reasoning is said when the same speaker goes on with something else', () => {
    const redactor = createRedactor(secrets)
    const thinking = (text: string): WireEvent => ({
      type: 'thinking',
      messageId: 'thinking-1',
      text,
      contentDelta: true,
    })
    expect(redactor.receive(thinking('task'))).toEqual([thinking('ta')])
    expect(redactor.receive({ ...delta('x', 'sub'), parentToolId: 'task-1' } as WireEvent)).toHaveLength(1)
    expect(redactor.receive(delta('y'))).toEqual([thinking('sk'), delta('y')])
  })

  test('in a streamed tool input and output is hidden, and the rest said before the whole', () => {
    const redactor = createRedactor(secrets)
    const tool = { type: 'tool', toolId: 't', name: 'Bash', kind: 'execute' } as const
    expect(redactor.receive({ ...tool, phase: 'input', inputDelta: '{"c":"sk-live' })).toEqual([
      { ...tool, phase: 'input', inputDelta: '{"c":"' },
    ])
    expect(redactor.receive({ ...tool, phase: 'input', inputDelta: '-123456 s' })).toEqual([
      { ...tool, phase: 'input', inputDelta: '[redacted:SECRET_KEY] ' },
    ])
    expect(redactor.receive({ ...tool, phase: 'input', input: { c: 'sk-live-123456 s' } })).toEqual([
      { ...tool, phase: 'input', inputDelta: 's' },
      { ...tool, phase: 'input', input: { c: '[redacted:SECRET_KEY] s' } },
    ])
    expect(redactor.receive({ ...tool, phase: 'output', outputDelta: 'sk-live-123' })).toEqual([])
    expect(redactor.receive({ ...tool, phase: 'output', outputDelta: '4567' })).toEqual([
      { ...tool, phase: 'output', outputDelta: '[redacted:SECRET_KEY]7' },
    ])
    expect(redactor.receive({ ...tool, phase: 'output', outputDelta: 's' })).toEqual([])
    expect(
      redactor.receive({ ...tool, phase: 'end', status: 'completed', output: 'sk-live-1234567s' }),
    ).toEqual([
      { ...tool, phase: 'output', outputDelta: 's' },
      { ...tool, phase: 'end', status: 'completed', output: '[redacted:SECRET_KEY]7s' },
    ])
  })

  test('what is held is said before the completion, or on flush', () => {
    const redactor = createRedactor(secrets)
    redactor.receive(delta('s'))
    expect(redactor.receive(completion('s'))).toEqual([delta('s'), completion('s')])
    redactor.receive(delta('s', 'other'))
    expect(redactor.flush()).toEqual([delta('s', 'other')])
    expect(redactor.flush()).toEqual([])
  })
})

describe('a secret across two messages of which one carries on the other', () => {
  const first = message('key: sk-live')
  const second: WireEvent = {
    type: 'message',
    messageId: 'message-2',
    text: '-123456.',
    status: 'completed',
    continues: 'message-1',
  }

  test('is not whole in what they make together, nor in the completion', () => {
    const redactor = createRedactor(secrets)
    expect(redactor.receive(delta('key: sk-live'))).toEqual([delta('key: ')])
    expect(redactor.receive(first)).toEqual([delta('sk-live'), first])
    expect(redactor.receive(delta('-123456.', 'message-2'))).toEqual([
      delta('[redacted:SECRET_KEY].', 'message-2'),
    ])
    expect(redactor.receive(second)).toEqual([{ ...second, text: '[redacted:SECRET_KEY].' }])
    expect(redactor.receive(completion('key: sk-live-123456.'))).toEqual([
      completion('key: sk-live[redacted:SECRET_KEY].'),
    ])
  })

  test('is hidden also when the first one meets its fate after the second one began', () => {
    const redactor = createRedactor(secrets)
    redactor.receive(delta('key: sk-live'))
    expect(redactor.receive(delta('-123456.', 'message-2'))).toEqual([
      delta('[redacted:SECRET_KEY].', 'message-2'),
    ])
    expect(redactor.receive(first)).toEqual([delta('sk-live'), first])
    expect(redactor.receive(second)).toEqual([{ ...second, text: '[redacted:SECRET_KEY].' }])
  })

  test('a message that was retracted is not carried on', () => {
    const redactor = createRedactor(secrets)
    redactor.receive(delta('key: sk-live'))
    redactor.receive({ type: 'message', messageId: 'message-1', text: 'key: sk-live', status: 'retracted' })
    expect(redactor.receive(delta('-123456.', 'message-2'))).toEqual([delta('-123456.', 'message-2')])
  })
})

describe('an output that replaces the one before', () => {
  const tool = { type: 'tool', toolId: 't', name: 'Bash', kind: 'execute' } as const
  const output = (text: string): WireEvent => ({ ...tool, phase: 'output', output: text })

  test('is said without the beginning of a secret at its end, until that comes to something', () => {
    const redactor = createRedactor(secrets)
    expect(redactor.receive(output('a sk-live-12'))).toEqual([output('a ')])
    expect(redactor.receive(output('a sk-live-123456'))).toEqual([output('a [redacted:SECRET_KEY]')])
    const end: WireEvent = { ...tool, phase: 'end', status: 'completed' }
    expect(redactor.receive(end)).toEqual([end])
  })

  test('and whole where it is the last one', () => {
    const redactor = createRedactor(secrets)
    const end: WireEvent = { ...tool, phase: 'end', status: 'interrupted' }
    expect(redactor.receive(output('task'))).toEqual([output('ta')])
    expect(redactor.receive(end)).toEqual([output('task'), end])
    expect(redactor.receive(output('task'))).toEqual([output('ta')])
    expect(redactor.flush()).toEqual([output('task')])
  })
})
