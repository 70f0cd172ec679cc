import type { Secret } from '../env/secrets.ts'
import { type Stop, wireFault } from '../protocol/completion.ts'
import type { Exit } from '../protocol/ending.ts'
import type { CompletionStatement } from '../protocol/outcome.ts'
import type { WireStart } from '../protocol/wire.ts'
import type { WireReader } from '../protocol/wire-reader.ts'
import type { Binary } from './binary.ts'
import type { BudgetWatch } from './budgets.ts'
import type { Child, ChildExit } from './child.ts'
import { Countdown } from './countdown.ts'
import type { TurnProcesses } from './processes.ts'
import { endLeftovers, endTurnProcesses } from './shutdown.ts'
import { StderrTail } from './stderr-tail.ts'
import { within } from './within.ts'

/** How long a pipe may stay open after the exit: a helper of the CLI may still print its last line (seen 300 ms late). */
const latePipeMs = 1_000
/** The same once nothing of the turn is left. */
const drainMs = 500

/** Hears everything that a child says and how it ends, as bytes. */
export interface Tap {
  /** What is started, and what must not be seen of it. */
  prepared?(turn: { binary: Binary; secrets: readonly Secret[] }): void
  stdout?(chunk: Uint8Array): void
  stderr?(chunk: Uint8Array): void
  exit?(exit: ChildExit): void
}

/** What of the budgets hears of a child. */
export type AttendedBudgets = Pick<BudgetWatch, 'start' | 'heard' | 'recorded' | 'hold' | 'release' | 'close'>

export interface AttendOptions {
  child: Child
  processes: TurnProcesses
  reader: WireReader
  budgets: AttendedBudgets
  lingerMs: number
  firstSignal: NodeJS.Signals
  /** The consumer is slow. */
  isFull(): boolean
  tap?: Tap | undefined
  /** Nothing but the end is waited for from now on. */
  onEnding(): void
}

export interface Attended extends ChildExit {
  /** It lived on past `lingerMs`. */
  lingered: boolean
  /** It had said its last word and was then ended by us. */
  cutShort: boolean
  stderrTail: string
  /** Processes that would not go. */
  left: number
}

/** Reads what a child says and sees to its end. */
export class Attendance {
  readonly #options: AttendOptions
  readonly #tail = new StderrTail()
  readonly #linger: Countdown
  #reading = true
  #failure: Stop | undefined
  #saidLastWord = false
  #lingered = false
  #cutShort = false
  #ending: Promise<number> | undefined
  #hurry: () => void = () => {}
  readonly #hurried = new Promise<void>((resolve) => {
    this.#hurry = resolve
  })

  constructor(options: AttendOptions) {
    this.#options = options
    this.#linger = new Countdown(options.lingerMs, () => {
      this.#lingered = true
      this.end()
    })
    const { stdout, stderr } = options.child
    stdout.on('data', (chunk: Uint8Array) => this.#hear(chunk))
    stderr.on('data', (chunk: Uint8Array) => {
      options.tap?.stderr?.(chunk)
      options.budgets.heard()
      this.#tail.push(chunk)
    })
  }

  /** Before the first record. */
  begin(input: WireStart): void {
    this.#options.budgets.start()
    this.guarded(() => this.#options.reader.start(input))
  }

  /** Ends the child and all that it started. */
  end(): void {
    if (this.#options.reader.ended && this.#options.child.isRunning()) this.#cutShort = true
    this.#hurry()
    this.#linger.clear()
    this.#options.budgets.close()
    this.#options.onEnding()
    this.resume()
    const { child, processes, firstSignal } = this.#options
    this.#ending ??= endTurnProcesses(child, processes, firstSignal)
  }

  /** Reading goes on. */
  resume(): void {
    if (this.#reading) return
    this.#reading = true
    this.#options.child.stdout.resume()
    this.#options.budgets.release('reading')
    if (this.#saidLastWord && !this.#ending) this.#linger.resume()
  }

  /** Resolves when nothing of the turn is left and everything that came was read. */
  async over(): Promise<Attended> {
    const { child, processes, reader, tap, budgets, onEnding } = this.#options
    const exit = await child.exited
    tap?.exit?.(exit)
    budgets.close()
    this.#linger.clear()
    onEnding()
    this.resume()
    if (!this.#ending && !reader.ended) await within(Promise.race([child.closed, this.#hurried]), latePipeMs)
    this.#ending ??= endLeftovers(processes)
    const left = await this.#ending
    await within(child.closed, drainMs)
    child.release()
    return {
      ...exit,
      lingered: this.#lingered,
      cutShort: this.#cutShort,
      stderrTail: this.#tail.text(),
      left,
    }
  }

  /** What the wire states of the ending; undefined if it broke at that. One that broke before still settles what is open. */
  conclude(exit: Exit): CompletionStatement | undefined {
    return this.guarded(() => this.#options.reader.end(exit))
  }

  get stderrTail(): string {
    return this.#tail.text()
  }

  /** How the wire broke, if it did. */
  get failure(): Stop | undefined {
    return this.#failure
  }

  #hear(chunk: Uint8Array): void {
    const { reader, budgets, tap, isFull, child } = this.#options
    tap?.stdout?.(chunk)
    budgets.heard()
    if (this.#failure) return
    this.guarded(() => reader.push(chunk))
    if (reader.ledger.records > 0) budgets.recorded()
    if (reader.ended !== this.#saidLastWord) this.#noteLastWord(reader.ended)
    if (this.#reading && !this.#ending && child.isRunning() && isFull()) this.#pause()
  }

  #pause(): void {
    this.#reading = false
    this.#options.child.stdout.pause()
    this.#options.budgets.hold('reading')
    this.#linger.pause()
  }

  #noteLastWord(said: boolean): void {
    this.#saidLastWord = said
    const { budgets, processes, child } = this.#options
    if (said) {
      budgets.hold('last word')
      if (!child.isRunning()) this.#hurry()
      else if (!this.#ending) {
        this.#linger.restart()
        // Who descends from the child can be seen only while it lives.
        void processes.find()
      }
    } else {
      budgets.release('last word')
      this.#linger.clear()
    }
  }

  /** A wire that throws ends its turn, not the host. */
  guarded<T>(act: () => T): T | undefined {
    try {
      return act()
    } catch (error) {
      this.#failure ??= wireFault(error)
      if (this.#options.child.isRunning()) this.end()
      return undefined
    }
  }
}
