import type { Adapter } from '../adapters/adapter.ts'
import { AgentError } from '../errors.ts'
import { type Stop, wireFault } from '../protocol/completion.ts'
import type { AgentEvent, WireEvent } from '../protocol/events.ts'
import { exitNotice } from '../protocol/exit-notice.ts'
import { unframed } from '../protocol/framed.ts'
import { emptyLedger, ledgerSince } from '../protocol/ledger.ts'
import type { JsonObject } from '../protocol/narrow.ts'
import type { CompletionStatement, Ledger } from '../protocol/outcome.ts'
import type { WireOptions } from '../protocol/wire.ts'
import { WireReader } from '../protocol/wire-reader.ts'
import { Publisher } from './publish.ts'
import type { RecordedExit, RecordedTurnOptions } from './recorded-turn.ts'
import { refusalOf } from './refusal.ts'
import { StderrTail, withoutEscapes } from './stderr-tail.ts'
import { type ToolWatch, watchTools } from './tool-watch.ts'

type Said = Exclude<WireEvent, CompletionStatement>

/** A turn of the recording: the open one, or the last one until it is known that nothing more belongs to it. */
interface TurnSoFar {
  publisher: Publisher
  /** Where the ledger stood when it began. */
  before: Ledger
  /** The turn is over; `said` where the CLI said so. */
  over?: { statement: CompletionStatement | undefined }
  /** Of its tool policy. */
  violation?: Stop
}

const alive = { exitCode: null, signal: null }

/**
 * The turns of one live process fed by hand, each with its own numbers and completion. Notices that come after a turn's last
 * word are its own until the next turn begins, so the completion waits for that.
 */
export class RecordedSession {
  readonly #adapter: Adapter
  readonly #options: RecordedTurnOptions
  readonly #reader: WireReader
  readonly #watch: ToolWatch | undefined
  #turn: TurnSoFar | undefined
  #early: Said[] = []
  #ready: AgentEvent[] = []
  #fault: Stop | undefined
  /** The CLI took no turn, or none any more. */
  #refusal: Stop | undefined

  constructor(adapter: Adapter, options: RecordedTurnOptions = {}) {
    if (!adapter.live) {
      throw new AgentError('unsupported', `${adapter.id} has no live transport to replay.`, {
        hint: "Replay it with transport 'structured'.",
      })
    }
    this.#adapter = adapter
    this.#options = options
    const { tools } = options
    this.#watch =
      tools && watchTools({ adapter, policy: tools, projectServers: false }, (stop) => this.#violate(stop))
    this.#reader = new WireReader(
      unframed(adapter.live.wire()),
      (event, record) => this.#receive(event, record),
      {
        step: ({ failure }) => {
          if (failure) this.#refusal ??= refusalOf(failure)
        },
        complete: (statement) => this.#complete(statement),
        send: () => {},
      },
    )
  }

  start(options: WireOptions = {}): AgentEvent[] {
    const { cliVersion } = this.#options
    this.#guarded(() =>
      this.#reader.start({
        transport: 'live',
        // Whoever answered then is not here now.
        options: { interactions: 'host', ...options },
        ...(cliVersion !== undefined && { cliVersion }),
      }),
    )
    return this.#take()
  }

  push(chunk: Uint8Array): AgentEvent[] {
    if (!this.#fault) this.#guarded(() => this.#reader.push(chunk))
    return this.#take()
  }

  get ended(): boolean {
    return this.#turn?.over !== undefined
  }

  end({ exitCode, signal, stderr = '' }: RecordedExit): AgentEvent[] {
    const tail = new StderrTail()
    tail.push(Buffer.from(stderr))
    const stderrTail = tail.text()
    const hidden = this.#options.redactor?.tail(withoutEscapes(stderrTail)) ?? withoutEscapes(stderrTail)
    const exit = { exitCode, signal, stderr: hidden, ...(this.#fault && { stopped: true }) }
    this.#guarded(() => this.#reader.end(exit))
    const turn = this.#turn ?? this.#begin(emptyLedger)
    const notice = exitNotice(turn.over?.statement?.status, { exitCode, signal })
    if (notice) turn.publisher.publish(notice)
    this.#conclude(
      turn,
      { exitCode, signal },
      stderrTail,
      this.#fault ?? (turn.over ? undefined : this.#refusal),
    )
    return this.#take()
  }

  /** A tool outside of the policy ends its turn when it runs; here the rest of it is on record. */
  #violate(stop: Stop): void {
    if (this.#turn) this.#turn.violation ??= stop
  }

  #receive(event: Said, record: JsonObject | undefined): void {
    let turn = this.#turn
    if ((!turn || turn.over) && event.type !== 'notice') {
      turn = this.#begin(this.#ledgerBefore(record))
    }
    this.#watch?.(event)
    if (turn) turn.publisher.publish(event, record)
    else this.#early.push(event)
  }

  #complete(statement: CompletionStatement): void {
    const turn = this.#turn && !this.#turn.over ? this.#turn : this.#begin(this.#ledgerBefore(undefined))
    turn.over = { statement }
  }

  #begin(before: Ledger): TurnSoFar {
    if (this.#turn) this.#conclude(this.#turn, alive, '', undefined, before)
    const { includeRaw = false, redactor, now } = this.#options
    const publisher = new Publisher({
      adapter: this.#adapter.id,
      includeRaw,
      redactor,
      ...(now && { now }),
      deliver: (event) => this.#ready.push(event),
    })
    const isFirst = this.#turn === undefined
    this.#turn = { publisher, before: isFirst ? emptyLedger : before }
    for (const event of this.#early.splice(0)) publisher.publish(event)
    return this.#turn
  }

  #conclude(
    { publisher, before, over, violation }: TurnSoFar,
    exit: { exitCode: number | null; signal: string | null },
    stderrTail: string,
    fault: Stop | undefined,
    until: Ledger = this.#reader.ledger,
  ): void {
    const ledger = ledgerSince(before, until)
    const facts = { credentialExposure: 'none' as const, ledger, stderrTail, ...exit, durationMs: 0 }
    this.#options.onStatement?.(over?.statement)
    publisher.complete(over?.statement, facts, fault ?? violation)
  }

  /** The record that begins a turn is that turn's. */
  #ledgerBefore(record: JsonObject | undefined): Ledger {
    const { ledger } = this.#reader
    return { ...ledger, records: ledger.records - (record ? 1 : 0) }
  }

  /** A wire that throws ends its session, as it would end a running one. */
  #guarded(act: () => void): void {
    try {
      act()
    } catch (error) {
      this.#fault ??= wireFault(error)
    }
  }

  #take(): AgentEvent[] {
    const ready = this.#ready
    if (ready.length > 0) this.#ready = []
    return ready
  }
}
