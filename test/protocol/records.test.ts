import { describe, expect, it } from 'vitest'
import { parseLine } from '../../src/protocol/records.ts'

describe('one line of stdout', () => {
  const rows: [string, string, object | string][] = [
    ['an object', '{"a":1}', { a: 1 }],
    ['with blanks and a CR around it', '  {"a":1} \r', { a: 1 }],
    ['with a raw U+2028 inside', '{"a":"\u2028"}', { a: '\u2028' }],
    ['after a byte order mark', '\ufeff{"a":1}', { a: 1 }],
    ['after escape sequences of a shell', '\u001b[?25l\u001b]0;title\u0007{"a":1}', { a: 1 }],
    ['several objects at once', '{"a":"}{"} {"b":[{}]}', [{ a: '}{' }, { b: [{}] }]],
    ['nothing', '', 'blank'],
    ['a CR', '\r', 'blank'],
    ['blanks', ' \t ', 'blank'],
    ['an array', '[{"a":1}]', 'not_object'],
    ['a number', '7', 'not_object'],
    ['null', 'null', 'not_object'],
    ['a text', '"a"', 'not_object'],
    ['noise', 'npm warn: hello', 'invalid'],
    ['half an object', '{"a":', 'invalid'],
    ['an object and a half', '{"a":1}{"b":', 'invalid'],
    ['an object with noise behind it', '{"a":1} done', 'invalid'],
    ['noise with an object behind it', 'warn {"a":1}', 'invalid'],
    ['an object and an array', '{"a":1}[2]', 'invalid'],
    ['brackets that do not match', '{"a":1]{}', 'invalid'],
    ['an escape sequence alone', '\u001b[0m', 'invalid'],
    ['a byte order mark alone', '\ufeff', 'invalid'],
  ]
  it.each(rows)('%s', (_title, line, expected) => {
    expect(parseLine(line)).toEqual(expected)
  })

  it('a key called __proto__ is a key like any other', () => {
    const line = parseLine('{"__proto__":{"polluted":true}}')
    expect(line).toBeTypeOf('object')
    expect('polluted' in {}).toBe(false)
  })
})
