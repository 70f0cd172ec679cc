import type { Adapter } from '../adapters/adapter.ts'
import type { AgentEvent } from '../protocol/events.ts'
import type { WireOptions } from '../protocol/wire.ts'
import { type Recorded, recorded } from '../run/recorded.ts'
import type { RecordedExit } from '../run/recorded-turn.ts'

export const cleanExit: RecordedExit = { exitCode: 0, signal: null }

/** What decides the events of a recording besides its bytes. */
export interface ReplaySetting {
  adapter: Adapter
  /** Default 'structured'. */
  transport?: 'structured' | 'live'
  exit?: RecordedExit
  options?: WireOptions
  cliVersion?: string | undefined
}

/** A recording in this setting, whose first byte is yet to come. */
export function recordedIn({ adapter, transport = 'structured', cliVersion }: ReplaySetting): Recorded {
  return recorded(adapter, transport, { now: () => 0, cliVersion })
}

/** `replay` without waiting: for suites that replay a recording thousands of times. */
export function replayNow(setting: ReplaySetting, chunks: Iterable<Uint8Array>): AgentEvent[] {
  const turn = recordedIn(setting)
  const events = [...turn.start(setting.options)]
  for (const chunk of chunks) events.push(...turn.push(chunk))
  events.push(...turn.end(setting.exit ?? cleanExit))
  return events
}

/** The same, line by line, with the number (from 1) of the line that each event came from; 0 before the first. */
export function replayByLine(
  setting: ReplaySetting,
  stdout: Uint8Array,
): { events: AgentEvent[]; lineOf: number[] } {
  const turn = recordedIn(setting)
  const events = [...turn.start(setting.options)]
  const lineOf = events.map(() => 0)
  const take = (line: number, more: AgentEvent[]) => {
    for (const event of more) {
      events.push(event)
      lineOf.push(line)
    }
  }
  let line = 0
  for (const chunk of linesOf(stdout)) take(++line, turn.push(chunk))
  take(line, turn.end(setting.exit ?? cleanExit))
  return { events, lineOf }
}

/** The lines of a recording, each with its LF. */
export function linesOf(stdout: Uint8Array): Uint8Array[] {
  const lines: Uint8Array[] = []
  for (let start = 0; start < stdout.length; ) {
    const found = stdout.indexOf(0x0a, start)
    const stop = found === -1 ? stdout.length : found + 1
    lines.push(stdout.subarray(start, stop))
    start = stop
  }
  return lines
}

/** One text per event, without what may differ between two replays of the same bytes: `at`, `durationMs`, the byte count. */
export function comparable(events: readonly AgentEvent[]): string[] {
  return events.map((event) =>
    JSON.stringify(
      event.type === 'completion'
        ? { ...event, at: 0, durationMs: 0, ledger: { ...event.ledger, bytes: 0 } }
        : { ...event, at: 0 },
    ),
  )
}

/** Where two lists of events part, in a few words; undefined where they do not. */
export function firstDifference(actual: readonly string[], expected: readonly string[]): string | undefined {
  for (let index = 0; index < Math.max(actual.length, expected.length); index++) {
    if (actual[index] === expected[index]) continue
    const excerpt = (text = 'nothing') => (text.length > 300 ? `${text.slice(0, 300)}…` : text)
    return `event ${index} is ${excerpt(actual[index])}, not ${excerpt(expected[index])}`
  }
  return undefined
}
