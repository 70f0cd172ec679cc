import { describe, expect, it } from 'vitest'
import type { WireEvent } from '../../src/protocol/events.ts'
import { TextRuns } from '../../src/protocol/text-runs.ts'

function texts() {
  const events: string[] = []
  const runs = new TextRuns((event: WireEvent) => {
    if (event.type === 'delta')
      events.push(`${event.messageId} ${event.contentDelta ? '+' : '='}${event.text}`)
    if (event.type === 'message') {
      events.push(
        `${event.messageId} ${event.status} ${event.text}${event.continues ? ` <${event.continues}` : ''}`,
      )
    }
  })
  return { runs, events }
}

describe('a run of text', () => {
  it('is streamed, then said whole', () => {
    const { runs, events } = texts()
    const run = runs.open()
    runs.append(run, 'Al')
    runs.append(run, '')
    runs.append(run, 'l.')
    runs.complete(run, 'All.')
    expect(events).toEqual(['message-1 +Al', 'message-1 +l.', 'message-1 completed All.'])
    expect(runs.answer).toBe('All.')
  })

  it('gets what was not streamed of it', () => {
    const { runs, events } = texts()
    const run = runs.open()
    runs.append(run, 'Al')
    runs.complete(run, 'All well.')
    expect(events).toEqual(['message-1 +Al', 'message-1 +l well.', 'message-1 completed All well.'])
  })

  it('is one block where nothing was streamed', () => {
    const { runs, events } = texts()
    runs.complete(runs.open(), 'All well.')
    expect(events).toEqual(['message-1 =All well.', 'message-1 completed All well.'])
  })

  it('that differs in blanks around it alone stays as it was streamed', () => {
    const { runs, events } = texts()
    const run = runs.open()
    runs.append(run, '\nAll.\n')
    runs.complete(run, 'All.')
    expect(events).toEqual(['message-1 +\nAll.\n', 'message-1 completed \nAll.\n'])
  })

  it('that the CLI contradicts is retracted, and what it says is a run of its own', () => {
    const { runs, events } = texts()
    const run = runs.open()
    runs.append(run, 'Some')
    const replacement = runs.complete(run, 'Other.')
    expect(events).toEqual([
      'message-1 +Some',
      'message-1 retracted Some',
      'message-2 =Other.',
      'message-2 completed Other.',
    ])
    expect(replacement.messageId).toBe('message-2')
    expect(runs.answer).toBe('Other.')
  })

  it('meets its fate once', () => {
    const { runs, events } = texts()
    const run = runs.open()
    runs.append(run, 'a')
    runs.interrupt(run)
    runs.complete(run, 'b')
    runs.retract(run)
    expect(events).toEqual(['message-1 +a', 'message-1 interrupted a'])
  })

  it('without text says nothing at all', () => {
    const { runs, events } = texts()
    runs.complete(runs.open(), '')
    runs.retract(runs.open())
    expect(events).toEqual([])
    expect(runs.pending).toEqual([])
  })
})

describe('the answer is the last top-level message that is neither retracted nor empty', () => {
  const say = (runs: TextRuns, text: string, options = {}) => {
    const run = runs.open(options)
    runs.append(run, text)
    return runs.complete(run)
  }

  it('past blanks, retractions and sub-agents', () => {
    const { runs } = texts()
    say(runs, 'Yes.')
    say(runs, ' \n')
    say(runs, 'child', { parentToolId: 't' })
    const gone = runs.open()
    runs.append(gone, 'No.')
    runs.retract(gone)
    expect(runs.answer).toBe('Yes.')
    expect(runs.says('Yes.')).toBe(true)
    expect(runs.says('No.')).toBe(false)
  })

  it('with those that it continues, over several', () => {
    const { runs, events } = texts()
    const first = say(runs, 'Once upon')
    const second = say(runs, ' a time', { continues: first.messageId })
    say(runs, ' there was.', { continues: second.messageId })
    expect(runs.answer).toBe('Once upon a time there was.')
    expect(runs.says('Once upon a time')).toBe(true)
    expect(events.at(-1)).toBe('message-3 completed  there was. <message-2')
  })

  it('an interrupted one counts', () => {
    const { runs } = texts()
    const run = runs.open()
    runs.append(run, 'Half a')
    runs.interrupt(run)
    expect(runs.answer).toBe('Half a')
  })
})
