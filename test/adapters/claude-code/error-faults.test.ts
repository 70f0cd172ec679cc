import { describe, expect, test } from 'vitest'
import {
  assistant,
  blockStart,
  completionOf,
  eventsOf,
  failed,
  messageStart,
  result,
  retry,
  said,
  text,
  textDelta,
  textStory,
  toolStory,
  toolUse,
} from './turn.ts'

describe('faults from the field: errors', () => {
  test('C01: an answer about 401 and invalid keys is an answer', async () => {
    const words = 'Docs: 401 Unauthorized means login required. Invalid API key.'
    const events = await eventsOf([assistant('m1', [text(words)]), result(words)])
    expect(completionOf(events)).toMatchObject({ status: 'success', text: words })
  })

  test.each([
    ['Claude AI usage limit reached|1762952400', { code: 'usage_limit', retryAt: 1_762_952_400_000 }],
    ['Claude AI usage limit reached|soon', { code: 'usage_limit' }],
  ])('C03: the old limit text: %s', async (words, expected) => {
    const { error } = completionOf(await eventsOf([failed(words)]))
    expect(error).toMatchObject(expected)
    expect(error && 'retryAt' in error).toBe('retryAt' in expected)
  })

  test('C04: the new limit text takes its time from the last rejected rate_limit_event', async () => {
    const words = "You've hit your session limit · resets 3:50pm (Asia/Tokyo)"
    const events = await eventsOf([
      {
        type: 'rate_limit_event',
        rate_limit_info: { status: 'rejected', resetsAt: 1_786_964_400, rateLimitType: 'five_hour' },
      },
      failed(words, { api_error_status: 429 }),
    ])
    expect(completionOf(events).error).toMatchObject({
      code: 'usage_limit',
      message: words,
      retryable: true,
      retryAt: 1_786_964_400_000,
    })
  })

  test('C09: an attempt that a retry replaced is retracted, and its tool call does not stay open', async () => {
    const events = await eventsOf([
      messageStart('m1'),
      blockStart(0, text('')),
      textDelta(0, 'Hel'),
      blockStart(1, toolUse('t1', 'Bash')),
      retry,
      ...said('m2', 'Hello'),
      result('Hello'),
    ])
    expect(textStory(events)).toEqual(['delta Hel', 'retracted Hel', 'delta Hello', 'completed Hello'])
    expect(toolStory(events)).toEqual(['start t1 Bash', 'end t1 Bash retracted'])
    expect(events).toContainEqual(
      expect.objectContaining({
        code: 'retry',
        details: expect.objectContaining({ attempt: 1, status: 529 }),
      }),
    )
    expect(completionOf(events).text).toBe('Hello')
  })

  test('C10: the reason stands among the telemetry', async () => {
    const only = (errors: string[]) =>
      eventsOf([{ type: 'result', subtype: 'error_during_execution', is_error: true, errors }])
    const diagnostic = '[ede_diagnostic] result_type=user'
    expect(completionOf(await only([diagnostic, 'Connection error.'])).error).toMatchObject({
      code: 'network',
      message: 'Connection error.',
    })
    expect(completionOf(await only([diagnostic])).error?.message).toBe(
      'claude ended the turn with error_during_execution, without a reason.',
    )
  })

  test('C13: an unknown id to resume is rejected, without an init before it', async () => {
    const reason = 'No conversation found with session ID: 22222222-2222-4222-8222-222222222222'
    const events = await eventsOf(
      [
        {
          type: 'result',
          subtype: 'error_during_execution',
          is_error: true,
          num_turns: 0,
          session_id: 's9',
          errors: [reason],
        },
      ],
      { resume: '22222222-2222-4222-8222-222222222222' },
      { exitCode: 1, signal: null, stderr: `${reason}\n` },
    )
    expect(events).toHaveLength(1)
    expect(completionOf(events)).toMatchObject({
      status: 'error',
      error: { code: 'resume_rejected', message: reason },
    })
    expect(completionOf(events)).not.toHaveProperty('sessionId')
  })

  test('C12: a failure before the first record is told by stderr', async () => {
    const stderr = 'No conversation found with session ID: 2\n'
    const events = await eventsOf([], {}, { exitCode: 1, signal: null, stderr })
    expect(completionOf(events)).toMatchObject({
      error: { code: 'resume_rejected' },
      exitCode: 1,
      stderrTail: stderr,
    })
  })
})
