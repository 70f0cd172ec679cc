import { describe, expect, test } from 'vitest'
import {
  completed,
  eventsOf,
  flush,
  fragment,
  init,
  lastFlush,
  result,
  shell,
  shellDone,
  started,
  textStory,
  thinking,
} from './turn.ts'

const query = {
  type: 'interaction_query',
  subtype: 'request',
  query_type: 'webSearchRequestQuery',
  query: { id: 0, webSearchRequestQuery: { args: { searchTerm: 'tide', toolCallId: 'c9' } } },
  session_id: 's1',
  timestamp_ms: 1,
}
const approved = {
  ...query,
  subtype: 'response',
  query: undefined,
  response: { id: 0, webSearchRequestResponse: { approved: {} } },
}

describe('a flush says again what was streamed, and is told apart', () => {
  const rows: [string, object[], string[]][] = [
    [
      'by model_call_id, before a tool call',
      [fragment('Check'), fragment('ing.'), flush('Checking.'), started('c1', shell)],
      ['delta Check', 'delta ing.', 'completed Checking.'],
    ],
    [
      'by a missing timestamp, at the end',
      [fragment('A'), fragment('B'), lastFlush('AB'), result('AB')],
      ['delta A', 'delta B', 'completed AB'],
    ],
    [
      'by what follows, before a query: fields as of a fragment',
      [fragment('I '), fragment('search.'), fragment('I search.'), query, approved],
      ['delta I ', 'delta search.', 'completed I search.'],
    ],
    [
      'by what follows, before a tool call, too',
      [fragment('one'), fragment('one'), started('c1', shell)],
      ['delta one', 'completed one'],
    ],
    [
      'without partial output it is all there is',
      [
        flush('First.'),
        started('c1', shell),
        completed('c1', shellDone),
        lastFlush('Last.'),
        result('First.Last.'),
      ],
      ['block First.', 'completed First.', 'block Last.', 'completed Last.'],
    ],
    [
      'without partial output before a query it looks like a fragment, and is kept',
      [fragment('I search.'), query, approved, lastFlush('Found.'), result('I search.Found.')],
      ['delta I search.', 'completed I search.', 'block Found.', 'completed Found.'],
    ],
    [
      'equal neighbours are an answer',
      [fragment('ha'), fragment('ha'), lastFlush('haha'), result('haha')],
      ['delta ha', 'delta ha', 'completed haha'],
    ],
    [
      'equal neighbours with thinking after them are an answer',
      [fragment('ha'), fragment('ha'), thinking('hm'), fragment('!'), lastFlush('haha!'), result('haha!')],
      ['delta ha', 'delta ha', 'delta !', 'completed haha!'],
    ],
    [
      'three equal ones are an answer, too',
      [fragment('ha'), fragment('ha'), fragment('ha'), lastFlush('hahaha'), result('hahaha')],
      ['delta ha', 'delta ha', 'delta ha', 'completed hahaha'],
    ],
    [
      'both kinds of flush for one segment',
      [fragment('ha'), fragment('ha'), flush('ha'), started('c1', shell)],
      ['delta ha', 'completed ha'],
    ],
    [
      'a flush that says more than was streamed adds the rest',
      [fragment('A'), lastFlush('AB'), result('AB')],
      ['delta A', 'delta B', 'completed AB'],
    ],
    [
      'a flush that contradicts replaces',
      [fragment('wrong'), lastFlush('right'), result('right')],
      ['delta wrong', 'retracted wrong', 'block right', 'completed right'],
    ],
    [
      'a last flush of a segment that is over says nothing new',
      [
        fragment('A'),
        flush('A'),
        started('c1', shell),
        completed('c1', shellDone),
        lastFlush('A'),
        result('A'),
      ],
      ['delta A', 'completed A'],
    ],
    [
      'the same words in two segments are said twice',
      [
        flush('Again.'),
        started('c1', shell),
        completed('c1', shellDone),
        flush('Again.'),
        started('c2', shell),
        completed('c2', shellDone),
        result('Again.Again.'),
      ],
      ['block Again.', 'completed Again.', 'block Again.', 'completed Again.'],
    ],
    [
      'an end of a call in mid-text does not break the text',
      [
        started('c1', shell),
        fragment('A '),
        completed('c1', shellDone),
        fragment('B'),
        lastFlush('A B'),
        result('A B'),
      ],
      ['delta A ', 'delta B', 'completed A B'],
    ],
    [
      'a tool call without any flush ends the segment',
      [fragment('A'), started('c1', shell), completed('c1', shellDone), fragment('B'), result('AB')],
      ['delta A', 'completed A', 'delta B', 'completed B'],
    ],
  ]
  test.each(rows)('%s', async (_, records, story) => {
    expect(
      textStory(await eventsOf([init, ...records])).filter((line) => !line.startsWith('interrupted')),
    ).toEqual(story)
  })

  test('several content blocks are one text', async () => {
    const record = {
      ...lastFlush(''),
      message: {
        role: 'assistant',
        content: [
          { type: 'text', text: 'A' },
          { type: 'text', text: 'B' },
        ],
      },
    }
    expect(textStory(await eventsOf([init, record, result('AB')]))).toEqual(['block AB', 'completed AB'])
  })

  test('a repeat that the stream was cut after is a fragment', async () => {
    expect(textStory(await eventsOf([init, fragment('ha'), fragment('ha')]))).toEqual([
      'delta ha',
      'delta ha',
      'interrupted haha',
    ])
  })
})
