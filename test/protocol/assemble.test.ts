import { describe, expect, it } from 'vitest'
import { type AgentEvent, agentEventSchema, assembleText } from '../../src/index.ts'

function events(...list: object[]): AgentEvent[] {
  return list.map((event, seq) => agentEventSchema.parse({ seq, at: 1, adapter: 'hand-made', ...event }))
}
const delta = (messageId: string, text: string, more = {}) => ({
  type: 'delta',
  messageId,
  text,
  contentDelta: true,
  ...more,
})
const message = (messageId: string, text: string, more = {}) => ({
  type: 'message',
  messageId,
  text,
  status: 'completed',
  ...more,
})

describe('assembleText gives what a reader should see', () => {
  const rows: [string, object[], string][] = [
    ['nothing', [], ''],
    ['fragments, joined with nothing', [delta('a', 'Al'), delta('a', 'l.'), message('a', 'All.')], 'All.'],
    ['messages, joined with a blank line', [message('a', 'One.'), message('b', 'Two.')], 'One.\n\nTwo.'],
    [
      'a continuation without a seam',
      [
        message('a', 'Once'),
        message('b', ' upon', { continues: 'a' }),
        message('c', ' a', { continues: 'b' }),
      ],
      'Once upon a',
    ],
    [
      'nothing that was retracted',
      [delta('a', 'No'), message('a', 'No', { status: 'retracted' }), message('b', 'Yes.')],
      'Yes.',
    ],
    [
      'the rest of what continued a retracted one',
      [message('a', 'No', { status: 'retracted' }), message('b', 'Yes.', { continues: 'a' })],
      'Yes.',
    ],
    ['no sub-agent', [message('a', 'child', { parentToolId: 't' }), message('b', 'Yes.')], 'Yes.'],
    ['no blanks', [message('a', ' \n'), message('b', 'Yes.')], 'Yes.'],
    ['a turn that still runs', [message('a', 'One.'), delta('b', 'Tw')], 'One.\n\nTw'],
    [
      'runs in the order in which they began',
      [delta('a', 'One.'), delta('b', 'Two.'), message('b', 'Two.'), message('a', 'One.')],
      'One.\n\nTwo.',
    ],
  ]
  it.each(rows)('%s', (_title, list, text) => {
    expect(assembleText(events(...list))).toBe(text)
  })
})
