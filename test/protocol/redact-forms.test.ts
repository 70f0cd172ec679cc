import { describe, expect, test } from 'vitest'
import type { WireEvent } from '../../src/protocol/events.ts'
import { createRedactor } from '../../src/protocol/redact.ts'
import { piecesOf } from '../secrets-said.ts'

const mark = '[redacted:SECRET_X]'

const privateKey = [
  '-----BEGIN PRIVATE KEY-----',
  'MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj',
  'MzEfYyjiWA4R4/M2bS1GB4t7NXp98C3SC6dVMvDuictGeurT8jNbvJZHtCSuYEvu',
  '-----END PRIVATE KEY-----',
].join('\n')

const values: [what: string, value: string][] = [
  ['letters and digits', 'sk-live-123456'],
  ['quotes, a backslash and a slash', 'pa"ss\\w/rd é1'],
  ['what HTML minds', "a<b>&c'd+e=f"],
  ['a tab and a newline', 'tab\tnew\nline'],
  ['several lines', privateKey],
  ['pairs of surrogates and percent signs', '😀🔑 key % 100%25'],
  ['the end of base64', 'Zürich/+=token=='],
]

const json = (text: string) => JSON.stringify(text).slice(1, -1)
const unicode = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
const ascii = (text: string) => text.replace(/[^\x20-\x7e]/g, unicode)
const upper = (text: string) => text.replace(/\\u[0-9a-f]{4}/g, (code) => `\\u${code.slice(2).toUpperCase()}`)
const address = encodeURIComponent

/** Each after a real encoder: JSON.stringify, Python's json, Go's, .NET's, PHP's; encodeURIComponent, forms, encodeURI. */
const encoders: [what: string, encode: (text: string) => string][] = [
  ['as it is', (text) => text],
  ['in JSON', json],
  ['in JSON, twice', (text) => json(json(text))],
  ['in JSON, four times', (text) => json(json(json(json(text))))],
  ['in JSON of ASCII', (text) => ascii(json(text))],
  ['in JSON of ASCII, upper case', (text) => upper(ascii(json(text)))],
  ['in JSON of ASCII, within JSON', (text) => json(ascii(json(text)))],
  ['in JSON as Go has it', (text) => json(text).replace(/[<>&]/g, unicode)],
  ['in JSON as .NET has it', (text) => upper(json(text).replace(/[<>&+'`]/g, unicode))],
  ['in JSON with escaped slashes', (text) => json(text).replaceAll('/', '\\/')],
  ['in JSON with escaped slashes, twice', (text) => json(json(text).replaceAll('/', '\\/'))],
  ['in an address', address],
  ['in an address, lower case', (text) => address(text).replace(/%../g, (code) => code.toLowerCase())],
  ['in a form', (text) => new URLSearchParams({ a: text }).toString().slice(2)],
  ['in a whole address', (text) => address(text).replaceAll('%2F', '/').replaceAll('%2B', '+')],
]

function redact(value: string, text: string): string {
  return createRedactor([{ name: 'SECRET_X', value }]).text(text)
}

describe.each(values)('a secret of %s', (_, value) => {
  test.each(encoders)('%s', (_what, encode) => {
    expect(redact(value, `{"a":"${encode(value)}"}`)).toBe(`{"a":"${mark}"}`)
    expect(redact(value, encode(value) + encode(value))).toBe(mark + mark)
  })

  test('in base64 at every place, in both alphabets, also when it is broken into lines', () => {
    for (const before of ['', 'x', 'xy', 'a longer text before it, so that lines break within: ']) {
      for (const columns of [64, 76, 1_000]) {
        for (const newline of ['\n', '\r\n', '\\n', '\n  ']) {
          for (const encoding of ['base64', 'base64url'] as const) {
            const encoded = Buffer.from(`${before}${value} and after`).toString(encoding)
            const text = encoded.replace(new RegExp(`.{${columns}}`, 'g'), `$&${newline}`)
            const said = redact(value, text)
            expect(said).toContain(mark)
            // What is left is the text around it: nothing of the value but bits of its outermost bytes.
            const rest = Buffer.from(said.replace(mark, '').replace(/\\n/g, ''), 'base64').toString('latin1')
            expect(rest.length).toBeLessThanOrEqual(before.length + ' and after'.length + 3)
          }
        }
      }
    }
  })

  test('says the same however the text is cut, and its message too', () => {
    for (const [, encode] of encoders) {
      const text = `It is ${encode(value)}.`
      for (const size of [1, 2, 3, 4, 5, 6, 7]) {
        const redactor = createRedactor([{ name: 'SECRET_X', value }])
        const events = [
          ...piecesOf(text, size).flatMap((piece) =>
            redactor.receive({ type: 'delta', messageId: 'm', text: piece, contentDelta: true }),
          ),
          ...redactor.receive({ type: 'message', messageId: 'm', text, status: 'completed' }),
        ]
        expect(textOf(events, 'delta')).toBe(`It is ${mark}.`)
        expect(textOf(events, 'message')).toBe(`It is ${mark}.`)
      }
    }
  })
})

function textOf(events: readonly WireEvent[], type: 'delta' | 'message'): string {
  return events.map((event) => (event.type === type && 'text' in event ? event.text : '')).join('')
}

test('each line of a key that has several is hidden on its own, but not its heading', () => {
  const lines = privateKey.split('\n').map((line) => redact(privateKey, `log: ${line}`))
  expect(lines).toEqual([
    'log: -----BEGIN PRIVATE KEY-----',
    `log: ${mark}`,
    `log: ${mark}`,
    'log: -----END PRIVATE KEY-----',
  ])
})

describe('what looks like an escape and is none', () => {
  const rows: [what: string, value: string, text: string][] = [
    ['a backslash does not hold back a value of letters', 'sk-live-123456', 'C:\\'],
    ['nor does it in the middle of one', 'sk-live-123456', 'sk-live-\\'],
    ['a percent sign does not', 'sk-live-123456', 'at 100%'],
    ['a line break after one letter does not', 'sk-live-123456', 'c\n'],
    ['a code of another character does not', 'ab/cdef', 'ab\\u0041'],
  ]
  test.each(rows)('%s', (_, value, text) => {
    const redactor = createRedactor([{ name: 'SECRET_X', value }])
    const event: WireEvent = { type: 'delta', messageId: 'm', text, contentDelta: true }
    expect(redactor.receive(event)).toEqual([event])
  })

  test('the beginning of an escape that the value needs is held', () => {
    const redactor = createRedactor([{ name: 'SECRET_X', value: 'ab/cdef' }])
    const delta = (text: string): WireEvent => ({ type: 'delta', messageId: 'm', text, contentDelta: true })
    expect(redactor.receive(delta('say ab\\'))).toEqual([delta('say ')])
    expect(redactor.receive(delta('u00'))).toEqual([])
    expect(redactor.receive(delta('2Fcde'))).toEqual([])
    expect(redactor.receive(delta('f!'))).toEqual([delta(`${mark}!`)])
  })
})
