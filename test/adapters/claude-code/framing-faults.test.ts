import { describe, expect, test } from 'vitest'
import {
  assistant,
  completionOf,
  eventsOf,
  init,
  noticesOf,
  replayed,
  result,
  text,
  textStory,
  toolResult,
  toolStory,
} from './turn.ts'

const line = (record: object) => `${JSON.stringify(record)}\n`

/** What users of other tools reported of claude: each with an input of our own. The ids are those of the collection. */
describe('faults from the field: framing', () => {
  test('A01: a line in two chunks is one tool result, wherever it is cut', async () => {
    const bytes = Buffer.from(line(toolResult('t1', 'aaaaaaaa')) + line(result('')))
    for (let at = 1; at < bytes.length; at++) {
      const events = await replayed([bytes.subarray(0, at), bytes.subarray(at)])
      expect(toolStory(events)).toEqual(['start t1 unknown', 'end t1 unknown completed aaaaaaaa'])
    }
  })

  test('A02: two and a half objects in one read are two events, and the half waits for its rest', async () => {
    const last = line(result('Aye.'))
    const events = await replayed([
      line(init) + line(assistant('m1', [text('Aye.')])) + last.slice(0, 20),
      last.slice(20),
    ])
    expect(textStory(events)).toEqual(['block Aye.', 'completed Aye.'])
    expect(completionOf(events).status).toBe('success')
  })

  test('A08: a line separator inside of a tool result stays there', async () => {
    const record = JSON.stringify(toolResult('t1', [text('before\u2028after')]))
    expect(record).toContain('\u2028')
    expect(toolStory(await eventsOf([record, result('')])).at(-1)).toBe(
      'end t1 unknown completed before\u2028after',
    )
  })

  test('A10: a line of several MB with an image written twice is one tool result with the image', async () => {
    const data = 'A'.repeat(1_400_000)
    const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data } }
    const events = await eventsOf([
      toolResult('t1', [image], {}, { tool_use_result: { type: 'image', file: { base64: data } } }),
      result(''),
    ])
    expect(events.find((event) => event.type === 'tool' && event.phase === 'end')).toMatchObject({
      status: 'completed',
      output: '',
      content: [{ type: 'image', mimeType: 'image/png', data }],
    })
  })

  test('A11: an envelope that grows with the file is one small tool result', async () => {
    const originalFile = 'x\n'.repeat(600_000)
    const events = await eventsOf([
      toolResult('t1', 'ok', {}, { tool_use_result: { originalFile } }),
      result(''),
    ])
    expect(toolStory(events).at(-1)).toBe('end t1 unknown completed ok')
  })

  test('A13: two broken lines are two notices, and the answer comes from the result', async () => {
    const whole = JSON.stringify(assistant('m1', [text('part one part two')]))
    const at = whole.indexOf('part two')
    const limit = JSON.stringify({ type: 'rate_limit_event', rate_limit_info: { status: 'allowed' } })
    const events = await eventsOf([
      init,
      `${whole.slice(0, at)}${limit}`,
      whole.slice(at),
      result('part one part two'),
    ])
    expect(noticesOf(events)).toEqual(['line_invalid', 'line_invalid'])
    expect(completionOf(events)).toMatchObject({ status: 'success', text: 'part one part two' })
  })

  test('A14: log lines are notices and are never glued to the record that follows', async () => {
    const events = await eventsOf([
      '[log_1] sending {',
      "  method: 'post',",
      '}',
      assistant('m1', [text('Aye.')]),
      result('Aye.'),
    ])
    expect(noticesOf(events)).toEqual(['line_invalid', 'line_invalid', 'line_invalid'])
    expect(textStory(events)).toEqual(['block Aye.', 'completed Aye.'])
  })

  test('A16: a result that ends in the middle of a string is no success, exit 0 or not', async () => {
    const events = await replayed([line(init), line(result('aaaa')).slice(0, -30)])
    expect(completionOf(events)).toMatchObject({ status: 'error', error: { code: 'protocol' } })
  })

  test('A16: a last line without its newline counts', async () => {
    const events = await replayed([line(init), line(result('aaaa')).trimEnd()])
    expect(completionOf(events)).toMatchObject({ status: 'success', text: 'aaaa' })
  })
})
