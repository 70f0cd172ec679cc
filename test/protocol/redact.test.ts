import { describe, expect, test } from 'vitest'
import type { WireEvent } from '../../src/protocol/events.ts'
import { createRedactor } from '../../src/protocol/redact.ts'

const value = 'pa"ss/w+rd é1'
const secrets = [
  { name: 'SECRET_KEY', value: 'sk-live-123456' },
  { name: 'SECRET_ODD', value },
]

function delta(text: string, messageId = 'message-1'): WireEvent {
  return { type: 'delta', messageId, text, contentDelta: true }
}

function message(text: string, messageId = 'message-1'): WireEvent {
  return { type: 'message', messageId, text, status: 'completed' }
}

function completion(text: string): WireEvent {
  return { type: 'completion', status: 'success', text, evidence: { by: 'record', detail: 'result' } }
}

describe('every form of a secret is hidden in plain text', () => {
  const rows: [form: string, text: string, said: string][] = [
    ['as it is', 'key sk-live-123456.', 'key [redacted:SECRET_KEY].'],
    ['twice in a row', 'sk-live-123456sk-live-123456', '[redacted:SECRET_KEY][redacted:SECRET_KEY]'],
    ['with quotes and accents', 'x pa"ss/w+rd é1 y', 'x [redacted:SECRET_ODD] y'],
    ['in JSON', '{"p":"pa\\"ss/w+rd é1"}', '{"p":"[redacted:SECRET_ODD]"}'],
    ['in JSON of ASCII', '{"p":"pa\\"ss/w+rd \\u00e91"}', '{"p":"[redacted:SECRET_ODD]"}'],
    [
      'in JSON within JSON',
      '"{\\"p\\":\\"pa\\\\\\"ss/w+rd é1\\"}"',
      '"{\\"p\\":\\"[redacted:SECRET_ODD]\\"}"',
    ],
    ['in an address', '?p=pa%22ss%2Fw%2Brd%20%C3%A91&q', '?p=[redacted:SECRET_ODD]&q'],
    ['in an address, lower case', '?p=pa%22ss%2fw%2brd%20%c3%a91&q', '?p=[redacted:SECRET_ODD]&q'],
    ['in a form', 'p=pa%22ss%2Fw%2Brd+%C3%A91&q', 'p=[redacted:SECRET_ODD]&q'],
    // printf 'sk-live-123456' | base64, with 0, 1 and 2 characters before it. What is left holds bits of the neighbours.
    ['in base64', 'c2stbGl2ZS0xMjM0NTY=', '[redacted:SECRET_KEY]Y='],
    ['in base64, one later', 'eHNrLWxpdmUtMTIzNDU2', 'eH[redacted:SECRET_KEY]'],
    ['in base64, two later', 'eHhzay1saXZlLTEyMzQ1Ng==', 'eHh[redacted:SECRET_KEY]g=='],
  ]
  test.each(rows)('%s', (_form, text, said) => {
    expect(createRedactor(secrets).text(text)).toBe(said)
  })
})

test('a text whose beginning was cut off within a secret does not begin with the rest of it', () => {
  const redactor = createRedactor(secrets)
  expect(redactor.tail('live-123456\nsk-live-123456')).toBe('[redacted:SECRET_KEY]\n[redacted:SECRET_KEY]')
  expect(redactor.tail('another live-123456')).toBe('another live-123456')
  expect(redactor.text('live-123456')).toBe('live-123456')
})

test('a value of five characters is no secret, one of six is', () => {
  const redactor = createRedactor([
    { name: 'SECRET_FIVE', value: 'abcde' },
    { name: 'SECRET_SIX', value: 'qwertz' },
  ])
  expect(redactor.text('abcde qwertz')).toBe('abcde [redacted:SECRET_SIX]')
})

test('of two secrets at one place the longer one is hidden', () => {
  const redactor = createRedactor([
    { name: 'SECRET_SHORT', value: 'abcdef' },
    { name: 'SECRET_LONG', value: 'abcdefghij' },
  ])
  expect(redactor.text('abcdefghij abcdefgh')).toBe('[redacted:SECRET_LONG] [redacted:SECRET_SHORT]gh')
})

test('what stands in the place of a secret never holds one', () => {
  expect(createRedactor([{ name: 'SECRET_A', value: 'SECRET_A' }]).text('SECRET_A')).toBe('[redacted]')
  expect(createRedactor([{ name: 'SECRET_A', value: 'redacted' }]).text('redacted')).toBe('***')
})

test('without secrets every event passes as the same object', () => {
  const redactor = createRedactor([{ name: 'SECRET_SHORT', value: 'short' }])
  const event = delta('short')
  expect(redactor.receive(event)[0]).toBe(event)
  expect(redactor.flush()).toEqual([])
})

