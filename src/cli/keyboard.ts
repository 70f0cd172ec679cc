import {
  clearScreenDown,
  createInterface,
  cursorTo,
  emitKeypressEvents,
  type Interface,
  type Key,
  moveCursor,
} from 'node:readline'
import { PassThrough } from 'node:stream'
import type { Io } from './io.ts'
import { harmless, type Output } from './output.ts'

export interface KeyboardListeners {
  escape(): void
  /** Ctrl-C: a terminal in raw mode makes no signal of it. */
  interrupt(): void
  /** Ctrl-D on an empty line, or the terminal is gone. */
  leave(isGone: boolean): void
}

interface Reader {
  label: string
  isSecret: boolean
  take(line: string | undefined): void
}

/** In the line, where a pasted text has a line break: readline edits one line. */
const lineBreak = '\u23ce'

/** So many keys can be ahead of the CLI. */
const longestHaste = 10_000

const pasteOn = '\u001b[?2004h'
const pasteOff = '\u001b[?2004l'
const clearLine: Key = { ctrl: true, name: 'u' }
const lineEnd: Key = { ctrl: true, name: 'e' }

/** The person's end of a terminal: one line to type in, which is there only while it is needed. */
export class Keyboard {
  readonly #io: Pick<Io, 'stdin' | 'stdout'>
  readonly #out: Output
  readonly #listeners: KeyboardListeners
  readonly #lines: Interface
  /** Who waits for a line. */
  #reader: Reader | undefined
  /** Who takes what is typed while nobody waits. */
  #aside: Omit<Reader, 'isSecret'> | undefined
  #isShown = false
  #isPasting = false
  #secret = ''
  #whenQuiet: (() => void)[] = []
  /** Typed before anybody took it. */
  #early: [text: string | undefined, key: Key][] = []

