const tailBytes = 64 * 1024

/** The last 64 KiB of a byte stream. */
export class StderrTail {
  #chunks: Uint8Array[] = []
  #bytes = 0

  push(chunk: Uint8Array): void {
    this.#chunks.push(chunk)
    this.#bytes += chunk.length
    if (this.#bytes > 4 * tailBytes) this.#trim()
  }

  /** Decoded; a character that the bound cut in two is left out. */
  text(): string {
    this.#trim()
    const bytes = this.#chunks[0] ?? new Uint8Array(0)
    let start = 0
    while (start < 3 && isContinuation(bytes[start])) start++
    return new TextDecoder().decode(bytes.subarray(start))
  }

  #trim(): void {
    const all = Buffer.concat(this.#chunks, this.#bytes)
    // A copy, so that the whole is not kept alive by its last part.
    const tail = all.length > tailBytes ? Buffer.from(all.subarray(all.length - tailBytes)) : all
    this.#chunks = [tail]
    this.#bytes = tail.length
  }
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences are what it is about
const escapes = /\u001b(?:\[[0-9;?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[@-Z\\^_])/g

/** Without colours and other terminal escapes, for messages. */
export function withoutEscapes(text: string): string {
  return text.replace(escapes, '')
}
