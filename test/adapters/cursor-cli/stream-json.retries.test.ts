import { describe, expect, test } from 'vitest'
import {
  completed,
  completionOf,
  eventsOf,
  flush,
  fragment,
  init,
  lastFlush,
  noticeCodes,
  reconnected,
  reconnecting,
  result,
  retry,
  shell,
  shellDone,
  started,
  textStory,
} from './turn.ts'

describe('a retry', () => {
  const lost = [reconnecting, retry(true), reconnected]
  const rows: [string, object[], string[], string][] = [
    [
      'text cut by it and said again: the cut part is retracted as the new one begins',
      [
        fragment('The tide'),
        ...lost,
        fragment('The'),
        fragment(' tide'),
        fragment(' turns.'),
        lastFlush('The tide turns.'),
        result('The tide turns.'),
      ],
      [
        'delta The tide',
        'retracted The tide',
        'delta The',
        'delta  tide',
        'delta  turns.',
        'completed The tide turns.',
      ],
      'The tide turns.',
    ],
    [
      'text cut by it and said otherwise',
      [fragment('Let me'), ...lost, fragment('I will.'), lastFlush('I will.'), result('I will.')],
      ['delta Let me', 'retracted Let me', 'delta I will.', 'completed I will.'],
      'I will.',
    ],
    [
      'the result may glue the abandoned part in',
      [fragment('The'), ...lost, fragment('The tide'), lastFlush('The tide'), result('TheThe tide')],
      ['delta The', 'retracted The', 'delta The tide', 'completed The tide'],
      'The tide',
    ],
    [
      'a flush before it does not double',
      [
        fragment('The'),
        fragment(' tide'),
        fragment('The tide'),
        ...lost,
        fragment('The tide'),
        lastFlush('The tide'),
        result('The tide'),
      ],
      ['delta The', 'delta  tide', 'retracted The tide', 'delta The tide', 'completed The tide'],
      'The tide',
    ],
    [
      'a lost connection without a retry goes on in the same text',
      [fragment('The'), reconnecting, reconnected, fragment(' tide'), lastFlush(' tide'), result('The tide')],
      ['delta The', 'delta  tide', 'completed The tide'],
      'The tide',
    ],
    [
      'nothing more is said: what was said stands if the result says it, too',
      [fragment('Done.'), ...lost, result('Done.')],
      ['delta Done.', 'completed Done.'],
      'Done.',
    ],
    [
      'nothing more is said, and the result does not say it: retracted',
      [
        flush('First.'),
        started('c1', shell),
        completed('c1', shellDone),
        fragment('Do'),
        ...lost,
        result('First.'),
      ],
      ['block First.', 'completed First.', 'delta Do', 'retracted Do'],
      'First.',
    ],
    [
      'segments before it that are said again do not double',
      [
        flush('First.'),
        started('c1', shell),
        completed('c1', shellDone),
        retry(false),
        flush('First.'),
        started('c1', shell),
        completed('c1', shellDone),
        lastFlush('Last.'),
        result('First.Last.'),
      ],
      ['block First.', 'completed First.', 'block Last.', 'completed Last.'],
      'Last.',
    ],
  ]
  test.each(rows)('%s', async (_, records, story, answer) => {
    const events = await eventsOf([init, ...records])
    expect(textStory(events)).toEqual(story)
    expect(completionOf(events)).toMatchObject({ status: 'success', text: answer })
    expect(noticeCodes(events).filter((code) => code === 'text_mismatch')).toEqual([])
  })

  test('a call that began before it and never ended is retracted once the turn ends well', async () => {
    const events = await eventsOf([
      init,
      started('c1', shell),
      ...lost,
      started('c2', shell),
      completed('c2', shellDone),
      lastFlush('ok'),
      result('ok'),
    ])
    const ends = events.flatMap((event) =>
      event.type === 'tool' && event.phase === 'end' ? [`${event.toolId} ${event.status}`] : [],
    )
    expect(ends).toEqual(['c2 completed', 'c1 retracted'])
  })

  test('a call that is said again is one call', async () => {
    const events = await eventsOf([
      init,
      started('c1', shell),
      completed('c1', shellDone),
      retry(false),
      started('c1', shell),
      completed('c1', shellDone),
      lastFlush('ok'),
      result('ok'),
    ])
    expect(events.filter((event) => event.type === 'tool' && event.phase === 'start')).toHaveLength(1)
  })

  test('is told, with its attempt', async () => {
    const events = await eventsOf([init, ...lost, { ...retry(true), subtype: 'resuming' }, result('')])
    expect(
      events.flatMap((event) => (event.type === 'notice' ? [`${event.level} ${event.message}`] : [])),
    ).toEqual([
      'warning The CLI lost its connection (attempt 1).',
      'warning The CLI tries again from its last checkpoint (attempt 1).',
      'info The CLI is connected again.',
      'warning The CLI tries again from its last checkpoint (attempt 1).',
      'warning The turn ended well, but without any text.',
    ])
  })
})
