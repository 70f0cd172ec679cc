import type { TextRun } from '../../protocol/text-runs.ts'
import type { Transcript } from '../../protocol/transcript.ts'

/**
 * The answer text of a turn, segment by segment. A segment is what the CLI says between two tool calls, questions or the
 * result. With partial output it comes in fragments and is then said once more, whole (a flush); without, only whole.
 *
 * A flush carries `model_call_id`, or no `timestamp_ms`; but the one before a question or a retry looks like any fragment
 * (websearch recording, 2026.09.15). So a fragment that repeats all of its segment is held until a later record tells:
 * equal neighbours ('ha', 'ha') are an answer, a repeat at the end of a segment is a flush.
 */
export class Segments {
  readonly #transcript: Transcript
  #run: TextRun | undefined
  #held: string | undefined
  /** The segment that a retry cut short: thrown away as soon as the next attempt speaks. */
  #abandoned: TextRun | undefined
  #retried = false
  #inFragments = false
  /** Texts of the segments since the last result, as the CLI joins them in it: kept ones, and all. */
  #kept: string[] = []
  #all: string[] = []
  /** The last result's text: a result that only repeats it says nothing new. */
  #checked: string | undefined

  constructor(transcript: Transcript) {
    this.#transcript = transcript
  }

  /** Whether some attempt of this turn was abandoned. */
  get retried(): boolean {
    return this.#retried
  }

  /** One `assistant` record. */
  said(text: string, isFlush: boolean): void {
    if (text === '') return
    if (isFlush && this.#held !== undefined && text === this.#run?.text) this.#held = undefined
    this.goesOn()
    if (isFlush) this.#flush(text)
    else if (text === this.#run?.text) this.#held = text
    else this.#fragment(text)
  }

  /** A record came that shows the segment going on: what is held was a fragment. */
  goesOn(): void {
    if (this.#held === undefined) return
    const text = this.#held
    this.#held = undefined
    this.#fragment(text)
  }

  /** The connection is in doubt: what is held was a flush, but the segment's fate is open. */
  pauses(): void {
    this.#held = undefined
  }

  /** A tool call, a question or the result: the segment is over. */
  ends(): void {
    this.#held = undefined
    const run = this.#run ?? this.#abandoned
    this.#run = undefined
    this.#abandoned = undefined
    if (run) this.#settle(run)
  }

  /** The CLI begins again, from the start or from its last checkpoint. */
  retries(): void {
    this.#held = undefined
    this.#retried = true
    if (this.#run) this.#abandoned = this.#run
    this.#run = undefined
  }

  /** The result's text, all segments glued together without a separator: checks what was streamed, and adds what was not. */
  check(whole: string): void {
    if (this.#abandoned && !whole.trimEnd().endsWith(this.#abandoned.text.trimEnd())) this.#throwAway()
    this.ends()
    const kept = this.#kept.join('')
    const wanted = whole.trim()
    const isRepeat = this.#all.length === 0 && wanted === this.#checked
    const isKnown =
      isRepeat ||
      wanted === '' ||
      wanted === kept.trim() ||
      wanted === this.#kept.at(-1)?.trim() ||
      wanted === this.#all.join('').trim()
    if (!isKnown) {
      if (whole.startsWith(kept)) this.#settle(this.#open(whole.slice(kept.length), false))
      else {
        this.#transcript.notice(
          'warning',
          'text_mismatch',
          `The result's text (${whole.length} characters) is not what was streamed (${kept.length}).`,
        )
      }
    }
    this.#checked = wanted
    this.#kept = []
    this.#all = []
    this.#retried = false
  }

  #fragment(text: string): void {
    if (this.#run) this.#transcript.text.append(this.#run, text)
    else this.#run = this.#open(text, true)
  }

  #flush(text: string): void {
    const run = this.#run
    this.#run = undefined
    if (run) {
      this.#inFragments = true
      // A flush after a lost connection may say only what came since.
      this.#settle(run, run.text.endsWith(text) ? run.text : text)
      return
    }
    const isRepeat = this.#inFragments && text === this.#kept.at(-1)
    if (!isRepeat && !this.#isReplay(text)) this.#settle(this.#open(text, false))
  }

  #open(text: string, isFragment: boolean): TextRun {
    this.#throwAway()
    const run = this.#transcript.text.open()
    this.#transcript.text.append(run, text, isFragment)
    return run
  }

  #throwAway(): void {
    if (!this.#abandoned) return
    this.#all.push(this.#abandoned.text)
    this.#transcript.text.retract(this.#abandoned)
    this.#abandoned = undefined
  }

  #settle(run: TextRun, whole = run.text): void {
    this.#all.push(whole)
    if (this.#isReplay(whole)) {
      this.#transcript.text.retract(run)
      return
    }
    this.#kept.push(whole)
    this.#transcript.text.complete(run, whole)
  }

  /** A retry may say again what was settled before it. */
  #isReplay(text: string): boolean {
    return this.#retried && this.#kept.includes(text)
  }
}
