import { readFileSync } from 'node:fs'
import type { WireEvent } from '../../src/protocol/events.ts'
import { asObject } from '../../src/protocol/narrow.ts'
import type { Json } from './driven-wire.ts'

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
