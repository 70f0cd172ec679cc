import { readdir, readFile } from 'node:fs/promises'
import { replay } from '../../dist/index.js'
import { chunked, comparePairs, floor } from './timing.mjs'

const fixtures = new URL('../../fixtures/', import.meta.url)
const aim = 0.6
const wanted = 50 * 1024 * 1024

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
    note: 'Speed as a part of the floor (decode, split on LF, `JSON.parse`, nothing else, same bytes), 50 MB: the median of pairs and its 95 % interval. The aim: at least 0.6.',
    header: ['fixtures', 'records', 'events', 'part of the floor', 'interval', 'the aim is'],
    rows,
  }
}

async function measure(adapter, transport, chunks) {
  let events = 0
  const ours = async () => {
    events = 0
    for await (const _ of replay({ adapter, transport, stdout: chunks })) events++
  }
  let records = 0
  const bare = async () => {
    records = floor(chunks)
  }
  const part = (floorTime, ourTime) => floorTime / ourTime
  const { interval, outcome } = await comparePairs(bare, ours, part, (share) => share >= aim)
  const [low, middle, high] = interval.map((share) => share.toFixed(2))
  return [`${records}`, `${events}`, middle, `${low} to ${high}`, outcome]
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
