import { createHash } from 'node:crypto'
import type { AgentEvent } from '../../protocol/events.ts'

/** A text longer than this stands in a snapshot by its beginning, its length and its hash. */
const longText = 2_000

/** The events of a fixture as its `.events.json` holds them: one per line, times as 0, long texts shortened. */
export function snapshotOf(events: readonly AgentEvent[]): string {
  const lines = events.map((event) =>
    JSON.stringify(
      event.type === 'completion' ? { ...event, at: 0, durationMs: 0 } : { ...event, at: 0 },
      (_key, value: unknown) => (typeof value === 'string' ? shortened(value) : value),
    ),
  )
  return `[\n${lines.join(',\n')}\n]\n`
}

function shortened(text: string): string {
  if (text.length <= longText) return text
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 16)
  return `${text.slice(0, 100)}… (${text.length} characters, sha256 ${hash})`
}
