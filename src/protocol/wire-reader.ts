import type { Exit } from './ending.ts'
import type { WireEvent } from './events.ts'
import { emptyLedger } from './ledger.ts'
import { LineSplitter } from './lines.ts'
import type { JsonObject } from './narrow.ts'
import type { CompletionStatement, CompletionStatus, Ledger } from './outcome.ts'
import { type Line, parseLine } from './records.ts'
import type { Step, Wire, WireCommand, WireStart } from './wire.ts'

/** Short lines, so that the records of a chunk are not all in memory at once. */
const linesAtOnce = 256

/** An event and the record that caused it, if a record did. */
export type Receive = (event: Exclude<WireEvent, CompletionStatement>, record: JsonObject | undefined) => void

/** What a process that listens does with the rest of a step. Without it a completion is kept back until the end. */
export interface LiveHandlers {
  /** Before the step's events. */
  step(step: Step): void
  /** A turn is over; the process may go on. */
  complete(statement: CompletionStatement): void
  send(record: object): void
}

/**
 * Feeds a wire with bytes and counts what came: the one way from stdout to events, for a live process and for a recording
 * alike. A completion that a structured wire states before the end is kept back until the end.
 */
export class WireReader {
  readonly ledger: Ledger = { ...emptyLedger }
  /** The CLI has said its last word. */
  ended = false
  readonly #wire: Wire
  readonly #receive: Receive
  readonly #live: LiveHandlers | undefined
  readonly #lines: LineSplitter
  #statement: CompletionStatement | undefined

  constructor(wire: Wire, receive: Receive, live?: LiveHandlers, lines = new LineSplitter()) {
    this.#wire = wire
    this.#receive = receive
    this.#live = live
    this.#lines = lines
  }

  start(input: WireStart): void {
    this.#take(this.#wire.start(input), undefined)
  }

  /** Tells a live wire something. */
  command(command: WireCommand): void {
    const step = this.#wire.command?.(command)
    if (step) this.#take(step, undefined)
  }

  push(chunk: Uint8Array): void {
    this.ledger.bytes += chunk.length
    this.#readLines(this.#lines.push(chunk))
  }

  /** The rest of stdout, then the exit. Returns what the wire states of the ending. */
  end(exit: Exit): CompletionStatement | undefined {
    this.#readLines(this.#lines.end())
    this.#take(this.#wire.end(exit), undefined)
    if (this.#statement) demandStatement(this.#statement)
    return this.#statement
  }

  /** Parses some lines and then reads them: in turn, line by line, each would push the other out of the processor's caches. */
  #readLines(lines: (string | undefined)[]): void {
    for (let start = 0; start < lines.length; start += linesAtOnce) {
      const stop = Math.min(start + linesAtOnce, lines.length)
      const parsed: (Line | 'oversized')[] = []
      for (let at = start; at < stop; at++) {
        const text = lines[at]
        parsed.push(text === undefined ? 'oversized' : parseLine(text))
      }
      let at = start
      for (const line of parsed) this.#readLine(line, lines[at++])
    }
  }

  #readLine(line: Line | 'oversized', text = ''): void {
    if (typeof line === 'object') {
      if (Array.isArray(line)) for (const record of line) this.#readRecord(record)
      else this.#readRecord(line)
      return
    }
    switch (line) {
      case 'not_object':
        this.ledger.records++
        this.ledger.unknown++
        this.#notice('info', 'unknown_record', 'A line held JSON that is no object.')
        break
      case 'invalid':
        this.ledger.invalid++
        this.#wire.plain?.(text)
        this.#notice('warning', 'line_invalid', `A line on stdout is no JSON: ${excerpt(text)}`)
        break
      case 'oversized':
        this.ledger.oversized++
        this.#notice(
          'error',
          'line_oversized',
          'A line past the line limit was dropped: what it said is lost.',
        )
        break
      case 'blank':
        break
    }
  }

  #readRecord(record: JsonObject): void {
    this.ledger.records++
    const step = this.#wire.receive(record)
    this.#take(step, record)
    if (saysNothing(step)) this.ledger.ignored++
  }

  #take(step: Step, record: JsonObject | undefined): void {
    demandStep(step)
    this.#live?.step(step)
    for (const event of step.events) {
      if (event.type === 'completion') {
        this.#conclude(event)
        continue
      }
      if (event.type === 'notice' && event.code === 'unknown_record') this.ledger.unknown++
      this.#receive(event, record)
    }
    if (step.ended !== undefined) this.ended = step.ended
    if (step.send && this.#live) for (const message of step.send) this.#live.send(message)
  }

  #conclude(statement: CompletionStatement): void {
    if (this.#live) {
      demandStatement(statement)
      this.#live.complete(statement)
      return
    }
    this.#statement = statement
    this.ended = true
  }

  #notice(level: 'info' | 'warning' | 'error', code: string, message: string): void {
    this.#receive({ type: 'notice', level, code, message }, undefined)
  }
}

function excerpt(line: string): string {
  const text = line.trim()
  return text.length > 200 ? `${text.slice(0, 200)}… (${text.length} characters)` : text
}

/** The wire may be a stranger's. What it gets wrong in one place would break something far from it. */
function demandStep(step: Step): void {
  if (Array.isArray(step?.events)) return
  if (!(step instanceof Promise)) throw new TypeError('a wire must return { events: [...] }')
  // Nobody waits for it, so nobody may be hurt by its failure.
  step.catch(() => {})
  throw new TypeError('a wire must not be async')
}

function demandStatement({ status, text, evidence, error }: CompletionStatement): void {
  const isWhole = statuses.has(status) && typeof text === 'string' && typeof evidence?.detail === 'string'
  if (!isWhole) throw new TypeError('a completion must have a status, a text and its evidence')
  if ((status === 'success') !== (error === undefined)) {
    throw new TypeError('a completion has an error exactly where its status is not success')
  }
}

const statuses: ReadonlySet<CompletionStatus> = new Set(['success', 'error', 'interrupted', 'timeout'])

/** The record that ends a turn has no event of its own either, but decides the completion. */
function saysNothing(step: Step): boolean {
  return step.events.length === 0 && step.send === undefined && step.ended === undefined
}