  constructor(io: Pick<Io, 'stdin' | 'stdout'>, out: Output, listeners: KeyboardListeners) {
    this.#io = io
    this.#out = out
    this.#listeners = listeners
    // It gets its keys from here, so that those with a meaning of ours never reach it.
    this.#lines = createInterface({ input: new PassThrough(), output: io.stdout, terminal: true })
    this.#lines.on('line', (line) => this.#take(line))
    emitKeypressEvents(io.stdin)
    io.stdin.on('keypress', this.#press)
    io.stdin.on('end', this.#gone)
    io.stdin.on('error', this.#gone)
    io.stdin.setRawMode?.(true)
    io.stdin.resume()
    io.stdout.write(pasteOn)
  }

  /** Something is typed that was not sent yet. */
  get hasText(): boolean {
    return this.#lines.line !== ''
  }

  /** One line for this label; undefined when the signal is aborted. */
  read(label: string, { isSecret = false, signal }: { isSecret?: boolean; signal?: AbortSignal } = {}) {
    return new Promise<string | undefined>((resolve) => {
      if (signal?.aborted) return resolve(undefined)
      const give = () => this.#give(undefined)
      signal?.addEventListener('abort', give, { once: true })
      const take = (line: string | undefined) => {
        signal?.removeEventListener('abort', give)
        resolve(line)
      }
      this.#reader = { label, isSecret, take }
      this.#show(label, isSecret)
      this.#catchUp()
    })
  }

  /** Takes lines while nobody reads one: the first key brings up the label. Returns how to stop that. */
  listen(label: string, take: (line: string) => void): () => void {
    const aside = { label, take: (line: string | undefined) => line !== undefined && take(line) }
    this.#aside = aside
    this.#catchUp()
    return () => {
      if (this.#aside === aside) this.#aside = undefined
      if (!this.#reader) this.hide()
    }
  }

  /** Resolves when nobody is typing, so that something else can be shown. */
  async quiet(): Promise<void> {
    while (this.#isShown) await new Promise<void>((resolve) => this.#whenQuiet.push(resolve))
  }

  /** Takes the line off the screen. What was typed comes back with the next label. */
  hide(): void {
    if (!this.#isShown) return
    const { stdout } = this.#io
    const { rows } = this.#lines.getCursorPos()
    if (rows > 0) moveCursor(stdout, 0, -rows)
    cursorTo(stdout, 0)
    clearScreenDown(stdout)
    this.#settle()
  }

  /** Forgets what was typed. */
  clear(): void {
    this.#lines.write(null, lineEnd)
    this.#lines.write(null, clearLine)
  }

  close(): void {
    this.hide()
    this.#give(undefined)
    this.#lines.close()
    const { stdin, stdout } = this.#io
    stdin.off('keypress', this.#press)
    stdin.off('end', this.#gone)
    stdin.setRawMode?.(false)
    stdin.pause()
    stdout.write(pasteOff)
  }

  readonly #gone = () => this.#listeners.leave(true)

  readonly #press = (text: string | undefined, key: Key) => {
    if (key.name === 'paste-start' || key.name === 'paste-end') {
      this.#isPasting = key.name === 'paste-start'
      return
    }
    if (key.ctrl && key.name === 'c') return this.#listeners.interrupt()
    if (key.name === 'escape') return this.#listeners.escape()
    if (key.ctrl && key.name === 'd' && !this.hasText) return this.#listeners.leave(false)
    // Nobody would bring the terminal back to its right mode.
    if (key.ctrl && key.name === 'z') return
    // A pasted line break is none that sends, whenever it is taken.
    this.#early.push([
      text,
      this.#isPasting ? { ...key, meta: key.name === 'return' || key.name === 'enter' } : key,
    ])
    this.#catchUp()
  }

  /** Gives what was typed to whoever takes it. */
  #catchUp(): void {
    while (this.#early.length > 0 && (this.#reader ?? this.#aside)) {
      const [text, key = {}] = this.#early.shift() ?? []
      if (this.#reader?.isSecret) this.#typeSecret(text, key)
      else this.#type(text, key)
    }
    if (this.#early.length > longestHaste) this.#early = []
  }

  #type(text: string | undefined, key: Key): void {
    const isEnter = key.name === 'return' || key.name === 'enter'
    const isBreak = isEnter && key.meta === true
    const printable = isBreak ? lineBreak : isPrintable(text, key) ? text : undefined
    if (!this.#isShown) {
      if (!this.#aside || printable === undefined) return
      this.#show(this.#aside.label)
    }
    // What no key is known for would be taken for text.
    if (printable === undefined && key.name === undefined) return
    if (isBreak) this.#lines.write(lineBreak)
    else this.#lines.write(printable ?? null, key)
    if (!this.#reader && this.#isShown && !this.hasText) this.hide()
  }

  #typeSecret(text: string | undefined, key: Key): void {
    if (key.name === 'return' || key.name === 'enter') {
      const secret = this.#secret
      this.#secret = ''
      this.#io.stdout.write('\n')
      this.#settle()
      this.#give(secret)
    } else if (key.name === 'backspace') this.#secret = this.#secret.slice(0, -1)
    else if (isPrintable(text, key)) this.#secret += text
  }

  #show(label: string, isSecret = false): void {
    if (this.#out.midLine) void this.#out.write('\n')
    this.#isShown = true
    this.#secret = ''
    this.#lines.setPrompt(label)
    if (isSecret) this.#io.stdout.write(label)
    else this.#lines.prompt(true)
  }

  #take(line: string): void {
    this.#settle()
    const text = line.replaceAll(lineBreak, '\n')
    if (this.#reader) this.#give(text)
    else this.#aside?.take(text)
  }

  #give(line: string | undefined): void {
    const reader = this.#reader
    this.#reader = undefined
    if (line === undefined) this.hide()
    reader?.take(line)
  }

  #settle(): void {
    this.#isShown = false
    for (const resolve of this.#whenQuiet.splice(0)) resolve()
  }
}

function isPrintable(text: string | undefined, key: Key): text is string {
  if (text === undefined || text === '' || key.ctrl === true || key.meta === true) return false
  return harmless(text) === text && !/[\t\n]/.test(text)
}
