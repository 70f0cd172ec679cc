const LF = 0x0a

/**
 * Lines are decoded some at a time. One character outside ASCII makes a decoded text two bytes wide, and parsing that takes
 * half as long again: so it should not spoil a whole chunk.
 */
const pieceBytes = 1_024

/** A line past this many bytes is dropped whole: real ones reach several MB (base64 images, twice in one record). */
export const maxLineBytes = 128 * 1024 * 1024

/**
 * Cuts bytes into lines on LF alone: U+2028 and U+2029 are legal inside JSON (codex and pi print them raw), and
 * `node:readline` splits on them from Node 24 on. Linear in the length of a line, unlike split2, which scans its whole
 * pending text again for every chunk (one 64 MB line: 94 s); split2 has the stderr lines, which are short.
 */
export class LineSplitter {
  readonly #maxBytes: number
  #pending: Uint8Array[] = []
  #pendingBytes = 0
  /** The line that is coming in is past the limit, and that was said. */
  #dropping = false

  constructor(maxBytes = maxLineBytes) {
    this.#maxBytes = maxBytes
  }

  /** The lines that this chunk completes, without their LF. undefined: a line past the limit, dropped whole. */
  push(chunk: Uint8Array): (string | undefined)[] {
    const last = chunk.lastIndexOf(LF)
    if (last === -1) return this.#hold(chunk) ? [] : [undefined]
    const lines: (string | undefined)[] = []
    let start = 0
    if (this.#dropping) {
      start = chunk.indexOf(LF) + 1
      this.#dropping = false
    } else if (this.#pending.length > 0) {
      start = chunk.indexOf(LF) + 1
      this.#cut(this.#take(chunk.subarray(0, start - 1)), lines)
    }
    if (start <= last) this.#cut(chunk.subarray(start, last), lines)
    if (!this.#hold(chunk.subarray(last + 1))) lines.push(undefined)
    return lines
  }

  /** What came after the last LF, if anything did. */
  end(): (string | undefined)[] {
    const lines: (string | undefined)[] = []
    const rest = this.#take(new Uint8Array(0))
    if (rest.length > 0) this.#cut(rest, lines)
    return lines
  }

  /** False when this takes the line past the limit. A copy: the chunk is its owner's to use again. */
  #hold(bytes: Uint8Array): boolean {
    if (bytes.length === 0 || this.#dropping) return true
    if (this.#pendingBytes + bytes.length > this.#maxBytes) {
      this.#pending = []
      this.#pendingBytes = 0
      this.#dropping = true
      return false
    }
    this.#pending.push(Uint8Array.from(bytes))
    this.#pendingBytes += bytes.length
    return true
  }

  #take(bytes: Uint8Array): Uint8Array {
    if (this.#pending.length === 0) return bytes
    const all = Buffer.concat([...this.#pending, bytes])
    this.#pending = []
    this.#pendingBytes = 0
    return all
  }

  #cut(bytes: Uint8Array, lines: (string | undefined)[]): void {
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
    for (let start = 0; start <= buffer.length; ) {
      const stop = endOfLine(buffer, start + Math.min(pieceBytes, this.#maxBytes))
      if (stop - start <= this.#maxBytes) {
        for (const line of buffer.toString('utf8', start, stop).split('\n')) lines.push(line)
      } else this.#cutLong(buffer.subarray(start, stop), lines)
      start = stop + 1
    }
  }

  /** Lines of which one may be past the limit. */
  #cutLong(piece: Buffer, lines: (string | undefined)[]): void {
    for (let start = 0; start <= piece.length; ) {
      const stop = endOfLine(piece, start)
      const isTooLong = stop - start > this.#maxBytes
      lines.push(isTooLong ? undefined : piece.toString('utf8', start, stop))
      start = stop + 1
    }
  }
}

function endOfLine(bytes: Buffer, from: number): number {
  const found = bytes.indexOf(LF, from)
  return found === -1 ? bytes.length : found
}
