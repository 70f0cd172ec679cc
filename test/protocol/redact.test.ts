import { describe, expect, test } from 'vitest'
import type { WireEvent } from '../../src/protocol/events.ts'
import { createRedactor } from '../../src/protocol/redact.ts'
import { delta, message, secrets } from './secret-events.ts'

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
