import { asObject, asString } from './narrow.ts'
import type { Wire } from './wire.ts'

/** How recordings of both directions call the CLI's side. */
const fromCli: ReadonlySet<string> = new Set(['in', 'recv', 'received', 'stdout', 'server', 'agent'])

/**
 * The same wire for a recording of both directions, framed as {"dir","msg"}: it sees the CLI's records alone. A record without
 * a frame reaches it as it is.
 */
export function unframed(wire: Wire): Wire {
  return {
    start: (input) => wire.start(input),
    receive(record) {
      if (record.dir === undefined) return wire.receive(record)
      const direction = asString(record.dir)
      const message = asObject(record.msg)
      if (direction === undefined || message === undefined) return wire.receive(record)
      return fromCli.has(direction) ? wire.receive(message) : { events: [] }
    },
    plain: (line) => wire.plain?.(line),
    end: (exit) => wire.end(exit),
  }
}
