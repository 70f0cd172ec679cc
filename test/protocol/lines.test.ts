import { describe, expect, it } from 'vitest'
import { LineSplitter } from '../../src/protocol/lines.ts'

/** All lines of these chunks; undefined: one past the limit. */
function split(chunks: (string | Uint8Array)[], maxBytes?: number): (string | undefined)[] {
  const splitter = new LineSplitter(maxBytes)
  return [...chunks.flatMap((chunk) => splitter.push(Buffer.from(chunk))), ...splitter.end()]
}

describe('bytes are cut on LF alone', () => {
  const rows: [string, string, string[]][] = [
    ['nothing', '', []],
    ['one line', 'a\n', ['a', '']],
    ['no last newline', 'a\nb', ['a', 'b']],
    ['blank lines', 'a\n\nb\n', ['a', '', 'b', '']],
    ['CRLF, whose CR JSON takes for a blank', 'a\r\nb\r\n', ['a\r', 'b\r', '']],
    ['U+2028, U+2029 and U+0085 inside', 'a\u2028b\u2029c\u0085d\n', ['a\u2028b\u2029c\u0085d', '']],
    ['a byte order mark, which is kept', '\ufeffa\n', ['\ufeffa', '']],
  ]
  it.each(rows)('%s', (_title, text, lines) => {
    // After the last LF there is nothing, so no line.
    expect(split([text])).toEqual(lines.at(-1) === '' ? lines.slice(0, -1) : lines)
  })

  it('wherever the chunks are cut, inside a character, too', () => {
    const text = 'Åland 🧭\n\u2028日本語\r\n\nlast'
    const bytes = Buffer.from(text)
    const whole = split([bytes])
    expect(whole).toEqual(['Åland 🧭', '\u2028日本語\r', '', 'last'])
    for (let cut = 0; cut <= bytes.length; cut++) {
      expect(split([bytes.subarray(0, cut), bytes.subarray(cut)])).toEqual(whole)
    }
    expect(split(Array.from(bytes, (byte) => Uint8Array.of(byte)))).toEqual(whole)
  })

  it('broken UTF-8 becomes U+FFFD and breaks no other line', () => {
    expect(split([Buffer.from([0x61, 0xff, 0xc3, 0x0a, 0x62, 0x0a])])).toEqual(['a\ufffd\ufffd', 'b'])
  })

  it('a chunk is its owner’s to use again', () => {
    const splitter = new LineSplitter()
    const chunk = Buffer.from('abc')
    splitter.push(chunk)
    chunk.fill(0x78)
    expect(splitter.push(Buffer.from('\n'))).toEqual(['abc'])
  })
})

describe('a line past the limit is dropped whole, in its place, and no other with it', () => {
  const text = 'ab\n12345\n12345678\ncd\n'
  it.each([[1], [2], [3], [7], [100]])('in chunks of %i', (size) => {
    const bytes = Buffer.from(text)
    const chunks: Uint8Array[] = []
    for (let at = 0; at < bytes.length; at += size) chunks.push(bytes.subarray(at, at + size))
    expect(split(chunks, 5)).toEqual(['ab', '12345', undefined, 'cd'])
  })

  it('said once, as soon as it is known, also without an end', () => {
    const splitter = new LineSplitter(4)
    expect(splitter.push(Buffer.from('12345'))).toEqual([undefined])
    expect(splitter.push(Buffer.from('67890'))).toEqual([])
    expect(splitter.end()).toEqual([])
  })

  it('several in one chunk', () => {
    expect(split(['123456\n1\n123456\n123456'], 5)).toEqual([undefined, '1', undefined, undefined])
  })
})

it('the time grows with the length of a line, not with its square', () => {
  const time = (megabytes: number) => {
    const chunk = Buffer.alloc(64 * 1024, 'x')
    const splitter = new LineSplitter()
    // Of this process alone: the others on the machine have their turns between.
    const start = process.cpuUsage()
    for (let sent = 0; sent < megabytes * 1024 * 1024; sent += chunk.length) splitter.push(chunk)
    const [line] = splitter.push(Buffer.from('\n'))
    expect(line?.length).toBe(megabytes * 1024 * 1024)
    return process.cpuUsage(start).user / 1_000
  }
  time(1)
  // 8 times the bytes: a splitter that scans again for every chunk takes 64 times as long.
  expect(time(64)).toBeLessThan(8 * Math.max(time(8), 10) * 4)
})
