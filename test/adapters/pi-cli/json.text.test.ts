import { describe, expect, it } from 'vitest'
import { end, said, update } from './json-records.ts'
import { play } from './records.ts'

describe('text', () => {
  it('is not taken from message_start, which the first delta repeats', async () => {
    expect(
      await said([
        { type: 'message_start', message: { role: 'assistant', content: [{ type: 'text', text: 'Out' }] } },
        update({ type: 'text_start', contentIndex: 0 }),
        update({ type: 'text_delta', contentIndex: 0, delta: 'Out' }),
        update({ type: 'text_delta', contentIndex: 0, delta: 'put' }),
        end([{ type: 'text', text: 'Output' }]),
      ]),
    ).toEqual(['delta message-1 +Out', 'delta message-1 +put', 'message message-1 completed Output'])
  })

  it.each([
    [
      'what was not streamed of it is added',
      ['Out'],
      'Output',
      ['delta message-1 +Out', 'delta message-1 +put', 'message message-1 completed Output'],
    ],
    [
      'what was not streamed at all comes whole',
      [],
      'Output',
      ['delta message-1 =Output', 'message message-1 completed Output'],
    ],
    [
      'what contradicts the stream replaces it',
      ['Onto'],
      'Output',
      [
        'delta message-1 +Onto',
        'message message-1 retracted Onto',
        'delta message-2 =Output',
        'message message-2 completed Output',
      ],
    ],
  ])('of message_end is authoritative: %s', async (_name, deltas, whole, expected) => {
    expect(
      await said([
        ...deltas.map((delta) => update({ type: 'text_delta', contentIndex: 0, delta })),
        end([{ type: 'text', text: whole }]),
      ]),
    ).toEqual(expected)
  })

  it('of text_end counts where message_end has no content', async () => {
    expect(
      await said([
        update({ type: 'text_delta', contentIndex: 0, delta: 'Out' }),
        update({ type: 'text_end', contentIndex: 0, content: 'Output' }),
        end([]),
      ]),
    ).toEqual(['delta message-1 +Out', 'delta message-1 +put', 'message message-1 completed Output'])
  })

  it('keeps its provider id', async () => {
    const { events } = await play([
      update({ type: 'text_delta', contentIndex: 0, delta: 'Hi' }),
      {
        type: 'message_end',
        message: {
          role: 'assistant',
          content: [{ type: 'text', text: 'Hi' }],
          stopReason: 'stop',
          responseId: 'r9',
        },
      },
    ])
    expect(events.find((event) => event.type === 'message')).toMatchObject({ providerMessageId: 'r9' })
  })

  it('of a message that no message_end closed is interrupted when the next one begins', async () => {
    expect(
      await said([
        update({ type: 'text_delta', contentIndex: 0, delta: 'Half' }),
        { type: 'message_start', message: { role: 'assistant', content: [] } },
        update({ type: 'text_delta', contentIndex: 0, delta: 'Whole' }),
        end([{ type: 'text', text: 'Whole' }]),
      ]),
    ).toEqual([
      'delta message-1 +Half',
      'message message-1 interrupted Half',
      'delta message-2 +Whole',
      'message message-2 completed Whole',
    ])
  })
})

describe('thinking', () => {
  it.each([
    ['adds what was not streamed', ['Hm'], ['thinking thinking-1 +Hm', 'thinking thinking-1 +m.']],
    ['comes whole where nothing was streamed', [], ['thinking thinking-1 =Hmm.']],
  ])('that ends %s', async (_name, deltas, expected) => {
    expect(
      await said([
        ...deltas.map((delta) => update({ type: 'thinking_delta', contentIndex: 0, delta })),
        update({ type: 'thinking_end', contentIndex: 0, content: 'Hmm.' }),
        end([{ type: 'thinking', thinking: 'Hmm.' }]),
      ]),
    ).toEqual(expected)
  })
})
