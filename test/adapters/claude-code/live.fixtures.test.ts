import { describe, expect, it } from 'vitest'
import { everyCut, liveCases, readRecords, table, tide } from '../recorded-live.ts'
import { Driven, type Json } from './live-driving.ts'

/** claude's stdout, recorded with the control protocol on the loopback model server: the floor and the newest. */
const versions = ['2.0.72', '2.1.332'] as const

interface Row {
  /** Of each turn: status or code, and text. */
  turns: [string, string][]
  /** Input tokens of the last turn. */
  inputTokens: number
  tools?: string[]
  asked?: string[]
  resume?: string
  fork?: boolean
  /** What one version does otherwise. */
  '2.0.72'?: Partial<Row>
}

const words = Array.from({ length: 60 }, (_, index) => `word${index} `).join('')
const plain: [string, string] = ['success', 'Plain answer.']

const rows: Record<string, Row> = {
  text: { turns: [['success', tide]], inputTokens: 120 },
  tool: { turns: [['success', table]], inputTokens: 360, tools: ['completed', 'completed'] },
  'parallel-tools': {
    turns: [['success', 'All three answered: port, starboard and bow.']],
    inputTokens: 240,
    tools: ['completed', 'completed', 'completed'],
  },
  'two-turns': { turns: [plain, ['success', 'After sleep.']], inputTokens: 130, tools: ['completed'] },
  'approval-allowed': {
    turns: [['success', 'After touch.']],
    inputTokens: 130,
    tools: ['completed'],
    asked: ['approval Bash: touch hello.txt', 'allow by host'],
  },
  'approval-denied': {
    turns: [['success', 'After touch.']],
    inputTokens: 130,
    tools: ['rejected'],
    asked: ['approval Bash: touch hello.txt', 'deny by host'],
  },
  question: {
    turns: [['success', 'After ask.']],
    inputTokens: 130,
    tools: ['completed'],
    asked: ['question Which color? Which fruits?', 'allow by host'],
  },
  plan: {
    turns: [
      ['success', 'After enterplan.'],
      ['success', 'After plan.'],
    ],
    inputTokens: 130,
    tools: ['completed', 'completed'],
    asked: ['plan Carry out the plan?', 'allow by host'],
    '2.0.72': {
      asked: ['approval EnterPlanMode', 'allow by host', 'plan Carry out the plan?', 'allow by host'],
    },
  },
  'steer-delivered': {
    turns: [['success', 'After steered.']],
    inputTokens: 130,
    tools: ['completed'],
    // It hands the message on twice: beside the tool's result, and once more after the answer to that.
    '2.0.72': { turns: [plain], inputTokens: 160 },
  },
  'steer-queued': { turns: [['success', words], plain], inputTokens: 30 },
  'interrupt-text': {
    turns: [['aborted', 'word0 word1 word2 word3 word4 word5 word6 '], plain],
    inputTokens: 30,
    '2.0.72': {
      turns: [
        ['aborted', 'word0 word1 word2 word3 word4 word5 word6 word7 word8 word9 word10 word11 '],
        plain,
      ],
    },
  },
  'interrupt-tool': {
    turns: [
      ['aborted', 'I run it long.'],
      ['success', 'After plain.'],
    ],
    inputTokens: 100,
    tools: ['interrupted'],
    // Only a host that interrupted knows why the call failed.
    '2.0.72': { tools: ['failed'] },
  },
  'interrupt-approval': {
    turns: [['aborted', 'I touch it.']],
    inputTokens: 30,
    tools: ['interrupted'],
    asked: ['approval Bash: touch hello.txt', 'cancel by cli'],
    '2.0.72': { tools: ['failed'] },
  },
  unauthorized: { turns: [['auth', '']], inputTokens: 0 },
  'rate-limited': { turns: [['rate_limit', '']], inputTokens: 0 },
  'server-error': { turns: [['overloaded', '']], inputTokens: 0 },
  resume: { turns: [plain, plain], inputTokens: 30, resume: 'same' },
  fork: { turns: [plain, plain], inputTokens: 30, resume: 'another', fork: true },
}

describe.each(versions)('claude %s with the control protocol', (version) => {
  const folder = new URL(`../../../fixtures/claude-code/${version}/`, import.meta.url)

  it('has a row for each recording', () => {
    expect(liveCases(folder)).toEqual(Object.keys(rows).sort())
  })

  it.each(Object.entries(rows))('%s', (name, common) => {
    const row = { ...common, ...(version === '2.0.72' && common['2.0.72']) }
    const driven = replay(readRecords(new URL(`live-${name}.jsonl`, folder)), row)
    expect(driven.completions.map(({ status, error, text }) => [error?.code ?? status, text])).toEqual(
      row.turns,
    )
    expect(driven.last?.usage?.inputTokens).toBe(row.inputTokens)
    expect(matches(driven, /^tool end \w+ (\w+)/)).toEqual(row.tools ?? [])
    expect(matches(driven, /^(?:asked|resolved) \S+ (.*)/)).toEqual(row.asked ?? [])
    const first = row.fork ? 'forked' : row.resume === undefined ? 'new' : 'resumed'
    expect(matches(driven, /^session .* (\w+)$/)).toEqual(
      row.turns.map((_, index) => (index === 0 ? first : 'resumed')),
    )
    expect(driven.said.filter((line) => line === 'notice unknown_record')).toEqual([])
    expect(driven.failures).toEqual([])
  })

  it('tells the same of its old turns wherever its stdout ends', () => {
    const counts = new Set<number>()
    for (const records of everyCut(readRecords(new URL('live-two-turns.jsonl', folder)))) {
      const { completions } = replay(records, {})
      const done = completions.filter(({ status }) => status === 'success').map(({ text }) => text)
      expect(done).toEqual(['Plain answer.', 'After sleep.'].slice(0, done.length))
      expect(completions.length - done.length).toBeLessThanOrEqual(1)
      counts.add(done.length)
    }
    expect([...counts]).toEqual([0, 1, 2])
  })
})

function replay(records: Json[], { resume, fork }: Partial<Row>): Driven {
  const sessionId = records.flatMap(({ session_id }) => session_id ?? [])[0]
  const options = {
    ...(resume !== undefined && { resume: resume === 'same' ? String(sessionId) : resume }),
    ...(fork && { fork }),
  }
  return new Driven({ options, opening: undefined, greeted: false }).claude(...records).end()
}

function matches(driven: Driven, pattern: RegExp): string[] {
  return driven.said.flatMap((line) => pattern.exec(line)?.[1] ?? [])
}
