import type { TextRun, TextRuns } from '../../protocol/text-runs.ts'

/**
 * The messages of one speaker. A message is final when codex has gone on to something else: until then the response that it came
 * in may break off, and old versions then ask the model again without it.
 */
export class Messages {
  readonly #text: TextRuns
  readonly #parentToolId: string | undefined
  /** By item, while codex still writes on them. */
  readonly #writing = new Map<string, TextRun>()
  /** Whole messages of the response that is still arriving: they may be thrown away with it. */
  #unsettled: { run: TextRun; text: string }[] = []
  /** The response broke off, and only the next message can tell whether they were thrown away with it. */
  #inDoubt = false

  constructor(text: TextRuns, parentToolId?: string) {
    this.#text = text
    this.#parentToolId = parentToolId
  }

  /** The whole text so far. */
  receive(id: string, text: string, isDone: boolean): void {
    if (this.#inDoubt && text !== '') this.#decide(text)
    const before = this.#writing.get(id)
    const run = before ?? this.#open()
    if (text.startsWith(run.text)) {
      this.#text.append(run, text.slice(run.text.length), run.text !== '')
    }
    // Most messages come whole, in one record.
    if (isDone) {
      if (before) this.#writing.delete(id)
      this.#unsettled.push({ run, text })
    } else if (!before) this.#writing.set(id, run)
  }

  /** A fragment. */
  append(id: string, delta: string): void {
    this.#text.append(this.#run(id), delta)
  }

  /** What was said stays said. */
  settle(): void {
    if (this.#unsettled.length === 0) return
    for (const { run, text } of this.#unsettled) this.#text.complete(run, text)
    this.#unsettled = []
    this.#inDoubt = false
  }

  /** Some versions throw away what was said in the response that broke off: what the next message says again, it replaces. */
  doubt(): void {
    this.#inDoubt = true
  }

  /** What was said in the response that broke off is thrown away: the model will be asked again without it. */
  abandon(): void {
    for (const { run } of this.#unsettled) this.#text.retract(run)
    this.#unsettled = []
    this.#inDoubt = false
    this.dropUnfinished()
  }

  /** What codex still wrote on is thrown away: it goes on without it. */
  dropUnfinished(): void {
    if (this.#writing.size === 0) return
    for (const run of this.#writing.values()) this.#text.retract(run)
    this.#writing.clear()
  }

  #run(id: string): TextRun {
    let run = this.#writing.get(id)
    if (!run) {
      run = this.#open()
      this.#writing.set(id, run)
    }
    return run
  }

  #open(): TextRun {
    return this.#text.open({ parentToolId: this.#parentToolId })
  }

  #decide(text: string): void {
    const first = this.#unsettled.find((each) => each.text.trim() !== '')
    if (first && text.startsWith(first.text)) this.abandon()
    else this.settle()
  }
}
