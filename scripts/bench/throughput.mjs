import { readdir, readFile } from 'node:fs/promises'
import { replay } from '../../dist/index.js'
import { chunked, decide, Floor } from './timing.mjs'

const fixtures = new URL('../../fixtures/', import.meta.url)
const aim = 0.6
const wanted = 50 * 1024 * 1024
/** 2 MB. */
const pieceChunks = 32

/** Bytes to events against the floor, on every CLI's fixtures repeated to 50 MB. */
export async function throughput() {
  const rows = []
  for (const adapter of (await readdir(fixtures)).sort()) {
    for (const version of (await readdir(new URL(`${adapter}/`, fixtures))).sort()) {
      for (const transport of ['structured', 'live']) {
        const names = await recordings(new URL(`${adapter}/${version}/`, fixtures), transport)
        if (names.length === 0) continue
        const label = transport === 'live' ? `${adapter} ${version}, live` : `${adapter} ${version}`
        rows.push([label, ...(await measure(adapter, transport, chunked(await repeated(names))))])
      }
    }
  }
  return {
    title: 'Bytes to events',
    note: 'Speed as a part of the floor (decode, split on LF, `JSON.parse`, nothing else, same bytes), 50 MB, 2 MB each in turn: the centre of the rounds and its 95 % interval. The aim: at least 0.6.',
    header: ['fixtures', 'records', 'events', 'part of the floor', 'interval', 'the aim is'],
    rows,
  }
}

async function measure(adapter, transport, chunks) {
  let counts
  const round = async () => {
    counts = await sideBySide(adapter, transport, chunks)
    return counts.floorTime / counts.ourTime
  }
  const { interval, outcome } = await decide(round, (share) => share >= aim)
  const [low, middle, high] = interval.map((share) => share.toFixed(2))
  return [`${counts.records}`, `${counts.events}`, middle, `${low} to ${high}`, outcome]
}

/**
 * Both go through all bytes, a piece each in turn: of two runs of half a second one may have the machine to itself and the
 * other not. The replay asks for its next chunk when all events of the last are taken, so the clocks change there.
 */
async function sideBySide(adapter, transport, chunks) {
  const floor = new Floor()
  let floorTime = 0
  const bare = (piece) => {
    const start = performance.now()
    floor.push(piece)
    floorTime += performance.now() - start
  }
  function* pieces() {
    for (let start = 0, isFirst = true; start < chunks.length; start += pieceChunks, isFirst = !isFirst) {
      const piece = chunks.slice(start, start + pieceChunks)
      // Who comes second finds the bytes in the processor's caches.
      if (isFirst) bare(piece)
      yield* piece
      if (!isFirst) bare(piece)
    }
  }
  let events = 0
  const start = performance.now()
  for await (const _ of replay({ adapter, transport, stdout: pieces() })) events++
  return { records: floor.records, events, floorTime, ourTime: performance.now() - start - floorTime }
}

/** Those of one transport: the other's wire knows none of their records. */
async function recordings(folder, transport) {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.jsonl')).sort()
  const isLive = transport === 'live'
  return names.filter((name) => name.startsWith('live-') === isLive).map((name) => new URL(name, folder))
}

/** All records of one version's recordings, again and again; without the recordings with one giant line, and without noise lines. */
async function repeated(names) {
  const files = await Promise.all(names.map((name) => readFile(name, 'utf8')))
  const lines = files
    .filter((file) => file.length < 1_000_000)
    .flatMap((file) => file.split('\n').filter(isRecord))
  const once = Buffer.from(`${lines.join('\n')}\n`)
  return Buffer.concat(Array.from({ length: Math.ceil(wanted / once.length) }, () => once))
}

function isRecord(line) {
  try {
    return typeof JSON.parse(line) === 'object'
  } catch {
    return false
  }
}
