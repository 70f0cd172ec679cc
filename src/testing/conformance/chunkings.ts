import { LineSplitter } from '../../protocol/lines.ts'
import { comparable, firstDifference, type ReplaySetting, replayNow } from '../replay-now.ts'

const everyCutBytes = 64 * 1024
/** How many bytes one promise may push through the wire: a recording of several MB is cut less often. */
const workBytes = 4 * 1024 * 1024

/**
 * Guarantee 6: the same bytes give the same events however they are cut, with LF or CRLF, with or without the last newline.
 * Returns how it broke; empty: it held.
 */
export function checkChunkings(setting: ReplaySetting, stdout: Uint8Array): string[] {
  const expected = comparable(replayNow(setting, [stdout]))
  const breaches: string[] = []
  const compare = (how: string, chunks: Iterable<Uint8Array>) => {
    const difference = firstDifference(comparable(replayNow(setting, chunks)), expected)
    if (difference !== undefined) breaches.push(`${how}: ${difference}`)
  }
  compare('in pieces of 7 bytes', piecesOf(stdout, 7))
  if (stdout.length <= workBytes / 16) compare('in pieces of 1 byte', piecesOf(stdout, 1))
  if (stdout.length <= everyCutBytes) {
    breaches.push(...checkEveryCut(setting, stdout, expected))
  }
  const random = seeded(stdout.length)
  const runs = Math.max(1, Math.min(20, Math.floor(workBytes / (stdout.length + 1))))
  const cutsPerRun = Math.ceil(1000 / runs)
  for (let run = 0; run < runs; run++) {
    compare(
      `at ${cutsPerRun} random places (run ${run})`,
      piecesAt(stdout, randomCuts(random, stdout, cutsPerRun)),
    )
  }
  compare('with CRLF', [withCarriageReturns(stdout)])
  compare('with CRLF in pieces of 7 bytes', piecesOf(withCarriageReturns(stdout), 7))
  compare('without the last newline', [withoutLastNewline(stdout)])
  compare('with a last newline', [Buffer.concat([withoutLastNewline(stdout), Buffer.from('\n')])])
  return breaches
}

/**
 * Every single cut. All the way through the wire while that is affordable; past it up to the lines, which are all that a
 * wire gets to see of the bytes, and of those the ones beside the cut.
 */
function checkEveryCut(setting: ReplaySetting, stdout: Uint8Array, expected: string[]): string[] {
  const throughTheWire = stdout.length ** 2 <= workBytes
  let { start, end } = { start: 0, end: 0 }
  let whole: (string | undefined)[] = []
  for (let cut = 1; cut < stdout.length; cut++) {
    if (cut >= end) {
      start = cut < 2 ? 0 : stdout.lastIndexOf(0x0a, cut - 2) + 1
      end = endOfLine(stdout, endOfLine(stdout, cut))
      whole = linesOfWindow(stdout, start, end, end)
    }
    if (!sameLines(linesOfWindow(stdout, start, end, cut), whole)) {
      return [`cut at byte ${cut}: the lines differ`]
    }
    if (!throughTheWire) continue
    const events = comparable(replayNow(setting, [stdout.subarray(0, cut), stdout.subarray(cut)]))
    const difference = firstDifference(events, expected)
    if (difference !== undefined) return [`cut at byte ${cut}: ${difference}`]
  }
  return []
}

function endOfLine(stdout: Uint8Array, from: number): number {
  const found = stdout.indexOf(0x0a, from)
  return found === -1 ? stdout.length : found + 1
}

function linesOfWindow(stdout: Uint8Array, start: number, end: number, cut: number): (string | undefined)[] {
  const splitter = new LineSplitter()
  return [
    ...splitter.push(stdout.subarray(start, cut)),
    ...splitter.push(stdout.subarray(cut, end)),
    ...splitter.end(),
  ]
}

function sameLines<T>(a: T[], b: T[]): boolean {
  return a.length === b.length && a.every((line, index) => line === b[index])
}

function* piecesOf(bytes: Uint8Array, size: number): Generator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size)
}

function* piecesAt(bytes: Uint8Array, cuts: number[]): Generator<Uint8Array> {
  let start = 0
  for (const cut of [...cuts, bytes.length]) {
    yield bytes.subarray(start, cut)
    start = cut
  }
}

function randomCuts(random: () => number, bytes: Uint8Array, count: number): number[] {
  return Array.from({ length: count }, () => Math.floor(random() * (bytes.length + 1))).sort((a, b) => a - b)
}

/** mulberry32: the same cuts every time, so that a failure can be seen again. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

function withCarriageReturns(stdout: Uint8Array): Uint8Array {
  const bytes: Uint8Array[] = []
  let start = 0
  for (let at = stdout.indexOf(0x0a); at !== -1; at = stdout.indexOf(0x0a, start)) {
    const stop = stdout[at - 1] === 0x0d ? at - 1 : at
    bytes.push(stdout.subarray(start, stop), Buffer.from('\r\n'))
    start = at + 1
  }
  return Buffer.concat([...bytes, stdout.subarray(start)])
}

function withoutLastNewline(stdout: Uint8Array): Uint8Array {
  return stdout.at(-1) === 0x0a ? stdout.subarray(0, -1) : stdout
}
