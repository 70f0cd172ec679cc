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
      const chunks = chunked(await repeated(new URL(`${adapter}/${version}/`, fixtures)))
      let events = 0
      const ours = async () => {
        events = 0
        for await (const _ of replay({ adapter, stdout: chunks })) events++
      }
      let records = 0
      const bare = async () => {
        records = floor(chunks)
      }
      const part = (floorTime, ourTime) => floorTime / ourTime
      const { interval, outcome } = await comparePairs(bare, ours, part, (share) => share >= aim)
      const [low, middle, high] = interval.map((share) => share.toFixed(2))
      rows.push([`${adapter} ${version}`, `${records}`, `${events}`, middle, `${low} to ${high}`, outcome])
    }
  }
  return {
    title: 'Bytes to events',
    note: 'Speed as a part of the floor (decode, split on LF, `JSON.parse`, nothing else, same bytes), 50 MB: the median of pairs and its 95 % interval. The aim: at least 0.6.',
    header: ['fixtures', 'records', 'events', 'part of the floor', 'interval', 'the aim is'],
    rows,
  }
}

/** All records of one version's recordings, again and again; without the recordings with one giant line, and without noise lines. */
async function repeated(folder) {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.jsonl')).sort()
  const files = await Promise.all(names.map((name) => readFile(new URL(name, folder), 'utf8')))
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
