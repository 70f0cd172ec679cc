import { describe, expect, test } from 'vitest'
import {
  assistant,
  bash,
  blockStart,
  blockStop,
  completionOf,
  cut,
  eventsOf,
  init,
  jsonDelta,
  messageDelta,
  messageStart,
  messageStop,
  noticesOf,
  prompted,
  result,
  retry,
  said,
  synthetic,
  text,
  textDelta,
  textStory,
  toolResult,
  toolStory,
  toolUse,
} from './turn.ts'

describe('retraction', () => {
  test('an api_retry takes back what no record confirmed', async () => {
    const events = await eventsOf([init, ...cut('m1', 'Onc'), retry, ...said('m2', 'Twice'), result('Twice')])
    expect(textStory(events)).toEqual(['delta Onc', 'retracted Onc', 'delta Twice', 'completed Twice'])
    expect(completionOf(events)).toMatchObject({ status: 'success', text: 'Twice' })
  })

  test('a message_start without an api_retry does, too', async () => {
    const events = await eventsOf([init, ...cut('m1', 'Onc'), ...said('m2', 'Twice'), result('Twice')])
    expect(textStory(events)).toEqual(['delta Onc', 'retracted Onc', 'delta Twice', 'completed Twice'])
  })

  test('so does the record of a message that was asked for again without streaming', async () => {
    const events = await eventsOf([
      init,
      ...cut('m1', 'Onc'),
      assistant('m2', [text('Twice')]),
      result('Twice'),
    ])
    expect(textStory(events)).toEqual(['delta Onc', 'retracted Onc', 'block Twice', 'completed Twice'])
  })

  test('a block that a record confirmed before the cut stays', async () => {
    const events = await eventsOf([
      init,
      messageStart('m1'),
      blockStart(0, text('')),
      textDelta(0, 'Done.'),
      assistant('m1', [text('Done.')]),
      blockStop(0),
      blockStart(1, text('')),
      textDelta(1, 'mor'),
      ...said('m2', 'Other.'),
      result('Other.'),
    ])
    expect(textStory(events)).toEqual([
      'delta Done.',
      'completed Done.',
      'delta mor',
      'retracted mor',
      'delta Other.',
      'completed Other.',
    ])
  })

  test('a half-streamed tool call vanishes with its message', async () => {
    const events = await eventsOf([
      init,
      messageStart('m1'),
      blockStart(0, toolUse('t1', 'Bash')),
      jsonDelta(0, '{"comm'),
      blockStop(0),
      messageStop,
      retry,
      ...said('m2', 'Without it.'),
      result('Without it.'),
    ])
    expect(toolStory(events)).toEqual(['start t1 Bash', 'input t1 Bash +{"comm', 'end t1 Bash retracted'])
  })

  test('what was cut when the turn failed for good is interrupted, not lost', async () => {
    const events = await eventsOf([
      init,
      ...cut('m1', 'Onc'),
      synthetic('API Error: Connection error.'),
      result('API Error: Connection error.', { is_error: true }),
    ])
    expect(textStory(events)).toEqual(['delta Onc', 'interrupted Onc'])
    expect(completionOf(events)).toMatchObject({ status: 'error', text: 'Onc', error: { code: 'network' } })
  })

  test("only the same speaker's message_start takes back", async () => {
    const events = await eventsOf([
      init,
      messageStart('m1'),
      blockStart(0, text('')),
      textDelta(0, 'Ma'),
      messageStart('m9', {}, 't9'),
      textDelta(0, 'in'),
      assistant('m1', [text('Main')]),
      result('Main'),
    ])
    expect(textStory(events)).toEqual(['delta Ma', 'delta in', 'completed Main'])
  })
})

describe('continuation', () => {
  const goOn = prompted('Output token limit hit. Resume directly.')

  test.each([
    ['the token limit, with a synthetic user record (2.1.332)', 'max_tokens', [goOn]],
    ['the token limit, without a word (2.1.136)', 'max_tokens', []],
    ['the end of the context window (2.1.332)', 'model_context_window_exceeded', [goOn]],
  ])('after %s the next message carries on', async (_, limit, between) => {
    const events = await eventsOf([
      init,
      ...said('m1', 'The begin', limit),
      ...between,
      ...said('m2', 'ning.'),
      result('ning.', { stop_reason: 'end_turn' }),
    ])
    expect(textStory(events)).toEqual([
      'delta The begin',
      'completed The begin',
      'delta ning.',
      'completed ning. (continues message-1)',
    ])
    expect(completionOf(events)).toMatchObject({ status: 'success', text: 'The beginning.' })
  })

  test('after a cut behind a finished block it does, and the half-streamed tool call vanishes', async () => {
    const events = await eventsOf([
      init,
      messageStart('m1'),
      blockStart(0, text('')),
      textDelta(0, 'Half a sen'),
      assistant('m1', [text('Half a sen')]),
      blockStop(0),
      blockStart(1, toolUse('t1', 'Bash')),
      jsonDelta(1, '{'),
      messageStop,
      prompted('Your response above was cut off mid-stream. Resume directly from where it stops.'),
      ...said('m2', 'tence.'),
      result('tence.'),
    ])
    expect(completionOf(events).text).toBe('Half a sentence.')
    expect(toolStory(events).at(-1)).toBe('end t1 Bash retracted')
  })

  test('a continuation that was cut itself and asked for again still carries on', async () => {
    const events = await eventsOf([
      init,
      ...said('m1', 'The begin', 'max_tokens'),
      goOn,
      ...cut('m2', 'nin'),
      retry,
      ...said('m3', 'ning.'),
      result('ning.'),
    ])
    expect(completionOf(events).text).toBe('The beginning.')
  })

  test('an empty answer that is asked for again is no continuation', async () => {
    const events = await eventsOf([
      init,
      ...said('m1', 'I look.', 'tool_use'),
      assistant('m1', [bash]),
      toolResult('t1', 'a'),
      messageStart('m2'),
      messageDelta('end_turn'),
      messageStop,
      prompted('[Your previous response had no visible output.]'),
      ...said('m3', 'Late.'),
      result('Late.'),
    ])
    expect(textStory(events).at(-1)).toBe('completed Late.')
    expect(completionOf(events).text).toBe('Late.')
  })

  test('a token limit that ends the turn is max_output and keeps the text', async () => {
    const events = await eventsOf([
      init,
      ...said('m1', 'The begin', 'max_tokens'),
      synthetic("API Error: Claude's response exceeded the 64000 output token maximum."),
      result("API Error: Claude's response exceeded the 64000 output token maximum.", { is_error: true }),
    ])
    expect(completionOf(events)).toMatchObject({
      status: 'error',
      stopReason: 'max_tokens',
      text: 'The begin',
      error: { code: 'max_output' },
    })
    expect(noticesOf(events)).toEqual(['api_error'])
  })
})
