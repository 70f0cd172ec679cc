import type { Adapter } from '../adapters/adapter.ts'
import type { WireOptions } from '../options/turn-options.ts'
import { composeCompletion } from '../protocol/completion.ts'
import type { AgentEvent } from '../protocol/events.ts'
import { WireReader } from '../protocol/wire-reader.ts'
import { Numbering } from './numbering.ts'

/** How a recorded process ended. */
export interface RecordedExit {
  exitCode: number | null
  signal: string | null
  stderr?: string | undefined
}

const stderrTailBytes = 64 * 1024

/** One turn fed by hand: bytes in, events out. Each method returns the events that it caused. */
export class RecordedTurn {
  readonly #numbering: Numbering
  readonly #reader: WireReader
  #ready: AgentEvent[] = []

  constructor(adapter: Adapter, options: { includeRaw?: boolean; now?: () => number } = {}) {
    this.#numbering = new Numbering(adapter.id, options)
    this.#reader = new WireReader(adapter.structured.wire(), (event, record) => {
      this.#ready.push(this.#numbering.number(event, record))
    })
  }

  start(options: WireOptions = {}): AgentEvent[] {
    this.#reader.start({ transport: 'structured', options })
    return this.#take()
  }

  push(chunk: Uint8Array): AgentEvent[] {
    this.#reader.push(chunk)
    return this.#take()
  }

  /** The CLI has said its last word, as far as its wire can tell. */
  get ended(): boolean {
    return this.#reader.ended
  }

  end({ exitCode, signal, stderr = '' }: RecordedExit): AgentEvent[] {
    const stderrTail = tail(stderr)
    const statement = this.#reader.end({ exitCode, signal, stderr: stderrTail })
    const completion = composeCompletion(statement, {
      credentialExposure: 'none',
      ledger: this.#reader.ledger,
      stderrTail,
      exitCode,
      signal,
      durationMs: 0,
    })
    this.#ready.push(this.#numbering.number(completion))
    return this.#take()
  }

  #take(): AgentEvent[] {
    const ready = this.#ready
    if (ready.length > 0) this.#ready = []
    return ready
  }
}

function tail(stderr: string): string {
  const bytes = Buffer.from(stderr)
  if (bytes.length <= stderrTailBytes) return stderr
  let start = bytes.length - stderrTailBytes
  while (((bytes[start] ?? 0) & 0xc0) === 0x80) start++
  return bytes.toString('utf8', start)
}
