import type { Stop } from '../protocol/completion.ts'
import type { Failure } from '../protocol/ending.ts'
import type { WireEvent } from '../protocol/events.ts'
import type { JsonObject } from '../protocol/narrow.ts'
import type { CompletionStatement, Ledger } from '../protocol/outcome.ts'
import type { Steered, Step, Wire, WireCommand, WireStart } from '../protocol/wire.ts'
import { WireReader } from '../protocol/wire-reader.ts'
import { Attendance, type AttendedBudgets, type Tap } from './attend.ts'
import { type Child, type ChildCommand, startChild } from './child.ts'
import { Countdown } from './countdown.ts'
import { Deferred } from './deferred.ts'
import { TurnProcesses } from './processes.ts'
import { refusalOf } from './refusal.ts'
import { withoutEscapes } from './stderr-tail.ts'
import { guardAgainstHostDeath } from './watchdog.ts'
import { within } from './within.ts'

/** How long a CLI may take from its start to the end of its handshake. */
export const handshakeMs = 60_000

/** How long a CLI may owe an answer that a turn waits for: real ones take milliseconds. */
const answerMs = 10_000

/** What may wait for a CLI that does not read its stdin. */
const backlogBytes = 64 * 1024 * 1024

type Notice = Exclude<WireEvent, CompletionStatement>

/** The turn that a live process is at. */
export interface OpenTurn extends AttendedBudgets {
  receive(event: Notice, record: JsonObject | undefined): void
  complete(statement: CompletionStatement): void
  steered(receipt: Steered): void
  /** The consumer is slow. */
  isFull(): boolean
}

export interface LiveProcessOptions {
  /** What marks its processes. */
  id: string
  command: ChildCommand
  wire: Wire
  start: WireStart
  firstSignal: 'SIGINT' | 'SIGTERM'
  lingerMs: number
  tap?: Tap | undefined
  /** Everything on stderr, before anyone else has heard of it. */
  attachStderr?(child: Child): void
}

/** How a live process ended. */
export interface LiveEnd {
  exitCode: number | null
  signal: string | null
  stderrTail: string
  /** Processes that would not go. */
  left: number
  /** Why it could take no turn any more, where it was not simply closed. */
  stop: Stop | undefined
}

/** One process of a live transport, for one turn after the other. */
export class LiveProcess {
  readonly over: Promise<LiveEnd>
  readonly #options: LiveProcessOptions
  readonly #child: Child
  readonly #reader: WireReader
  readonly #attendance: Attendance
  readonly #ready = new Deferred<void>()
  #turn: OpenTurn | undefined
  #next: OpenTurn | undefined
  /** Notices that came while no turn was open. */
  #early: Notice[] = []
  #closing: Promise<void> | undefined
  #isOver = false
  #failure: Stop | undefined
  readonly #owed = new Countdown(answerMs, () => this.#giveUpAnswer())
  #isUnanswered = false

  /** Starts it. Throws AgentError where the child cannot be started. */
  static async start(options: LiveProcessOptions): Promise<LiveProcess> {
    return new LiveProcess(options, await startChild(options.command))
  }

