import { describe, expect, it } from 'vitest'
import { Transcript } from '../../src/protocol/transcript.ts'

const clean = { exitCode: 0, signal: null, stderr: '' }

function completionOf(transcript: Transcript, exit = clean) {
  const { events } = transcript.end(exit)
  return { completion: events.at(-1), events: events.slice(0, -1) }
}

describe('the end', () => {
  it('settles what is open: completed after a good end, interrupted otherwise', () => {
    for (const [verdict, status] of [
      [{ detail: 'bye' }, 'completed'],
      [undefined, 'interrupted'],
    ] as const) {
      const transcript = new Transcript()
      transcript.text.append(transcript.text.open(), 'Half')
      transcript.tools.start('a', { name: 'shell', kind: 'execute' })
      transcript.step()
      transcript.conclude(verdict)
      const { events } = completionOf(transcript)
      expect(events).toMatchObject([
        { type: 'tool', phase: 'end', status: 'interrupted' },
        { type: 'message', text: 'Half', status },
      ])
    }
  })

  it('a stop from outside interrupts what is open, also after the last word', () => {
    const transcript = new Transcript()
    transcript.text.append(transcript.text.open(), 'Half')
    transcript.step()
    transcript.conclude({ detail: 'bye' })
    expect(transcript.end({ ...clean, stopped: true }).events[0]).toMatchObject({ status: 'interrupted' })
  })

  const notices: [string, object, { exitCode: number | null; signal: string | null }, string[]][] = [
    ['a bad exit after a good end', {}, { exitCode: 1, signal: null }, ['exit_after_success']],
    ['a signal after a good end', {}, { exitCode: null, signal: 'SIGTERM' }, ['exit_after_success']],
    ['a CLI that lingered and was ended', { lingered: true }, { exitCode: null, signal: 'SIGTERM' }, []],
  ]
  it.each(notices)('%s: success, with a notice if it is odd', (_title, more, how, codes) => {
    const transcript = new Transcript()
    transcript.text.complete(transcript.text.open(), 'Done.')
    transcript.step()
    transcript.conclude({ detail: 'bye' })
    const { events } = transcript.end({ stderr: '', ...how, ...more })
    expect(events.at(-1)).toMatchObject({ status: 'success', text: 'Done.' })
    expect(events.flatMap((event) => (event.type === 'notice' ? [event.code] : []))).toEqual(codes)
  })

  it('a good end without text is a success that says so', () => {
    const transcript = new Transcript()
    transcript.conclude({ detail: 'bye' })
    const { completion, events } = completionOf(transcript)
    expect(completion).toMatchObject({ status: 'success', text: '' })
    expect(events).toMatchObject([{ type: 'notice', code: 'empty_answer' }])
  })

  it('a cost is never told beside the usage of a whole conversation', () => {
    const transcript = new Transcript()
    transcript.usage({ basis: 'conversation', inputTokens: 720 })
    transcript.cost(0.5)
    const { completion } = completionOf(transcript)
    expect(completion).toMatchObject({ usage: { basis: 'conversation' } })
    expect(completion).not.toHaveProperty('costUsd')
  })

  it('a verdict can be replaced, and taken back', () => {
    const transcript = new Transcript()
    transcript.conclude({ detail: 'first', failure: { code: 'overloaded', message: 'Busy.' } })
    transcript.conclude({ detail: 'second' })
    expect(completionOf(transcript).completion).toMatchObject({
      status: 'success',
      evidence: { detail: 'second' },
    })
    const other = new Transcript()
    other.conclude({ detail: 'first' })
    other.conclude(undefined)
    expect(completionOf(other).completion).toMatchObject({ status: 'error', error: { code: 'protocol' } })
  })
})

describe('what was said', () => {
  it('the session, once', () => {
    const transcript = new Transcript()
    const session = { transport: 'structured', origin: 'new' } as const
    transcript.session({ sessionId: 'a', ...session })
    transcript.session({ sessionId: 'b', ...session })
    expect(transcript.step().events).toMatchObject([{ type: 'session', sessionId: 'a' }])
    expect(transcript.sessionId).toBe('b')
  })

  it('usage, only when it changes', () => {
    const transcript = new Transcript()
    transcript.usage({ basis: 'turn', inputTokens: 1 })
    transcript.usage({ basis: 'turn', inputTokens: 1 })
    transcript.usage({ basis: 'turn', inputTokens: 2 })
    expect(transcript.step().events).toHaveLength(2)
  })

  it('a notice as JSON carries it: no undefined detail, no empty message', () => {
    const transcript = new Transcript()
    transcript.notice('info', 'retry', '', { attempt: 1, delayMs: undefined })
    const [event] = transcript.step().events
    expect(event).toEqual({
      type: 'notice',
      level: 'info',
      code: 'retry',
      message: 'retry',
      details: { attempt: 1 },
    })
    expect(Object.keys(Object(event && 'details' in event && event.details))).toEqual(['attempt'])
  })

  it('thinking in runs: a fragment joins the open one, text or a tool of the same speaker ends it', () => {
    const transcript = new Transcript()
    transcript.thinking('a', true)
    transcript.thinking('b', true)
    transcript.thinking('other', true, 't')
    transcript.text.append(transcript.text.open(), 'x')
    transcript.thinking('c', true)
    transcript.thinking('more', true, 't')
    transcript.thinking('block', false)
    transcript.thinking('', true)
    const runs = transcript
      .step()
      .events.flatMap((event) => (event.type === 'thinking' ? [`${event.messageId} ${event.text}`] : []))
    expect(runs).toEqual([
      'thinking-1 a',
      'thinking-1 b',
      'thinking-2 other',
      'thinking-3 c',
      'thinking-2 more',
      'thinking-4 block',
    ])
  })

  it('a step without events is one and the same, so that a silent record costs nothing', () => {
    const transcript = new Transcript()
    expect(transcript.step()).toBe(transcript.step())
  })
})

it('a notice is plain JSON: what is undefined in its details was not said', () => {
  const transcript = new Transcript()
  transcript.notice('info', 'retry', 'Again.', { attempt: 1, status: undefined })
  expect(transcript.step().events).toStrictEqual([
    { type: 'notice', level: 'info', code: 'retry', message: 'Again.', details: { attempt: 1 } },
  ])
})
