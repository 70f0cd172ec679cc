import type { AgentEvent } from '../protocol/events.ts'

const envelopeBytes = 200

/** About how much memory an event takes; a bound needs no more. */
export function eventSize(event: AgentEvent): number {
  switch (event.type) {
    case 'delta':
    case 'thinking':
    case 'message':
      return envelopeBytes + event.text.length + sizeOf(event.raw)
    default:
      return envelopeBytes + sizeOf(event)
  }
}

function sizeOf(value: unknown, depth = 0): number {
  if (typeof value === 'string') return 16 + value.length
  if (typeof value !== 'object' || value === null) return 8
  if (depth > 20) return 64
  let size = 16
  for (const each of Object.values(value)) size += 16 + sizeOf(each, depth + 1)
  return size
}
