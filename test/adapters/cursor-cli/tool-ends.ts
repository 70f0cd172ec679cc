import { completed, eventsOf, init, result, started } from './turn.ts'

export const ok = result('')

/** The end of a call whose `completed` holds this. */
export async function endOf(tool: object) {
  const events = await eventsOf([init, started('c1', tool), completed('c1', tool), ok])
  const end = events.find((event) => event.type === 'tool' && event.phase === 'end')
  if (end?.type !== 'tool' || end.phase !== 'end') throw new Error('There is no end.')
  const { status, output, content, exitCode } = end
  return Object.fromEntries(
    Object.entries({ status, output, content, exitCode }).filter(([, value]) => value !== undefined),
  )
}
