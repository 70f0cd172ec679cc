import { describe, expect, test } from 'vitest'
import { cursorCli } from '../../../src/adapters/cursor-cli.ts'
import { launchContext, launchOptions } from './launching.ts'
import {
  completed,
  completionOf,
  eventsOf,
  flush,
  fragment,
  init,
  lastFlush,
  result,
  started,
  textStory,
  toolStory,
} from './turn.ts'

/** What users of other tools reported of Cursor's CLI: each with an input of our own. The ids are those of the collection. */
describe('faults from the field', () => {
  test('B05: only the streaming output is used, never one that is silent until the end', () => {
    const { arguments: words } = cursorCli.structured.launch(launchOptions(), launchContext())
    expect(words.slice(0, 4)).toEqual([
      '--print',
      '--output-format',
      'stream-json',
      '--stream-partial-output',
    ])
  })

  test('C16: an exhausted capacity is a rate limit, not a spent quota', async () => {
    const events = await eventsOf([
      init,
      result('Connect error resource_exhausted: no capacity', { subtype: 'error', is_error: true }),
    ])
    expect(completionOf(events).error).toMatchObject({ code: 'rate_limit', retryable: true })
  })

  test('D04: a replay with model_call_id and timestamp_ms before a tool call does not double the paragraph', async () => {
    const events = await eventsOf([
      init,
      fragment('Weigh'),
      fragment('ing anchor.'),
      flush('Weighing anchor.'),
      started('c1', { readToolCall: { args: { path: '/w/chart' } } }),
    ])
    expect(textStory(events)).toEqual(['delta Weigh', 'delta ing anchor.', 'completed Weighing anchor.'])
  })

  test('D05: without partial output, that very record is the only copy of the text', async () => {
    const read = { readToolCall: { args: { path: '/w/chart' } } }
    const events = await eventsOf([
      init,
      flush('I look at the chart.'),
      started('c1', read),
      completed('c1', { readToolCall: { ...read.readToolCall, result: { success: { content: 'reef' } } } }),
      lastFlush('There is a reef.'),
      result('I look at the chart.There is a reef.'),
    ])
    expect(textStory(events)).toEqual([
      'block I look at the chart.',
      'completed I look at the chart.',
      'block There is a reef.',
      'completed There is a reef.',
    ])
    expect(completionOf(events).text).toBe('There is a reef.')
  })

  test("D07: the result's text is no further piece of the answer", async () => {
    const events = await eventsOf([init, lastFlush('Aye.'), result('Aye.')])
    expect(textStory(events)).toEqual(['block Aye.', 'completed Aye.'])
    expect(completionOf(events).text).toBe('Aye.')
  })

  test('E09: a tool is the key that ends in ToolCall, unknown ones pass, a rejection is no success', async () => {
    const events = await eventsOf([
      init,
      started('c1', { readToolCall: { args: { path: '/w/chart' } } }),
      completed('c1', { readToolCall: { result: { rejected: { reason: 'not yours' } } } }),
      started('c2', { raiseSailToolCall: { args: { sail: 'jib' } } }),
    ])
    expect(toolStory(events)).toEqual([
      'start read',
      'input read',
      'end read rejected',
      'start raiseSail',
      'input raiseSail',
      'end raiseSail interrupted',
    ])
  })

  test('E10: a call id with a newline in it is an id like any other', async () => {
    const id = 'call-harbour\nfc_0001'
    const shell = { shellToolCall: { args: { command: 'ls' } } }
    const done = {
      shellToolCall: { ...shell.shellToolCall, result: { success: { stdout: 'x', exitCode: 0 } } },
    }
    const events = await eventsOf([init, started(id, shell), completed(id, done)])
    expect(events.flatMap((event) => (event.type === 'tool' ? [event.toolId] : []))).toEqual([id, id, id])
    expect(toolStory(events)).toEqual(['start shell', 'input shell', 'end shell completed'])
  })

  test('F07: the end of a thought has no text, and says none', async () => {
    const thought = { type: 'thinking', session_id: 's1', timestamp_ms: 1 }
    const events = await eventsOf([
      init,
      { ...thought, subtype: 'delta', text: 'Reefing' },
      { ...thought, subtype: 'completed' },
    ])
    expect(events.flatMap((event) => (event.type === 'thinking' ? [event.text] : []))).toEqual(['Reefing'])
  })

  test('K17: the names of its credentials are part of what passes', () => {
    expect(cursorCli.credentials.flatMap((set) => set.variables)).toEqual([
      'CURSOR_API_KEY',
      'CURSOR_AUTH_TOKEN',
    ])
  })

  test('L05: a prompt that begins with "-" is no option', () => {
    const launch = cursorCli.structured.launch(
      launchOptions({ prompt: [{ type: 'text', text: '--- title: x' }] }),
      launchContext(),
    )
    expect(launch.stdin).toBe('--- title: x')
    expect(launch.arguments.filter((word) => word.includes('---'))).toEqual([])
  })

  test('O07: usage in camelCase is read, and none is none', async () => {
    const usage = { inputTokens: 8000, outputTokens: 120, cacheReadTokens: 500, cacheWriteTokens: 0 }
    expect(completionOf(await eventsOf([init, result('ok', { usage })])).usage).toEqual({
      basis: 'turn',
      inputTokens: 8500,
      cachedInputTokens: 500,
      cacheWriteTokens: 0,
      outputTokens: 120,
    })
    expect(completionOf(await eventsOf([init, result('ok')])).usage).toBeUndefined()
  })
})
