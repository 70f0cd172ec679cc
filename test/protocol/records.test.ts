import { describe, expect, it } from 'vitest'
import { parseLine } from '../../src/protocol/records.ts'

const records = (...list: object[]) => ({ kind: 'records', records: list })

describe('one line of stdout', () => {
  const rows: [string, string, object][] = [
    ['an object', '{"a":1}', records({ a: 1 })],
    ['with blanks and a CR around it', '  {"a":1} \r', records({ a: 1 })],
    ['with a raw U+2028 inside', '{"a":"\u2028"}', records({ a: '\u2028' })],
    ['after a byte order mark', '\ufeff{"a":1}', records({ a: 1 })],
    ['after escape sequences of a shell', '\u001b[?25l\u001b]0;title\u0007{"a":1}', records({ a: 1 })],
    ['several objects at once', '{"a":"}{"} {"b":[{}]}', records({ a: '}{' }, { b: [{}] })],
    ['nothing', '', { kind: 'blank' }],
    ['a CR', '\r', { kind: 'blank' }],
    ['blanks', ' \t ', { kind: 'blank' }],
    ['an array', '[{"a":1}]', { kind: 'not_object' }],
    ['a number', '7', { kind: 'not_object' }],
    ['null', 'null', { kind: 'not_object' }],
    ['a text', '"a"', { kind: 'not_object' }],
    ['noise', 'npm warn: hello', { kind: 'invalid' }],
    ['half an object', '{"a":', { kind: 'invalid' }],
    ['an object and a half', '{"a":1}{"b":', { kind: 'invalid' }],
    ['an object with noise behind it', '{"a":1} done', { kind: 'invalid' }],
    ['noise with an object behind it', 'warn {"a":1}', { kind: 'invalid' }],
    ['an object and an array', '{"a":1}[2]', { kind: 'invalid' }],
    ['brackets that do not match', '{"a":1]{}', { kind: 'invalid' }],
    ['an escape sequence alone', '\u001b[0m', { kind: 'invalid' }],
    ['a byte order mark alone', '\ufeff', { kind: 'invalid' }],
  ]
  it.each(rows)('%s', (_title, line, expected) => {
    expect(parseLine(line)).toEqual(expected)
  })

  it('a key called __proto__ is a key like any other', () => {
    const line = parseLine('{"__proto__":{"polluted":true}}')
    expect(line.kind).toBe('records')
    expect('polluted' in {}).toBe(false)
  })
})
