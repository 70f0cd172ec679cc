import { EventEmitter } from 'node:events'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough, Writable } from 'node:stream'
import { onTestFinished } from 'vitest'
import { type Io, type Screen, screenOf } from '../../src/cli/io.ts'
import { scratchFolder } from './terminal.ts'

/** A terminal in memory: what is typed, and what is on it. */
export class ChatTerminal {
  readonly io: Io
  readonly screen: Screen
  readonly home: string
  /** The keys are read one by one. */
  isRaw = false
  exited: number | undefined
  #shown = ''
  /** Up to here it was looked at. */
  #seen = 0
  readonly #stdin = new PassThrough()
  readonly #stdout: Writable
  readonly #events = new EventEmitter()

  constructor(environment: Record<string, string> = {}, isTTY = true) {
    this.home = scratchFolder('home')
    mkdirSync(join(this.home, 'project'))
    onTestFinished(() => rmSync(this.home, { recursive: true, force: true }))
    const stdout = (take: (text: string) => void) =>
      new Writable({
        write(chunk, _encoding, done) {
          take(String(chunk))
          done()
        },
      })
    this.#stdout = stdout((text) => {
      this.#shown += text
      this.#events.emit('shown')
    })
    this.io = {
      stdin: Object.assign(this.#stdin, {
        isTTY,
        setRawMode: (isRaw: boolean) => {
          this.isRaw = isRaw
        },
      }),
      stdout: Object.assign(this.#stdout, { isTTY, columns: 200 }),
      stderr: Object.assign(
        stdout((text) => {
          this.#shown += text
          this.#events.emit('shown')
        }),
        { isTTY },
      ),
      environment: {
        PATH: process.env.PATH,
        HOME: this.home,
        XDG_STATE_HOME: join(this.home, 'state'),
        ...environment,
      },
      onInterrupt: (listener) => {
        this.#events.on('signal', listener)
        return () => this.#events.off('signal', listener)
      },
      exit: (code) => {
        this.exited = code
      },
    }
    this.screen = screenOf(this.io)
  }

  /** All that was ever on it, without what moves the cursor or paints. */
  get text(): string {
    return plain(this.#shown)
  }

  get raw(): string {
    return this.#shown
  }

  type(text: string): void {
    this.#stdin.write(text)
  }

  signal(name: 'SIGINT' | 'SIGTERM' | 'SIGHUP'): void {
    this.#events.emit('signal', name)
  }

  /** Nobody reads any more: 'EIO' is a terminal's way to say so, 'EPIPE' a pipe's. */
  hangUp(code: 'EIO' | 'EPIPE'): void {
    this.#stdout.destroy(Object.assign(new Error(`write ${code}`), { code }))
  }

  endInput(): void {
    this.#stdin.end()
  }

  /** Resolves with what was shown up to this text, and not seen before. */
  async until(text: string, milliseconds = 15_000): Promise<string> {
    const deadline = AbortSignal.timeout(milliseconds)
    for (;;) {
      const at = this.text.indexOf(text, this.#seen)
      if (at !== -1) {
        const found = this.text.slice(this.#seen, at + text.length)
        this.#seen = at + text.length
        return found
      }
      if (deadline.aborted) {
        throw new Error(`"${text}" did not come. What came: ${JSON.stringify(this.text.slice(this.#seen))}`)
      }
      await new Promise<void>((resolve) => {
        const settle = () => {
          this.#events.off('shown', settle)
          deadline.removeEventListener('abort', settle)
          resolve()
        }
        this.#events.on('shown', settle)
        deadline.addEventListener('abort', settle)
      })
    }
  }
}

function plain(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: it is what steers a terminal
  return text.replace(/\u001b\[[?\d;]*[A-Za-z]/g, '').replaceAll('\r\n', '\n')
}

export const keys = {
  enter: '\r',
  escape: '\u001b',
  ctrlC: '\u0003',
  ctrlD: '\u0004',
  backspace: '\u007f',
  up: '\u001b[A',
} as const
