import type { Turn } from '../../index.ts'
import type { Schema } from '../../options/schema-types.ts'
import type { AgentEvent, CompletionEvent } from '../../protocol/events.ts'
import { checkGuarantees } from '../../testing/guarantees.ts'

/** A turn from its first event to its last. */
export interface Watched {
  events: AgentEvent[]
  completion: CompletionEvent
  /** Milliseconds from `since` to the first thing that a person sees: text, thinking or a tool call. */
  firstSignalMs: number | undefined
  firstDeltaMs: number | undefined
  /** Between two events, from the first thing that a person sees on. */
  longestSilenceMs: number | undefined
}

const signals: ReadonlySet<string> = new Set(['delta', 'thinking', 'tool', 'message'])

/** @param since what `performance.now()` said when it was asked for */
export async function watch(
  turn: Turn<Schema>,
  since: number,
  during: (event: AgentEvent) => void = () => {},
): Promise<Watched> {
  const events: AgentEvent[] = []
  let firstSignal: number | undefined
  let firstDelta: number | undefined
  let last: number | undefined
  let silence: number | undefined
  for await (const event of turn) {
    const now = performance.now()
    events.push(event)
    if (signals.has(event.type)) firstSignal ??= now
    if (event.type === 'delta') firstDelta ??= now
    if (last !== undefined) silence = Math.max(silence ?? 0, now - last)
    if (firstSignal !== undefined) last = now
    during(event)
  }
  const from = (at: number | undefined) => (at === undefined ? undefined : Math.round(at - since))
  return {
    events,
    completion: await turn.completion,
    firstSignalMs: from(firstSignal),
    firstDeltaMs: from(firstDelta),
    longestSilenceMs: silence === undefined ? undefined : Math.round(silence),
  }
}

/** What is wrong with a turn that should have ended so. */
export function faultsOf(
  { events, completion }: Watched,
  wanted: CompletionEvent['status'] = 'success',
): string[] {
  const { status, error } = completion
  const why = error ? `/${error.code}: ${error.message}` : ''
  return [
    ...(status === wanted ? [] : [`the turn ended with ${status}${why}`]),
    ...checkGuarantees(events).map(({ guarantee, message }) => `guarantee ${guarantee}: ${message}`),
  ]
}

export function median(numbers: readonly number[]): number | undefined {
  const sorted = [...numbers].sort((a, b) => a - b)
  const middle = sorted[Math.floor((sorted.length - 1) / 2)]
  const next = sorted[Math.floor(sorted.length / 2)]
  return middle === undefined || next === undefined ? undefined : Math.round((middle + next) / 2)
}