test('an event without a secret passes as the same object', () => {
  const redactor = createRedactor(secrets)
  const events: WireEvent[] = [
    delta('hello '),
    {
      type: 'tool',
      toolId: 't',
      name: 'Bash',
      kind: 'execute',
      phase: 'input',
      input: { command: ['ls', { a: 1 }] },
    },
    { type: 'notice', level: 'info', code: 'x', message: 'fine', details: { list: ['a'] } },
    { type: 'usage', usage: { basis: 'turn', inputTokens: 1 } },
    message('hello '),
  ]
  for (const event of events) expect(redactor.receive(event)[0]).toBe(event)
})

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

describe('every string of every event', () => {
  const key = 'sk-live-123456'
  const hidden = '[redacted:SECRET_KEY]'
  const rows: [string, WireEvent, WireEvent][] = [
    [
      'session',
      {
        type: 'session',
        sessionId: 's',
        transport: 'structured',
        origin: 'new',
        cwd: `/tmp/${key}`,
        tools: [key],
      },
      {
        type: 'session',
        sessionId: 's',
        transport: 'structured',
        origin: 'new',
        cwd: `/tmp/${hidden}`,
        tools: [hidden],
      },
    ],
    [
      'plan',
      { type: 'plan', entries: [{ content: key, status: 'pending' }] },
      { type: 'plan', entries: [{ content: hidden, status: 'pending' }] },
    ],
    [
      'tool input, keys included',
      {
        type: 'tool',
        toolId: 't',
        name: 'x',
        kind: 'other',
        phase: 'input',
        input: { [key]: [{ type: key }] },
      },
      {
        type: 'tool',
        toolId: 't',
        name: 'x',
        kind: 'other',
        phase: 'input',
        input: { [hidden]: [{ type: hidden }] },
      },
    ],
    [
      'tool end',
      {
        type: 'tool',
        toolId: 't',
        name: 'x',
        kind: 'other',
        phase: 'end',
        status: 'completed',
        output: key,
        content: [{ type: 'text', text: key }],
        locations: [{ path: key }],
      },
      {
        type: 'tool',
        toolId: 't',
        name: 'x',
        kind: 'other',
        phase: 'end',
        status: 'completed',
        output: hidden,
        content: [{ type: 'text', text: hidden }],
        locations: [{ path: hidden }],
      },
    ],
    [
      'notice',
      { type: 'notice', level: 'info', code: 'x', message: key, details: { deep: [[key]] } },
      { type: 'notice', level: 'info', code: 'x', message: hidden, details: { deep: [[hidden]] } },
    ],
    [
      'interaction',
      {
        type: 'interaction',
        interactionId: 'i',
        phase: 'request',
        kind: 'form',
        title: key,
        schema: { title: key },
      },
      {
        type: 'interaction',
        interactionId: 'i',
        phase: 'request',
        kind: 'form',
        title: hidden,
        schema: { title: hidden },
      },
    ],
    [
      'completion, good',
      {
        type: 'completion',
        status: 'success',
        text: key,
        structuredOutput: { key },
        evidence: { by: 'record', detail: key },
      },
      {
        type: 'completion',
        status: 'success',
        text: hidden,
        structuredOutput: { key: hidden },
        evidence: { by: 'record', detail: hidden },
      },
    ],
    [
      'completion',
      {
        type: 'completion',
        status: 'error',
        text: key,
        error: { code: 'auth', message: `bad ${key}`, retryable: false, hint: key },
        evidence: { by: 'record', detail: key },
      },
      {
        type: 'completion',
        status: 'error',
        text: hidden,
        error: { code: 'auth', message: `bad ${hidden}`, retryable: false, hint: hidden },
        evidence: { by: 'record', detail: hidden },
      },
    ],
  ]
  test.each(rows)('%s', (_title, event, said) => {
    expect(createRedactor(secrets).receive(event)).toEqual([said])
  })
})

test('words that tell events apart stay, also where a secret reads like one', () => {
  const redactor = createRedactor([
    { name: 'SECRET_A', value: 'completed' },
    { name: 'SECRET_B', value: 'message' },
    { name: 'SECRET_C', value: 'message-1' },
  ])
  expect(redactor.receive(message('completed'))).toEqual([message('[redacted:SECRET_A]')])
})

test('a record is redacted in every key and string, and stays the same object without secrets', () => {
  const redactor = createRedactor(secrets)
  const plain = { type: 'a', list: [1, null, 'x'] }
  expect(redactor.record(plain)).toBe(plain)
  expect(redactor.record({ type: 'sk-live-123456', __proto__x: ['sk-live-123456'] })).toEqual({
    type: '[redacted:SECRET_KEY]',
    __proto__x: ['[redacted:SECRET_KEY]'],
  })
})

