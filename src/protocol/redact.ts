import type { DeltaPayload, MessagePayload, ToolOutputPayload, WireEvent } from './events.ts'
import type { CompletionStatement } from './outcome.ts'
import { type Hiding, redactFields, redactForeign } from './redact-values.ts'
import type { NamedSecret } from './secret-forms.ts'
import { SecretMatcher } from './secret-matcher.ts'
import {
  closes,
  fragmentOf,
  type HeldFragment,
  isStreamed,
  type StreamedEvent,
  streamKey,
  withFragment,
} from './streamed-text.ts'

export interface Redactor {
  /**
   * One event in; what may be said of it now, in order. The same object where nothing had to be hidden. Text is held back
   * exactly while it is the beginning of a secret, and at most until its message, its tool call or the turn ends.
   */
  receive(event: WireEvent): WireEvent[]
  /** What is still held back: for a turn that ends without a completion of its wire. */
  flush(): WireEvent[]
  /** Plain text: a line for a log, a message of an error. */
  text(text: string): string
  /** Plain text whose beginning was cut off: also hides the end of a secret that it may begin with. */
  tail(text: string): string
  /**
   * A whole record of the CLI, every key and string in it; a copy where something had to be hidden. Of a record that caused
   * `event`, also what is hidden of the event's fragment: `said` is what `receive` gave for it.
   */
  record<Record extends object>(record: Record, event?: WireEvent, said?: readonly WireEvent[]): Record
  /** Whatever has words in it that a person reads, as events have: not the ids and the words from closed sets. */
  fields<Part extends object>(part: Part): Part
  /** Hides more: for what is made or found only when the turn is prepared. Before the first event. */
  hide(secrets: readonly NamedSecret[]): void
}

/**
 * Hides values in everything that a turn says: each is replaced by `[redacted:NAME]`, in every form of `secretForms`, also
 * when it is cut across the fragments of one message or tool call. Values of less than six characters are not hidden.
 */
export function createRedactor(secrets: readonly NamedSecret[]): Redactor {
  return new EventRedactor(secrets)
}

/** A message that ended in the beginning of a secret, or carries one on. */
interface SeamedMessage {
  raw: string
  redacted: string
}

