import { describe, expect, test } from 'vitest'
import {
  assistant,
  blockStart,
  blockStop,
  completionOf,
  delta,
  eventsOf,
  jsonDelta,
  lastUsage,
  messageStart,
  noticesOf,
  result,
  said,
  text,
  textDelta,
  textStory,
  thinkingStory,
  toolResult,
  toolStory,
  toolUse,
} from './turn.ts'

describe('faults from the field: text, tools and thinking', () => {
  test('D01: deltas and the whole message are one text', async () => {
    const events = await eventsOf([...said('m1', 'ECHO'), result('ECHO')])
    expect(textStory(events)).toEqual(['delta ECHO', 'completed ECHO'])
  })

  test('D02: two messages that read alike are two', async () => {
    const events = await eventsOf([
      assistant('m1', [text('ok')]),
      assistant('m2', [text('ok')]),
      result('ok'),
    ])
    expect(textStory(events)).toEqual(['block ok', 'completed ok', 'block ok', 'completed ok'])
  })

  test("D07: the result's text is no further piece", async () => {
    const events = await eventsOf([assistant('m1', [text('A')]), result('A')])
    expect(textStory(events)).toEqual(['block A', 'completed A'])
  })

  test('D08: a call that is streamed and said whole starts once, with one full input', async () => {
    const events = await eventsOf([
      messageStart('m1'),
      blockStart(1, toolUse('t1', 'Bash')),
      jsonDelta(1, '{"command":"ls"}'),
      assistant('m1', [toolUse('t1', 'Bash', { command: 'ls' })]),
      blockStop(1),
    ])
    expect(toolStory(events).slice(0, -1)).toEqual([
      'start t1 Bash',
      'input t1 Bash +{"command":"ls"}',
      'input t1 Bash {"command":"ls"}',
    ])
  })

  test('E01: an empty fragment is an empty input', async () => {
    const events = await eventsOf([blockStart(1, toolUse('t1', 'now')), jsonDelta(1, ''), blockStop(1)])
    expect(toolStory(events).slice(0, 2)).toEqual(['start t1 now', 'input t1 now {}'])
  })

  test('E03: the input is what the fragments say together, never the empty one of the start', async () => {
    const events = await eventsOf([
      blockStart(0, toolUse('t1', 'Write')),
      jsonDelta(0, '{"file_'),
      jsonDelta(0, 'path":"a.txt","n":10'),
      jsonDelta(0, '0}'),
      blockStop(0),
    ])
    const inputs = events.flatMap((event) =>
      event.type === 'tool' && event.phase === 'input' && event.input !== undefined ? [event.input] : [],
    )
    expect(inputs).toEqual([{ file_path: 'a.txt', n: 100 }])
  })

  test('E04: fragments without a start are no event; fragments that never parse stay raw', async () => {
    const orphans = await eventsOf([jsonDelta(0, '{"a": "x'), jsonDelta(0, 'y"}'), result('')])
    expect(toolStory(orphans)).toEqual([])
    const broken = await eventsOf([
      blockStart(0, toolUse('t1', 'Bash')),
      jsonDelta(0, '{"a": "x'),
      blockStop(0),
    ])
    expect(toolStory(broken)).toEqual(['start t1 Bash', 'input t1 Bash +{"a": "x', 'end t1 Bash interrupted'])
  })

  test('E05: blocks of parent and sub-agent with one index do not mix', async () => {
    const events = await eventsOf([
      blockStart(0, toolUse('tA', 'Read')),
      blockStart(0, toolUse('tB', 'Grep'), 't9'),
      jsonDelta(0, '{"file_path":"a"}'),
      jsonDelta(0, '{"pattern":"b"}', 't9'),
      blockStop(0),
      blockStop(0, 't9'),
    ])
    expect(toolStory(events)).toContain('input tA Read {"file_path":"a"}')
    expect(toolStory(events)).toContain('input@t9 tB Grep {"pattern":"b"}')
  })

  test('E06: a result is a string, blocks, or nothing; a message that is a string is none', async () => {
    const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } }
    const events = await eventsOf([
      toolResult('t1', 'plain'),
      toolResult('t2', [text('a'), image, text('b')]),
      toolResult('t3', undefined),
      { type: 'user', message: { role: 'user', content: 'plain user text' } },
      result(''),
    ])
    expect(toolStory(events).filter((each) => each.startsWith('end'))).toEqual([
      'end t1 unknown completed plain',
      'end t2 unknown completed a\nb',
      'end t3 unknown completed ',
    ])
    expect(events).toContainEqual(
      expect.objectContaining({
        toolId: 't2',
        phase: 'end',
        content: [text('a'), { type: 'image', mimeType: 'image/png', data: 'AAAA' }, text('b')],
      }),
    )
  })

  test('E07: JSON in a string stays a string', async () => {
    const words = '{"content":[{"type":"image","data":"AAAA"}]}'
    expect(toolStory(await eventsOf([toolResult('t1', words), result('')])).at(-1)).toBe(
      `end t1 unknown completed ${words}`,
    )
  })

  test('F01: thinking that is whole at its start is said once', async () => {
    const block = { type: 'thinking', thinking: 'plan it', signature: 'c2ln' }
    const events = await eventsOf([blockStart(0, block), blockStop(0), result('')])
    expect(thinkingStory(events)).toEqual(['thinking-1 plan it'])
  })

  test('F02: redacted thinking is no fault and says nothing', async () => {
    const events = await eventsOf([
      assistant('m1', [{ type: 'redacted_thinking', data: 'RW5j' }, text('hi')]),
      result('hi'),
    ])
    expect(textStory(events)).toEqual(['block hi', 'completed hi'])
    expect(noticesOf(events)).toEqual([])
  })

  test('F04: no thinking at all is legal', async () => {
    expect(completionOf(await eventsOf([assistant('m1', [text('4')]), result('4')])).status).toBe('success')
  })

  test('G01: a sub-agent is never the answer, not even where there is no other', async () => {
    const report = assistant('m9', [text('private report')], { parent_tool_use_id: 't9' })
    const events = await eventsOf([report, assistant('m1', [text('summary')]), result('summary')])
    expect(textStory(events)).toEqual([
      'block@t9 private report',
      'completed@t9 private report',
      'block summary',
      'completed summary',
    ])
    expect(completionOf(await eventsOf([report, result('')])).text).toBe('')
  })

  test("G03: a sub-agent's deltas stay out of the main text", async () => {
    const events = await eventsOf([
      textDelta(0, 'child', 't9'),
      delta(0, { type: 'thinking_delta', thinking: 'hm' }, 't8'),
      textDelta(0, 'main'),
      result('main'),
    ])
    expect(completionOf(events).text).toBe('main')
    expect(textStory(events)).toContain('delta@t9 child')
  })

  test("G04: a sub-agent's tokens are not the main loop's", async () => {
    const spends = (id: string, input: number, output: number, from: string | null) => {
      const record = assistant(id, [text(id)], { parent_tool_use_id: from })
      return {
        ...record,
        message: { ...record.message, usage: { input_tokens: input, output_tokens: output } },
      }
    }
    const events = await eventsOf([spends('m9', 900, 90, 't9'), spends('m10', 10, 1, null)])
    expect(lastUsage(events)).toMatchObject({ inputTokens: 10, outputTokens: 1 })
  })
})