  private constructor(options: LiveProcessOptions, child: Child) {
    this.#options = options
    this.#child = child
    const processes = new TurnProcesses(options.id, child.pid)
    const release = guardAgainstHostDeath(
      options.id,
      { pid: child.pid, startTime: processes.startTime },
      options.firstSignal,
    )
    this.#reader = new WireReader(options.wire, (event, record) => this.#receive(event, record), {
      step: (step) => this.#heed(step),
      complete: (statement) => this.#complete(statement),
      send: (record) => this.#send(record),
    })
    this.#attendance = new Attendance({
      child,
      processes,
      reader: this.#reader,
      budgets: {
        start: () => {},
        heard: () => this.#turn?.heard(),
        recorded: () => this.#turn?.recorded(),
        hold: (why) => this.#turn?.hold(why),
        release: (why) => this.#turn?.release(why),
        close: () => this.#turn?.close(),
      },
      lingerMs: options.lingerMs,
      firstSignal: options.firstSignal,
      isFull: () => this.#turn?.isFull() ?? false,
      tap: options.tap,
      onEnding: () => {},
    })
    options.attachStderr?.(child)
    this.over = this.#seeToTheEnd(release)
    this.#attendance.begin(options.start)
  }

  /**
   * Resolves when the CLI has answered the handshake; with why, where it did not.
   *
   * @param firstEventMs how long it may say nothing at all
   */
  async ready(firstEventMs = handshakeMs): Promise<Stop | undefined> {
    const answer = Promise.race([this.#ready.promise, this.over])
    if (!(await within(answer, firstEventMs)) && this.ledger.records === 0) {
      const message = `The CLI said nothing within ${firstEventMs} ms of its start.`
      this.#fail({ code: 'timeout', message })
    } else if (!(await within(answer, handshakeMs - firstEventMs))) {
      const message = `The CLI did not answer the handshake of its live protocol within ${handshakeMs / 1_000} s.`
      this.#fail({ code: 'timeout', message })
    }
    if (!this.#failure && !this.#isOver) return undefined
    const { exitCode, signal, stop } = await this.end()
    return fruitless(stop ?? deathBeforeWord(signal ?? `exit ${exitCode}`), signal)
  }

  /** A prompt can be taken. */
  get isAlive(): boolean {
    return !this.#isOver && this.#closing === undefined && this.#failure === undefined
  }

  get isRunning(): boolean {
    return this.#child.isRunning()
  }

  get ledger(): Ledger {
    return this.#reader.ledger
  }

  get stderrTail(): string {
    return this.#attendance.stderrTail
  }

  /** Everything that comes belongs to this turn from now on. */
  enter(turn: OpenTurn): void {
    this.#turn = turn
    for (const notice of this.#early.splice(0)) turn.receive(notice, undefined)
  }

  /** The CLI begins this turn by itself when the open one is over. */
  follow(turn: OpenTurn): void {
    this.#next = turn
  }

  leave(turn: OpenTurn): void {
    if (this.#turn === turn) this.#turn = undefined
    this.#attendance.resume()
  }

  /** The consumer has caught up. */
  resume(): void {
    this.#attendance.resume()
  }

  command(command: WireCommand): void {
    if (this.#isOver) return
    this.#attendance.guarded(() => this.#reader.command(command))
  }

  /** Asks the process to go by closing its stdin, and sees to it that it does. Resolves when nothing of it is left. */
  async close(): Promise<LiveEnd> {
    this.#closing ??= this.#askToGo()
    await this.#closing
    return this.over
  }

  /** Ends it without asking. */
  async end(): Promise<LiveEnd> {
    this.#closing ??= Promise.resolve()
    this.#attendance.end()
    return this.over
  }

  async #askToGo(): Promise<void> {
    this.#child.endInput()
    if (!(await within(this.#child.exited, this.#options.lingerMs))) this.#attendance.end()
  }

  async #seeToTheEnd(release: () => void): Promise<LiveEnd> {
    const { exitCode, signal, stderrTail, left } = await this.#attendance.over()
    release()
    this.#isOver = true
    this.#owed.clear()
    const exit = { exitCode, signal, stderr: withoutEscapes(stderrTail) }
    if (this.#isUnanswered) this.#attendance.conclude({ ...exit, lingered: true })
    else this.#attendance.conclude(this.#failure ? { ...exit, stopped: true } : exit)
    return { exitCode, signal, stderrTail, left, stop: this.#attendance.failure ?? this.#failure }
  }

  #receive(event: Notice, record: JsonObject | undefined): void {
    if (this.#turn) this.#turn.receive(event, record)
    else if (event.type === 'notice' && this.#early.length < 1_000) this.#early.push(event)
  }

  #complete(statement: CompletionStatement): void {
    const turn = this.#turn
    this.#turn = this.#next
    this.#next = undefined
    turn?.complete(statement)
  }

  /** Before the events of the step: a queued steer's turn has to be there for them. */
  #heed({ ready, steered, failure, owed }: Step): void {
    if (owed === true) this.#owed.restart()
    if (owed === false) this.#owed.clear()
    if (ready) this.#ready.resolve()
    if (steered) for (const receipt of steered) this.#turn?.steered(receipt)
    if (failure) this.#fail(failure)
  }

  #send(record: object): void {
    if (this.#closing) return
    this.#child.write(`${JSON.stringify(record)}\n`)
    if (this.#child.unread <= backlogBytes) return
    this.#fail({ code: 'protocol', message: 'The CLI does not read what is sent to it any more.' })
  }

  /** What the CLI said of the turn stands, but a process that does not answer takes no other one. */
  #giveUpAnswer(): void {
    const message = `The CLI left unsaid for ${answerMs / 1_000} s what the turn waits for.`
    this.#receive({ type: 'notice', level: 'warning', code: 'request_unanswered', message }, undefined)
    this.#isUnanswered = true
    this.#fail({ code: 'protocol', message })
  }

  #fail(failure: Failure): void {
    this.#failure ??= refusalOf(failure)
    if (this.#isOver) return
    // Not within the step that it came with.
    queueMicrotask(() => this.#attendance.end())
  }
}

/** A program that ends by itself before it can take a prompt does so the next time, too; there is nothing to resume. */
function fruitless(stop: Stop, signal: string | null): Stop {
  if (stop.code !== 'crashed' || signal !== null) return stop
  const hint =
    'Mend what it said on stderr (`stderrTail`), or start its command by hand to see what it lacks.'
  return { hint, ...stop, retryable: false }
}

function deathBeforeWord(how: string): Stop {
  return {
    status: 'error',
    code: 'crashed',
    message: `The CLI ended (${how}) before it had answered the handshake of its live protocol.`,
    evidence: { by: 'exit', detail: how },
  }
}
