import { defineTool } from 'coxswain/bridge'
import { z } from 'zod'

/** A product: a harbour office with three berths. What an agent can do in it is these five tools, and nothing else. */
export function openHarbour() {
  const bookings = new Map()
  const notices = []
  const berths = ['north', 'east', 'south']
  const berth = z.enum(berths)

  const tools = [
    defineTool({
      name: 'list_berths',
      description: 'Every berth of the harbour, with the boat that has booked it.',
      input: z.object({}),
      annotations: { readOnlyHint: true },
      execute: () => berths.map((name) => ({ berth: name, boat: bookings.get(name) ?? null })),
    }),
    defineTool({
      name: 'tide_at',
      description: 'The height of the tide at a full hour of today, in metres.',
      input: z.object({ hour: z.int().min(0).max(23) }),
      output: z.object({ metres: z.number() }),
      annotations: { readOnlyHint: true },
      execute: ({ hour }) => ({
        metres: Math.round((2 + 1.5 * Math.sin((hour / 12.4) * 2 * Math.PI)) * 10) / 10,
      }),
    }),
    defineTool({
      name: 'book_berth',
      description: 'Books a free berth for a boat.',
      input: z.object({ berth, boat: z.string().min(1) }),
      execute: ({ berth: name, boat }) => {
        // The model reads this, and can choose another one.
        if (bookings.has(name)) throw new Error(`The berth ${name} is taken by ${bookings.get(name)}.`)
        bookings.set(name, boat)
        return `${boat} has the berth ${name}.`
      },
    }),
    defineTool({
      name: 'cancel_booking',
      description: 'Gives a booked berth free again.',
      input: z.object({ berth }),
      annotations: { destructiveHint: true },
      execute: ({ berth: name }) =>
        bookings.delete(name) ? `${name} is free.` : `${name} was free already.`,
    }),
    defineTool({
      name: 'post_notice',
      description: 'Puts a notice on the board at the quay.',
      input: z.object({ text: z.string().max(200) }),
      execute: ({ text }, { sessionId }) => {
        notices.push({ text, sessionId })
        return `${notices.length} on the board.`
      },
    }),
  ]
  return { tools, bookings, notices }
}
