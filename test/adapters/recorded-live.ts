import { readdirSync, readFileSync } from 'node:fs'
import type { WireEvent } from '../../src/protocol/events.ts'
import { asObject } from '../../src/protocol/narrow.ts'
import type { Json } from './driven-wire.ts'

/** What the model said in every CLI's recordings of 'text' and 'tool'. */
export const tide = 'The tide turns at six, and the boat leaves with it.'
export const table = [
  'Both commands ran. Here is what they said:',
  '',
  '| step | command | said |',
  '|---|---|---|',
  '| 1 | `echo` | hello from the shell |',
  '| 2 | `printf` | caf\u00e9 \u{1f6a3} |',
  '',
  'Na\u00efve fa\u00e7ade, \u65e5\u672c\u8a9e, \u{1f469}\u200d\u{1f4bb} and a line\u2028separator: all intact.',
].join('\n')

/** The names of a folder's recordings of the live transport. */
export function liveCases(folder: URL): string[] {
  return readdirSync(folder)
    .flatMap((file) => /^live-(.*)\.jsonl$/.exec(file)?.[1] ?? [])
    .sort()
}

/** The records of a recorded process, each of which is an object. */
export function readRecords(file: URL): Json[] {
  const lines = readFileSync(file, 'utf8').split('\n')
  return lines.flatMap((line): Json[] => {
    const record = line === '' ? undefined : asObject(JSON.parse(line))
    return record ? [record] : []
  })
}

export function retractedText(event: WireEvent): string[] {
  return event.type === 'message' && event.status === 'retracted' ? [event.text] : []
}

export function askedTitle(event: WireEvent): string[] {
  return event.type === 'interaction' && event.phase === 'request' ? [`${event.kind} ${event.title}`] : []
}

/** The records as far as they had come when the stdout ended: at once, after each of them, and at its own end. */
export function everyCut(records: readonly Json[]): Json[][] {
  return Array.from({ length: records.length + 1 }, (_, end) => records.slice(0, end))
}
