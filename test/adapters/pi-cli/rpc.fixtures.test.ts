import { describe, expect, it } from 'vitest'
import { asObject } from '../../../src/protocol/narrow.ts'
import { askedTitle, everyCut, liveCases, readRecords, retractedText, table, tide } from '../recorded-live.ts'
import type { Json } from './records.ts'
import { Driven } from './rpc-driving.ts'

/** pi's stdout, recorded in rpc mode on the loopback model server: the oldest pinned version and the newest. */
const versions = ['0.63.2', '1.6.0'] as const

interface Row {
  /** Of each turn: status or code, text, input tokens of the turn. */
  turns: [string, string, number?][]
  tools?: string[]
  retracted?: string[]
  /** What an extension asked. */
  asked?: string[]
  resume?: string
  fork?: boolean
  origin?: 'resumed' | 'forked'
}

const rows: Record<string, Row> = {
  text: { turns: [['success', tide, 120]] },
  tool: { turns: [['success', table, 360]], tools: ['completed', 'completed'] },
  'parallel-tools': {
    turns: [['success', 'All three answered: port, starboard and bow.', 240]],
    tools: ['completed', 'completed', 'completed'],
  },
  'two-turns': {
    turns: [
      ['success', 'Turn 1.', 100],
      ['success', 'Turn 2.', 200],
    ],
  },
  'approval-allowed': {
    turns: [['success', 'It said: confirm', 240]],
    tools: ['completed'],
    asked: ['approval May it run?\nIt only says something.'],
  },
  'approval-denied': {
    turns: [['success', 'It said: answered: false', 240]],
    tools: ['failed'],
    asked: ['approval May it run?\nIt only says something.'],
  },
  questions: {
    turns: [
      ['success', 'It said: answered: starboard', 240],
      ['success', 'It said: answered: true,,3', 240],
    ],
    tools: ['failed', 'failed'],
    asked: ['question Which way?', 'approval One?', 'question Two?', 'question Three?'],
  },
  'steer-delivered': { turns: [['success', 'Heard: Turn to port.', 240]], tools: ['completed'] },
  'steer-late': {
    turns: [
      ['success', 'Said p1', 120],
      ['success', 'Said p2', 120],
      ['success', 'Said p3', 120],
    ],
  },
  'interrupt-text': {
    turns: [
      ['aborted', 'word word word word word'],
      ['success', 'Here I am.', 120],
    ],
  },
  'interrupt-tool': {
    turns: [
      ['aborted', 'I sleep.', 120],
      ['success', 'Here I am.', 120],
    ],
    tools: ['failed'],
  },
  unauthorized: { turns: [['auth', '']] },
  'rate-limited': { turns: [['rate_limit', '']] },
  'server-error': { turns: [['overloaded', '']] },
  'connection-cut-once': {
    turns: [['success', tide, 120]],
    retracted: ['This answer begins well, promises'],
  },
  resume: { turns: [['success', 'Users: One. Two.', 120]], origin: 'resumed' },
  fork: { turns: [['success', 'Users: One. Two.', 120]], origin: 'forked', fork: true },
}

/** 0.63.2 does not begin at all without a key. */
const newestOnly: Record<string, Row> = { 'no-key': { turns: [['auth', '']] } }

describe.each(versions)('pi %s in rpc mode', (version) => {
  const folder = new URL(`../../../fixtures/pi-cli/${version}/`, import.meta.url)
  const expected = version === '1.6.0' ? { ...rows, ...newestOnly } : rows

  it('has a row for each recording', () => {
    expect(liveCases(folder)).toEqual(Object.keys(expected).sort())
  })

  it.each(Object.entries(expected))('%s', (name, row) => {
    const records = readRecords(new URL(`live-${name}.jsonl`, folder))
    const driven = replay(records, row)
    expect(
      driven.completions.map(({ status, error, text, usage }) => [
        error?.code ?? status,
        text,
        ...(usage?.inputTokens === undefined ? [] : [usage.inputTokens]),
      ]),
    ).toEqual(row.turns)
    expect(ends(driven, /^tool .* end (\w+)/)).toEqual(row.tools ?? [])
    expect(driven.events.flatMap((event) => retractedText(event))).toEqual(row.retracted ?? [])
    expect(driven.events.flatMap((event) => askedTitle(event))).toEqual(row.asked ?? [])
    const first = row.origin ?? 'new'
    const origins = row.turns.map((_, index) => (index === 0 ? first : 'resumed'))
    expect(ends(driven, /^session .* (\w+)$/)).toEqual(origins)
    expect(driven.said.filter((line) => line === 'notice unknown_record')).toEqual([])
    expect(driven.failures).toEqual([])
  })

  it('tells the same of its old turns wherever its stdout ends', () => {
    const counts = new Set<number>()
    for (const records of everyCut(readRecords(new URL('live-two-turns.jsonl', folder)))) {
      const { completions } = replay(records, {})
      const done = completions.filter(({ status }) => status === 'success').map(({ text }) => text)
      expect(done).toEqual(['Turn 1.', 'Turn 2.'].slice(0, done.length))
      expect(completions.length - done.length).toBeLessThanOrEqual(1)
      counts.add(done.length)
    }
    expect([...counts]).toEqual([0, 1, 2])
  })
})

function replay(records: Json[], { origin, fork }: Pick<Row, 'origin' | 'fork'>): Driven {
  const id = asObject(records[0]?.data)?.sessionId
  const resume = origin === undefined ? undefined : fork ? 'another' : String(id)
  const options = {
    interactions: 'host' as const,
    ...(resume !== undefined && { resume }),
    ...(fork && { fork }),
  }
  return new Driven({ options, opening: {}, greeted: false }).pi(...records).end()
}

function ends(driven: Driven, pattern: RegExp): string[] {
  return driven.said.flatMap((line) => pattern.exec(line)?.[1] ?? [])
}