test('a record that is nested deeper than a recursion can go is no end of the turn', () => {
  const deep: unknown = JSON.parse(`${'['.repeat(50_000)}"sk-live-123456"${']'.repeat(50_000)}`)
  const event: WireEvent = {
    type: 'tool',
    toolId: 't',
    name: 'x',
    kind: 'other',
    phase: 'input',
    input: deep,
  }
  expect(JSON.stringify(createRedactor(secrets).receive(event))).not.toContain('sk-live-123456')
})

describe('the raw record of an event', () => {
  const raw = (text: string, ...more: object[]) => Object.assign({ type: 'delta', text }, ...more)

  function play(redactor: ReturnType<typeof createRedactor>, text: string, record: object) {
    const event = delta(text)
    return redactor.record(record, event, redactor.receive(event))
  }

  test('says no more of a fragment than the event does', () => {
    const redactor = createRedactor(secrets)
    expect(play(redactor, 'key sk-live-1', raw('key sk-live-1'))).toEqual(raw('key '))
    expect(play(redactor, '23456!', raw('23456!'))).toEqual(raw('[redacted:SECRET_KEY]!'))
  })

  test('nor of a message that it repeats so far', () => {
    const redactor = createRedactor(secrets)
    const soFar = { message: { content: [{ text: 'the key sk-live-1' }] } }
    expect(play(redactor, 'key sk-live-1', raw('key sk-live-1', soFar))).toEqual(
      raw('key ', { message: { content: [{ text: 'the key [redacted:SECRET_KEY]' }] } }),
    )
  })

  test('is a copy: what a wire holds stays as it is, and so does an event', () => {
    const redactor = createRedactor(secrets)
    const record = { 'sk-live-123456': ['sk-live-123456', { deep: 'sk-live-123456' }] }
    const event: WireEvent = {
      type: 'tool',
      toolId: 't',
      name: 'x',
      kind: 'other',
      phase: 'input',
      input: record,
    }
    const before = structuredClone(event)
    expect(redactor.record(record)).toEqual({
      '[redacted:SECRET_KEY]': ['[redacted:SECRET_KEY]', { deep: '[redacted:SECRET_KEY]' }],
    })
    expect(redactor.receive(event)[0]).not.toBe(event)
    expect(event).toEqual(before)
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

test('a message that was cut short within a secret does not end in most of it', () => {
  const redactor = createRedactor(secrets)
  const notice = (message: string): WireEvent => ({ type: 'notice', level: 'info', code: 'x', message })
  expect(redactor.receive(notice('no sk-live-12'))).toEqual([notice('no [redacted:SECRET_KEY]')])
  expect(redactor.receive(notice('no sk-live-12… (900 characters)'))).toEqual([
    notice('no [redacted:SECRET_KEY]… (900 characters)'),
  ])
  expect(redactor.receive(notice('do ask'))).toEqual([notice('do ask')])
})

test('what is added before the first event is hidden as well', () => {
  const redactor = createRedactor([])
  redactor.hide([{ name: 'FORWARDER_TOKEN', value: 'throw-away-1' }])
  expect(redactor.receive(delta('is throw-away-1'))).toEqual([delta('is [redacted:FORWARDER_TOKEN]')])
})

test('the speech of a sub-agent is apart from that of its parent', () => {
  const redactor = createRedactor(secrets)
  const sub = (text: string): WireEvent => ({
    type: 'delta',
    messageId: 'sub',
    parentToolId: 'task-1',
    text,
    contentDelta: true,
  })
  expect(redactor.receive(delta('sk-live-'))).toEqual([])
  expect(redactor.receive(sub('123456 sk-'))).toEqual([sub('123456 ')])
  expect(redactor.receive(delta('123456'))).toEqual([delta('[redacted:SECRET_KEY]')])
  expect(redactor.receive(sub('live-123456'))).toEqual([sub('[redacted:SECRET_KEY]')])
})

test('a secret with a pair of surrogates is hidden when it is cut within the pair, and a lone half passes', () => {
  const redactor = createRedactor([{ name: 'SECRET_BOAT', value: 'boat-\u{1f6a3}-key' }])
  expect(redactor.receive(delta('a boat-\ud83d'))).toEqual([delta('a ')])
  expect(redactor.receive(delta('\udea3-key'))).toEqual([delta('[redacted:SECRET_BOAT]')])
  expect(redactor.receive(delta('x \ud83d'))).toEqual([delta('x \ud83d')])
})
