import type { Adapter } from '../adapters/adapter.ts'
import type { AgentEvent } from '../protocol/events.ts'
import type { WireOptions } from '../protocol/wire.ts'
import { RecordedSession } from './recorded-session.ts'
import { type RecordedExit, RecordedTurn, type RecordedTurnOptions } from './recorded-turn.ts'

/** A recording on its way to events: bytes in, events out. Each method returns the events that it caused. */
export interface Recorded {
  start(options?: WireOptions): AgentEvent[]
  push(chunk: Uint8Array): AgentEvent[]
  /** The CLI has said its last word, as far as its wire can tell. */
  readonly ended: boolean
  end(exit: RecordedExit): AgentEvent[]
}

/** For a recording of this transport. 'live' throws AgentError `unsupported` where the adapter has none. */
export function recorded(
  adapter: Adapter,
  transport: 'structured' | 'live',
  options?: RecordedTurnOptions,
): Recorded {
  return transport === 'live' || adapter.liveOnly
    ? new RecordedSession(adapter, options)
    : new RecordedTurn(adapter, options)
}