class EventRedactor implements Redactor {
  #secrets: readonly NamedSecret[]
  #matcher: SecretMatcher
  readonly #hiding: Hiding = {
    text: (text) => this.#matcher.replace(text),
    cut: (text) => this.#matcher.replaceCut(text),
  }
  readonly #held = new Map<string, HeldFragment>()
  /** Messages that have a delta but no fate. */
  readonly #begun = new Set<string>()
  /**
   * By speaker: the beginning of a secret with which the last message ended. A next message can carry it on in mid-sentence,
   * and says so only at its own end; so the rest of that secret is hidden at the beginning of any next message.
   */
  readonly #tails = new Map<string, string>()
  /** By message: what of the above it began with. */
  readonly #contexts = new Map<string, string>()
  readonly #seams = new Map<string, SeamedMessage>()
  /** By tool call: its output so far, whose end was held back. */
  readonly #snapshots = new Map<string, ToolOutputPayload>()
  /** The last top-level message that counts. */
  #answer: string | undefined

  constructor(secrets: readonly NamedSecret[]) {
    this.#secrets = secrets
    this.#matcher = new SecretMatcher(secrets)
  }

  hide(secrets: readonly NamedSecret[]): void {
    this.#secrets = [...this.#secrets, ...secrets]
    this.#matcher = new SecretMatcher(this.#secrets)
  }

  receive(event: WireEvent): WireEvent[] {
    if (this.#matcher.isEmpty) return [event]
    const released = this.#held.size > 0 ? this.#release((held) => closes(event, held.event)) : []
    if (this.#snapshots.size > 0) released.push(...this.#releaseSnapshots(event))
    const said = this.#say(event)
    return released.length === 0 ? said : [...released, ...said]
  }

  flush(): WireEvent[] {
    return [...this.#release(() => true), ...this.#releaseSnapshots()]
  }

  text(text: string): string {
    return this.#matcher.replace(text)
  }

  tail(text: string): string {
    return this.#matcher.replaceTail(text)
  }

  record<Record extends object>(record: Record, event?: WireEvent, said: readonly WireEvent[] = []): Record {
    if (this.#matcher.isEmpty) return record
    if (!event || !isStreamed(event)) return redactForeign(record, this.#hiding.text)
    const fragment = fragmentOf(event)
    const key = streamKey(event)
    const shown = said
      .map((each) => (isStreamed(each) && streamKey(each) === key ? fragmentOf(each) : ''))
      .join('')
    // Some records repeat the whole message so far, whose end is being held back.
    return redactForeign(record, (text) => (text === fragment ? shown : this.#matcher.replaceCut(text)))
  }

  fields<Part extends object>(part: Part): Part {
    return redactFields(part, this.#hiding)
  }

  #say(event: WireEvent): WireEvent[] {
    if (isStreamed(event)) return this.#stream(event)
    switch (event.type) {
      case 'usage':
        return [event]
      case 'message':
        return [this.#message(event)]
      case 'completion':
        return [this.#completion(event)]
      case 'tool':
        if (event.phase === 'output' && event.output !== undefined)
          return [this.#snapshot(event, event.output)]
        return [redactFields(event, this.#hiding)]
      default:
        return [redactFields(event, this.#hiding)]
    }
  }

  #stream(event: StreamedEvent): WireEvent[] {
    const fragment = fragmentOf(event)
    const context = event.type === 'delta' && !this.#begun.has(event.messageId) ? this.#begin(event) : ''
    const key = this.#held.size > 0 ? streamKey(event) : undefined
    const held = key === undefined ? undefined : this.#held.get(key)
    const text = held ? held.text + fragment : context + fragment
    const said = held ? held.context : context.length
    const scan = this.#matcher.scan(text, said, false)
    if (key !== undefined && held) this.#held.delete(key)
    const clean = event.type === 'tool' ? redactFields(event, this.#hiding) : event
    if (scan.held < text.length) {
      // A block is said whole: cutting it would make two blocks of one.
      const isBlock = event.type !== 'tool' && !event.contentDelta
      const from = isBlock ? 0 : scan.held
      this.#held.set(key ?? streamKey(event), {
        event: clean,
        text: text.slice(from),
        context: Math.max(0, said - from),
      })
      if (isBlock) return []
    }
    if (scan.text === fragment) return [clean]
    return scan.text === '' ? [] : [withFragment(clean, scan.text)]
  }

  /** The first delta of a message: what of a secret the speaker had said last. */
  #begin(event: DeltaPayload): string {
    this.#begun.add(event.messageId)
    const speaker = event.parentToolId ?? ''
    let context = this.#tails.get(speaker) ?? ''
    this.#tails.delete(speaker)
    for (const held of this.#held.values()) {
      if (held.event.type === 'delta' && (held.event.parentToolId ?? '') === speaker) context = held.text
    }
    if (context !== '') this.#contexts.set(event.messageId, context)
    return context
  }

  #release(isClosed: (held: HeldFragment) => boolean): WireEvent[] {
    const released: WireEvent[] = []
    for (const [key, held] of this.#held) {
      if (!isClosed(held)) continue
      this.#held.delete(key)
      const { text } = this.#matcher.scan(held.text, held.context, true)
      if (text !== '') released.push(withFragment(held.event, text))
    }
    return released
  }

  /** The whole output so far: its end may be the beginning of a secret, too. */
  #snapshot(event: ToolOutputPayload, output: string): ToolOutputPayload {
    const { text, held } = this.#matcher.scan(output, 0, false)
    const clean = redactFields(event, this.#hiding)
    if (held === output.length) return clean
    this.#snapshots.set(event.toolId, clean)
    return { ...clean, output: text }
  }

  /** The next output takes the place of the held one, and so does that of the call's end. */
  #releaseSnapshots(event?: WireEvent): WireEvent[] {
    const released: WireEvent[] = []
    for (const [toolId, snapshot] of this.#snapshots) {
      const isOver = event === undefined || event.type === 'completion'
      const isOwn = event?.type === 'tool' && event.toolId === toolId
      if (!isOver && !isOwn) continue
      this.#snapshots.delete(toolId)
      if (isOver || !('output' in event)) released.push(snapshot)
    }
    return released
  }

  #message(event: MessagePayload): MessagePayload {
    const speaker = event.parentToolId ?? ''
    const context = this.#contexts.get(event.messageId) ?? ''
    const whole = context + event.text
    const scan = this.#matcher.scan(whole, context.length, false)
    const tail = whole.slice(scan.held)
    const text =
      tail === ''
        ? scan.text
        : scan.text + this.#matcher.scan(tail, Math.max(0, context.length - scan.held), true).text
    this.#begun.delete(event.messageId)
    this.#contexts.delete(event.messageId)
    if (event.status !== 'retracted') {
      if (tail === '') this.#tails.delete(speaker)
      else this.#tails.set(speaker, tail)
      if (event.parentToolId === undefined && event.text.trim() !== '') {
        this.#keep(event, text, tail !== '' || context !== '')
      }
    }
    return text === event.text ? event : { ...event, text }
  }

  /** Remembers what the completion's text cannot be told from alone. */
  #keep(event: MessagePayload, redacted: string, isSeamed: boolean): void {
    const before = event.continues === undefined ? undefined : this.#seams.get(event.continues)
    this.#answer = event.messageId
    if (!isSeamed && !before) return
    this.#seams.set(event.messageId, {
      raw: (before?.raw ?? '') + event.text,
      redacted: (before?.redacted ?? '') + redacted,
    })
  }

  #completion(event: CompletionStatement): CompletionStatement {
    const { text, ...rest } = event
    return { ...redactFields(rest, this.#hiding), text: this.#answerText(text) }
  }

  /** The same as the messages' texts, put together. */
  #answerText(text: string): string {
    const seam = this.#answer === undefined ? undefined : this.#seams.get(this.#answer)
    if (!seam || !text.endsWith(seam.raw)) return this.#matcher.replace(text)
    return this.#matcher.replace(text.slice(0, text.length - seam.raw.length)) + seam.redacted
  }
}
