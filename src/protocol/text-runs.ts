import type { MessagePayload, WireEvent } from './events.ts'

/** One run of answer text by one speaker. Wires hold it while its fate is open. */
export interface TextRun {
  readonly messageId: string
  readonly parentToolId: string | undefined
  providerMessageId: string | undefined
  continues: string | undefined
  /** What was streamed so far. */
  text: string
  settled: boolean
}

export interface TextRunOptions {
  parentToolId?: string | undefined
  providerMessageId?: string | undefined
  /** The messageId that this run carries on in mid-sentence. */
  continues?: string | undefined
}

interface KeptMessage {
  messageId: string
  text: string
  whole: string
}

/**
 * Keeps the promise that for every run that is not retracted the deltas, concatenated, are the message's text; and knows
 * which message is the answer.
 */
export class TextRuns {
  readonly #emit: (event: WireEvent) => void
  /** Oldest first. Settled ones stay in it for a while: to take each out at once costs as much as the rest of a run. */
  #runs: TextRun[] = []
  #openCount = 0
  /** Top-level messages that count as answer text, the latest of them: each with the text of those it continues before it. */
  #kept: KeptMessage[] = []
  #count = 0

  constructor(emit: (event: WireEvent) => void) {
    this.#emit = emit
  }

  open(options: TextRunOptions = {}): TextRun {
    const run: TextRun = {
      messageId: `message-${++this.#count}`,
      parentToolId: options.parentToolId,
      providerMessageId: options.providerMessageId,
      continues: options.continues,
      text: '',
      settled: false,
    }
    this.#openCount++
    if (this.#runs.push(run) > 2 * this.#openCount + 16) this.#runs = this.pending
    return run
  }

  /** Emits a fragment (`contentDelta` true) or a whole block. Empty text says nothing. */
  append(run: TextRun, text: string, contentDelta = true): void {
    if (text === '') return
    run.text += text
    const event: WireEvent = { type: 'delta', messageId: run.messageId, text, contentDelta }
    if (run.parentToolId !== undefined) event.parentToolId = run.parentToolId
    this.#emit(event)
  }

  /**
   * The run is final. `whole` is what the CLI says the text is: what was not streamed of it is emitted first, and where it
   * contradicts what was streamed the streamed run is retracted and a new one says it whole.
   */
  complete(run: TextRun, whole?: string): TextRun {
    if (run.settled) return run
    if (whole === undefined || run.text === whole || run.text.trim() === whole.trim()) {
      this.#settle(run, 'completed')
      return run
    }
    if (whole.startsWith(run.text)) {
      this.append(run, whole.slice(run.text.length), run.text !== '')
      this.#settle(run, 'completed')
      return run
    }
    this.#settle(run, 'retracted')
    const replacement = this.open(run)
    this.append(replacement, whole, false)
    this.#settle(replacement, 'completed')
    return replacement
  }

  retract(run: TextRun): void {
    this.#settle(run, 'retracted')
  }

  interrupt(run: TextRun): void {
    this.#settle(run, 'interrupted')
  }

  /**
   * The CLI's last word on its top-level text, for runs that it never confirmed: it says them, or goes on from the last of them;
   * else it knows nothing of them, and so they were thrown away.
   */
  reconcile(whole: string): void {
    if (whole.trim() === '') return
    const open = this.pending.filter((run) => run.parentToolId === undefined)
    const last = open.at(-1)
    const isSaid = open.some((run) => run.text.trim() === whole.trim())
    const isBegun = last !== undefined && last.text !== '' && whole.startsWith(last.text)
    for (const run of open) {
      if (isSaid) this.complete(run)
      else if (isBegun && !this.says(whole)) this.complete(run, run === last ? whole : undefined)
      else this.retract(run)
    }
  }

  /** Runs whose fate is open, oldest first. */
  get pending(): TextRun[] {
    return this.#runs.filter((run) => !run.settled)
  }

  /** Whether some top-level message of the turn reads exactly so, alone or with those it continues. */
  says(text: string): boolean {
    const wanted = text.trim()
    return this.#kept.some((message) => message.text.trim() === wanted || message.whole.trim() === wanted)
  }

  /** The last top-level message that is neither retracted nor empty, with those it continues. */
  get answer(): string {
    return this.#kept.at(-1)?.whole ?? ''
  }

  /** The messageId of the last top-level message that was kept. */
  get lastMessageId(): string | undefined {
    return this.#kept.at(-1)?.messageId
  }

  #settle(run: TextRun, status: MessagePayload['status']): void {
    if (run.settled) return
    run.settled = true
    this.#openCount--
    if (run.text === '') return
    if (status !== 'retracted' && run.parentToolId === undefined && run.text.trim() !== '') {
      this.#keep(run)
    }
    const event: MessagePayload = { type: 'message', messageId: run.messageId, text: run.text, status }
    if (run.providerMessageId !== undefined) event.providerMessageId = run.providerMessageId
    if (run.continues !== undefined) event.continues = run.continues
    if (run.parentToolId !== undefined) event.parentToolId = run.parentToolId
    this.#emit(event)
  }

  #keep({ messageId, text, continues }: TextRun): void {
    const before =
      continues === undefined ? undefined : this.#kept.findLast((kept) => kept.messageId === continues)
    this.#kept.push({ messageId, text, whole: before === undefined ? text : before.whole + text })
    // Only what was said lately is ever asked for; a turn of many hours must not hold all of its texts.
    if (this.#kept.length > 128) this.#kept = this.#kept.slice(-64)
  }
}
