import { describe, expect, it } from 'vitest'
import { askedTitle, everyCut, liveCases, readRecords, retractedText, table, tide } from '../recorded-live.ts'
import { Driven, type Json } from './app-server-driving.ts'

/** codex app-server's stdout, recorded on the loopback model server: the floor of the live transport and the newest. */
const versions = ['0.113.0', '0.171.0'] as const

interface Row {
  /** Of each turn: status or code, text, input tokens of the turn. */
  turns: [string, string, number?][]
  tools?: string[]
  retracted?: string[]
  /** What codex asked. */
  asked?: string[]
  origin?: 'resumed' | 'forked'
  failure?: string
}

const touch = 'approval Run this command? touch moored.txt'
const cutOff = 'There was once a captain who never got to the end of his'

const rows: Record<string, Row> = {
  text: { turns: [['success', tide, 120]] },
  tool: { turns: [['success', table, 360]], tools: ['shell completed', 'shell completed'] },
  'parallel-tools': {
    turns: [['success', 'All three answered: port, starboard and bow.', 240]],
    tools: ['shell completed', 'shell completed', 'shell completed'],
  },
  'two-turns': {
    turns: [
      ['success', 'Turn 1.', 100],
      ['success', 'Turn 2.', 200],
    ],
  },
  'approval-allowed': { turns: [['success', 'Moored.', 240]], tools: ['shell completed'], asked: [touch] },
  'approval-denied': {
    turns: [['success', 'As you wish.', 240]],
    tools: ['shell rejected'],
    asked: [touch],
  },
  question: { turns: [['success', 'To Kiel, then.', 240]], asked: ['question Which port?'] },
  unauthorized: { turns: [['auth', '']] },
  'rate-limited': { turns: [['rate_limit', '']] },
  'server-error': { turns: [['overloaded', '']] },
  'connection-cut-once': {
    turns: [['success', tide, 120]],
    retracted: ['This answer begins well, promises'],
  },
  'steer-delivered': { turns: [['success', 'Turned to port.', 240]], tools: ['shell completed'] },
  'interrupt-text': {
    turns: [
      ['aborted', 'word '],
      ['success', 'Here I am.', 120],
    ],
  },
  'interrupt-tool': {
    turns: [
      ['aborted', 'I sleep.', 120],
      ['success', 'Here I am.', 120],
    ],
    tools: ['shell interrupted'],
  },
  resume: { turns: [['success', 'Resumed.', 120]], origin: 'resumed' },
  fork: { turns: [['success', 'Forked.', 120]], origin: 'forked' },
  'unknown-conversation': { turns: [], failure: 'resume_rejected' },
}

/** Where the two differ. */
const ofVersion: Record<(typeof versions)[number], Record<string, Row>> = {
  '0.113.0': {
    'approval-cancelled': {
      turns: [
        ['aborted', '', 120],
        ['success', 'Here I am.', 120],
      ],
      tools: ['shell rejected', 'shell interrupted'],
      asked: ['approval Run this command? touch rowed.txt', touch],
    },
    patch: {
      turns: [['success', 'Written.', 240]],
      tools: ['apply_patch completed'],
      asked: ['approval Apply these changes? /w/project/log.txt'],
    },
    elicitation: {
      turns: [['success', 'Asked.', 240]],
      tools: ['ask completed'],
      asked: ['form Which port?'],
    },
    // It takes a steer in between two responses only.
    'steer-in-text': { turns: [['success', 'To port it is.', 240]] },
    'max-tokens': { turns: [['max_output', cutOff]], retracted: [cutOff] },
  },
  '0.171.0': {
    'approval-cancelled': {
      turns: [
        ['aborted', '', 120],
        ['success', 'Here I am.', 120],
      ],
      tools: ['shell rejected'],
      asked: [touch],
    },
    patch: {
      turns: [['success', 'Written.', 240]],
      tools: ['apply_patch completed'],
      asked: ['approval Apply these changes? /w/project/log.txt'],
    },
    elicitation: {
      turns: [['success', 'Asked.', 240]],
      tools: ['ask completed'],
      asked: ['approval Allow the tiny MCP server to run tool "ask"?', 'form Which port?'],
    },
    'steer-in-text': { turns: [['success', 'To port it is.', 120]], retracted: ['Straight'] },
    'max-tokens': { turns: [['max_output', cutOff, 120]] },
    'sub-agent': {
      turns: [['success', 'All done.', 360]],
      tools: ['spawn_agent completed', 'shell completed', 'wait completed'],
    },
  },
}

describe.each(versions)('codex %s app-server', (version) => {
  const folder = new URL(`../../../fixtures/codex-cli/${version}/`, import.meta.url)
  const expected = { ...rows, ...ofVersion[version] }

  it('has a row for each recording', () => {
    expect(liveCases(folder)).toEqual(Object.keys(expected).sort())
  })

  it.each(Object.entries(expected))('%s', (name, row) => {
    const driven = replay(readRecords(new URL(`live-${name}.jsonl`, folder)), version, row)
    expect(
      driven.completions.map(({ status, error, text, usage }) => [
        error?.code ?? status,
        text,
        ...(usage?.inputTokens === undefined ? [] : [usage.inputTokens]),
      ]),
    ).toEqual(row.turns)
    expect(driven.events.flatMap((event) => endOf(event))).toEqual(row.tools ?? [])
    expect(driven.events.flatMap((event) => retractedText(event))).toEqual(row.retracted ?? [])
    expect(driven.events.flatMap((event) => askedTitle(event))).toEqual(row.asked ?? [])
    const origins = driven.events.flatMap((event) => (event.type === 'session' ? [event.origin] : []))
    expect(origins).toEqual(row.turns.map((_, index) => (index === 0 ? (row.origin ?? 'new') : 'resumed')))
    expect(driven.said.filter((line) => line.startsWith('notice unknown_record'))).toEqual([])
    expect(driven.failures.map(({ code }) => code)).toEqual(row.failure === undefined ? [] : [row.failure])
  })

  it('streams the answer in fragments', () => {
    const driven = replay(readRecords(new URL('live-tool.jsonl', folder)), version, {})
    const texts = driven.events.filter((event) => event.type === 'delta')
    const thoughts = driven.events.filter((event) => event.type === 'thinking')
    expect([texts.length, thoughts.length].map((count) => count > 20)).toEqual([true, true])
    expect([...texts, ...thoughts].every((event) => event.contentDelta)).toBe(true)
  })

  it('tells the same of its old turns wherever its stdout ends', () => {
    const counts = new Set<number>()
    for (const records of everyCut(readRecords(new URL('live-two-turns.jsonl', folder)))) {
      const { completions } = replay(records, version, {})
      const done = completions.filter(({ status }) => status === 'success').map(({ text }) => text)
      expect(done).toEqual(['Turn 1.', 'Turn 2.'].slice(0, done.length))
      expect(completions.length - done.length).toBeLessThanOrEqual(1)
      counts.add(done.length)
    }
    expect([...counts]).toEqual([0, 1, 2])
  })
})

function replay(records: Json[], version: string, { origin, failure }: Partial<Row>): Driven {
  const options = {
    interactions: 'host' as const,
    ...(origin !== undefined || failure !== undefined ? { resume: 'an earlier one' } : {}),
    ...(origin === 'forked' && { fork: true }),
  }
  return new Driven({ options, version, recorded: true }).codex(...records).end()
}

type Said = Driven['events'][number]

function endOf(event: Said): string[] {
  return event.type === 'tool' && event.phase === 'end' ? [`${event.name} ${event.status}`] : []
}
