/** A stream that can go away: `coxswain run … | head`. */
export class Output {
  readonly #stream: NodeJS.WritableStream
  readonly isTerminal: boolean
  readonly style: Style
  #gone = false
  #fault: string | undefined
  #onGone: () => void = () => {}
  /** Something was written since the last newline. */
  midLine = false

  constructor(
    stream: NodeJS.WritableStream & { isTTY?: boolean },
    environment: Readonly<Record<string, string | undefined>>,
  ) {
    this.#stream = stream
    this.isTerminal = stream.isTTY === true
    this.style = hasColour(this.isTerminal, environment) ? coloured : plain
    stream.on('error', (error: NodeJS.ErrnoException) => {
      // A reader who left has read enough, and so has a terminal that was closed; a disk that is full has lost something.
      const isLeft = error.code === 'EPIPE' || (this.isTerminal && error.code === 'EIO')
      if (!isLeft) this.#fault ??= error.message
      this.#gone = true
      this.#onGone()
    })
  }

  /** Nobody reads any more. */
  get gone(): boolean {
    return this.#gone
  }

  onGone(listener: () => void): void {
    this.#onGone = listener
  }

  /** Resolves when there is room for more. */
  async write(text: string): Promise<void> {
    if (this.#gone || text === '') return
    this.midLine = !text.endsWith('\n')
    if (this.#stream.write(text)) return
    await new Promise<void>((resolve) => {
      const settle = () => {
        for (const event of ['drain', 'error', 'close']) this.#stream.off(event, settle)
        resolve()
      }
      for (const event of ['drain', 'error', 'close']) this.#stream.on(event, settle)
    })
  }

  /** Resolves when all is written, with why not if something could not be. */
  async finish(): Promise<string | undefined> {
    if (!this.#gone) await new Promise<void>((resolve) => this.#stream.write('', () => resolve()))
    return this.#fault
  }

  async line(text = ''): Promise<void> {
    await this.write(`${this.midLine ? '\n' : ''}${text}\n`)
  }
}

export type Style = Record<'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan', (text: string) => string>

const paint = (on: number, off: number) => (text: string) => `\u001b[${on}m${text}\u001b[${off}m`
const same = (text: string) => text

const coloured: Style = {
  bold: paint(1, 22),
  dim: paint(2, 22),
  red: paint(31, 39),
  green: paint(32, 39),
  yellow: paint(33, 39),
  cyan: paint(36, 39),
}
const plain: Style = { bold: same, dim: same, red: same, green: same, yellow: same, cyan: same }

/** https://no-color.org, and FORCE_COLOR as Node reads it. */
function hasColour(isTerminal: boolean, environment: Readonly<Record<string, string | undefined>>): boolean {
  const { NO_COLOR, FORCE_COLOR, TERM } = environment
  if (NO_COLOR !== undefined && NO_COLOR !== '') return false
  if (FORCE_COLOR !== undefined) return FORCE_COLOR !== '0' && FORCE_COLOR !== 'false'
  return isTerminal && TERM !== 'dumb'
}

/** Without what would steer the terminal: a model's text may hold any character. */
export function harmless(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it is about
  return text.replace(/\r\n/g, '\n').replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '\ufffd')
}

/** One line, at most so long. */
export function excerpt(text: string, length: number): string {
  const line = harmless(text).replace(/\s+/g, ' ').trim()
  return line.length > length ? `${line.slice(0, length - 1)}…` : line
}

/** Columns as wide as their widest cell; the last one as it is. */
export function table(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => width(row[column] ?? ''))))
  return rows.map((row) =>
    row
      .map((cell, column) =>
        column === row.length - 1 ? cell : cell + ' '.repeat((widths[column] ?? 0) - width(cell)),
      )
      .join('  ')
      .trimEnd(),
  )
}

/** Lines of at most so many characters, cut at spaces; a word that is longer has a line of its own. */
export function wrap(text: string, columns: number): string[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + 1 + word.length <= columns)
      lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines
}

function width(cell: string): number {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours take no room
  return cell.replace(/\u001b\[\d+m/g, '').length
}
