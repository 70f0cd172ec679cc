const LF = 0x0a

/** A line past this many bytes is dropped whole: real ones reach several MB (base64 images, twice in one record). */
export const maxLineBytes = 128 * 1024 * 1024

/**
 * Cuts bytes into lines on LF alone: U+2028 and U+2029 are legal inside JSON (codex and pi print them raw), and
 * `node:readline` splits on them from Node 24 on. Linear in the length of a line, unlike split2, which scans its whole
 * pending text again for every chunk (one 64 MB line: 94 s); split2 has the stderr lines, which are short.
 */
export class LineSplitter {
  readonly #maxBytes: number
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  #pending: Uint8Array[] = []
  #pendingBytes = 0
  #dropping = false
  /** Lines dropped so far. */
  oversized = 0

  constructor(maxBytes = maxLineBytes) {
    this.#maxBytes = maxBytes
  }

  /** The lines that this chunk completes, without their LF. */
  push(chunk: Uint8Array): string[] {
    const last = chunk.lastIndexOf(LF)
    if (last === -1) {
      this.#hold(chunk)
      return []
    }
    let start = 0
    if (this.#dropping) {
      start = chunk.indexOf(LF) + 1
      this.#dropping = false
      if (start > last) {
        this.#hold(chunk.subarray(start))
        return []
      }
    }
    const complete = this.#take(chunk.subarray(start, last))
    this.#hold(chunk.subarray(last + 1))
    return this.#cut(complete)
  }

  /** What came after the last LF, if anything did. */
  end(): string[] {
    const rest = this.#take(new Uint8Array(0))
    return rest.length === 0 || this.#dropping ? [] : this.#cut(rest)
  }

  #hold(bytes: Uint8Array): void {
    if (bytes.length === 0 || this.#dropping) return
    if (this.#pendingBytes + bytes.length > this.#maxBytes) {
      this.#pending = []
      this.#pendingBytes = 0
      this.#dropping = true
      this.oversized++
      return
    }
    this.#pending.push(bytes)
    this.#pendingBytes += bytes.length
  }

  #take(bytes: Uint8Array): Uint8Array {
    if (this.#pending.length === 0) return bytes
    const all = Buffer.concat([...this.#pending, bytes])
    this.#pending = []
    this.#pendingBytes = 0
    return all
  }

  #cut(bytes: Uint8Array): string[] {
    if (bytes.length <= this.#maxBytes) return this.#decoder.decode(bytes).split('\n')
    const lines: string[] = []
    for (let start = 0; start <= bytes.length; ) {
      const found = bytes.indexOf(LF, start)
      const stop = found === -1 ? bytes.length : found
      if (stop - start > this.#maxBytes) this.oversized++
      else lines.push(this.#decoder.decode(bytes.subarray(start, stop)))
      start = stop + 1
    }
    return lines
  }
}
