import type { Adapter } from '../adapters/adapter.ts'
import type { ToolPolicy } from '../adapters/launch-options.ts'
import { type Stop, wireFault } from '../protocol/completion.ts'
import type { AgentEvent } from '../protocol/events.ts'
import type { CompletionStatement } from '../protocol/outcome.ts'
import type { Redactor } from '../protocol/redact.ts'
import type { Wire, WireOptions } from '../protocol/wire.ts'
import { WireReader } from '../protocol/wire-reader.ts'
import { Publisher } from './publish.ts'
import { StderrTail, withoutEscapes } from './stderr-tail.ts'
import { watchTools } from './tool-watch.ts'

/** How a recorded process ended. */
export interface RecordedExit {
  exitCode: number | null
  signal: string | null
  stderr?: string | undefined
}

export interface RecordedTurnOptions {
  includeRaw?: boolean
  redactor?: Redactor | undefined
  /** What the turn's tools were to be. */
  tools?: ToolPolicy | undefined
  now?: () => number
  /** The CLI's version, where it is known: some say different things in the same records. */
  cliVersion?: string | undefined
  /** Hears what the wire states of each completion, as it came, before the completion is given. */
  onStatement?: ((statement: CompletionStatement | undefined) => void) | undefined
}

/** In place of one that could not be made. */
const noWire: Wire = {
  start: () => ({ events: [] }),
  receive: () => ({ events: [] }),
  end: () => ({ events: [] }),
}

/** One turn fed by hand: bytes in, events out. Each method returns the events that it caused. */
export class RecordedTurn {
  readonly #publisher: Publisher
  readonly #reader: WireReader
  readonly #cliVersion: string | undefined
  readonly #redactor: Redactor | undefined
  readonly #onStatement: RecordedTurnOptions['onStatement']
  #ready: AgentEvent[] = []
  #fault: Stop | undefined

  constructor(adapter: Adapter, options: RecordedTurnOptions = {}) {
    const { includeRaw = false, redactor, now, cliVersion, tools, onStatement } = options
    this.#onStatement = onStatement
    this.#cliVersion = cliVersion
    this.#redactor = redactor
    this.#publisher = new Publisher({
      adapter: adapter.id,
      includeRaw,
      redactor,
      ...(now && { now }),
      deliver: (event) => this.#ready.push(event),
    })
    const wire = this.#guarded(() => adapter.structured.wire()) ?? noWire
    const watch =
      tools &&
      watchTools({ adapter, policy: tools, projectServers: false }, (stop) => {
        this.#fault ??= stop
      })
    this.#reader = new WireReader(wire, (event, record) => {
      watch?.(event)
      this.#publisher.publish(event, record)
    })
  }

  start(options: WireOptions = {}): AgentEvent[] {
    const cliVersion = this.#cliVersion === undefined ? {} : { cliVersion: this.#cliVersion }
    this.#guarded(() => this.#reader.start({ transport: 'structured', options, ...cliVersion }))
    return this.#take()
  }

  push(chunk: Uint8Array): AgentEvent[] {
    if (!this.#fault) this.#guarded(() => this.#reader.push(chunk))
    return this.#take()
  }

  /** The CLI has said its last word, as far as its wire can tell. */
  get ended(): boolean {
    return this.#reader.ended
  }

  end({ exitCode, signal, stderr = '' }: RecordedExit): AgentEvent[] {
    const tail = new StderrTail()
    tail.push(Buffer.from(stderr))
    const stderrTail = tail.text()
    const exit = {
      exitCode,
      signal,
      stderr: this.#redactor ? this.#redactor.tail(withoutEscapes(stderrTail)) : withoutEscapes(stderrTail),
      ...(this.#fault && { stopped: true }),
    }
    const statement = this.#guarded(() => this.#reader.end(exit))
    this.#onStatement?.(statement)
    this.#publisher.complete(
      statement,
      {
        credentialExposure: 'none',
        ledger: this.#reader.ledger,
        stderrTail,
        exitCode,
        signal,
        durationMs: 0,
      },
      this.#fault,
    )
    return this.#take()
  }

  /** A wire that throws ends its turn, as it would end a running one. */
  #guarded<T>(act: () => T): T | undefined {
    try {
      return act()
    } catch (error) {
      this.#fault ??= wireFault(error)
      return undefined
    }
  }

  #take(): AgentEvent[] {
    const ready = this.#ready
    if (ready.length > 0) this.#ready = []
    return ready
  }
}
