import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { agentEventSchema, assembleText } from '../../src/index.ts'
import { completionOf, type Exit, replayed } from './cursor-cli.turn.ts'

const root = new URL('../../fixtures/cursor-cli/', import.meta.url)
const cases = ['constructed-2026.01.28', 'constructed-2026.09.15'].flatMap((folder) =>
  readdirSync(new URL(folder, root))
    .filter((name) => name.endsWith('.jsonl'))
    .map((name) => `${folder}/${name.slice(0, -'.jsonl'.length)}`),
)

interface Expected {
  status: string
  code?: string
  text: string
  tools: { name: string; status: string }[]
  retracted: string[]
}

test('there are both sets of cases', () => {
  expect(cases.length).toBeGreaterThanOrEqual(35)
})

describe.each(cases)('%s', (name) => {
  const stdout = readFileSync(new URL(`${name}.jsonl`, root))
  const exit: Exit = { ...json(`${name}.exit.json`), stderr: text(`${name}.stderr`) }

  test('comes to what its hand-written row says', async () => {
    const events = await replayed(stdout, exit)
    const completion = completionOf(events)
    const actual: Expected = {
      status: completion.status,
      ...(completion.error && { code: completion.error.code }),
      text: completion.text,
      tools: events.flatMap((event) =>
        event.type === 'tool' && event.phase === 'start'
          ? [{ name: event.name, status: endOf(event.toolId) }]
          : [],
      ),
      retracted: events.flatMap((event) =>
        event.type === 'message' && event.status === 'retracted' ? [event.text] : [],
      ),
    }
    expect(actual).toEqual(json(`${name}.expect.json`))

    function endOf(toolId: string): string {
      const ends = events.filter(
        (event) => event.type === 'tool' && event.phase === 'end' && event.toolId === toolId,
      )
      expect(ends).toHaveLength(1)
      const [end] = ends
      return end?.type === 'tool' && end.phase === 'end' ? end.status : 'none'
    }
  })

  test('holds nothing that this version does not know, and only events of the schema', async () => {
    const events = await replayed(stdout, exit)
    for (const event of events) expect(agentEventSchema.safeParse(event).error).toBeUndefined()
    expect(completionOf(events).ledger.unknown).toBe(0)
  })

  test('says each kept message in its deltas, code point for code point', async () => {
    const events = await replayed(stdout, exit)
    for (const message of events) {
      if (message.type !== 'message' || message.status === 'retracted') continue
      const deltas = events.filter((event) => event.type === 'delta' && event.messageId === message.messageId)
      expect(deltas.map((event) => (event.type === 'delta' ? event.text : '')).join('')).toBe(message.text)
    }
    expect(assembleText(events).endsWith(completionOf(events).text)).toBe(true)
  })

  test('gives the same events in pieces of 1 and 7 bytes, and with CRLF', async () => {
    const whole = timeless(await replayed(stdout, exit))
    for (const size of [1, 7]) {
      const pieces: Uint8Array[] = []
      for (let at = 0; at < stdout.length; at += size) pieces.push(stdout.subarray(at, at + size))
      expect(timeless(await replayed(pieces, exit))).toEqual(whole)
    }
    const crlf = stdout.toString('utf8').replaceAll('\n', '\r\n')
    expect(timeless(await replayed(crlf, exit))).toEqual(whole)
  })
})

function timeless(events: readonly object[]): object[] {
  return events.map((event) => {
    const copy: Record<string, unknown> = { ...event, at: 0, durationMs: 0 }
    if ('ledger' in event) copy.ledger = { ...(event.ledger as object), bytes: 0 }
    return copy
  })
}

function text(path: string): string {
  try {
    return readFileSync(new URL(path, root), 'utf8')
  } catch {
    return ''
  }
}

function json(path: string) {
  return JSON.parse(text(path))
}
