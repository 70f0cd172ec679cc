import { describe, expect, it } from 'vitest'
import type { WireEvent } from '../../src/protocol/events.ts'
import { LineSplitter } from '../../src/protocol/lines.ts'
import type { Step, Wire } from '../../src/protocol/wire.ts'
import { WireReader } from '../../src/protocol/wire-reader.ts'

const notice = (code: string): WireEvent => ({ type: 'notice', level: 'info', code, message: code })
const completion: WireEvent = {
  type: 'completion',
  status: 'success',
  text: 'x',
  evidence: { by: 'record', detail: 'x' },
}

/** A wire that does what each record says in `step`, or each command in its text. */
function read(lines: string, transport: 'structured' | 'live' = 'structured') {
  const events: string[] = []
  const wire: Wire = {
    start: () => ({ events: [notice('began')] }),
    receive: (record): Step => ({ events: [], ...Object(record.step) }),
    command: (command): Step => ({ events: [notice(`told to ${command.type}`)] }),
    end: () => ({ events: [notice('over'), completion] }),
  }
  const reader = new WireReader(
    wire,
    (event) => events.push(event.type === 'notice' ? event.code : event.type),
    transport === 'live'
      ? {
          step: (step) => step.ready && events.push('ready'),
          complete: ({ text }) => events.push(`completion ${text}`),
          send: (message) => events.push(`sent ${JSON.stringify(message)}`),
        }
      : undefined,
    new LineSplitter(300),
  )
  reader.start({ transport, options: {} })
  if (transport === 'live') reader.command({ type: 'interrupt' })
  reader.push(Buffer.from(lines))
  const { ended } = reader
  const statement = reader.end({ exitCode: 0, signal: null, stderr: '' })
  return { events, statement, ended, ledger: reader.ledger }
}

const line = (step: Step) => `${JSON.stringify({ step })}\n`

describe('a wire is fed with records, and what came is counted', () => {
  it('every kind of line', () => {
    const text = [
      line({ events: [notice('a')] }),
      line({ events: [] }),
      '\r\n',
      'noise\n',
      '[1]\n',
      `${'x'.repeat(301)}\n`,
      line({ events: [notice('unknown_record')] }),
      line({ events: [], ended: true }),
      '{"last":1}',
    ].join('')
    const { events, ledger } = read(text)
    expect(events).toEqual([
      'began',
      'a',
      'line_invalid',
      'unknown_record',
      'line_oversized',
      'unknown_record',
      'over',
    ])
    expect(ledger).toEqual({
      bytes: text.length,
      records: 6,
      ignored: 2,
      unknown: 2,
      invalid: 1,
      oversized: 1,
    })
  })

  it('a completion that comes before the end is kept back, and the last one counts', () => {
    const early = { ...completion, text: 'early' }
    const { events, statement, ended } = read(line({ events: [early, notice('after')] }))
    expect(events).toEqual(['began', 'after', 'over'])
    expect(ended).toBe(true)
    expect(statement).toEqual(completion)
  })

  it('the last word can be taken back', () => {
    expect(read(line({ events: [], ended: true })).ended).toBe(true)
    expect(read(line({ events: [], ended: true }) + line({ events: [], ended: false })).ended).toBe(false)
    expect(read(line({ events: [], ended: true }) + line({ events: [] })).ended).toBe(true)
  })

  it('a structured wire has nobody to send to', () => {
    expect(read(line({ events: [], send: [{ id: 1 }] })).events).toEqual(['began', 'over'])
  })

  it('of a live wire each completion and what it sends is handed on in order, and what a step is comes before its events', () => {
    const early = { ...completion, text: 'early' }
    const text = line({
      events: [notice('a'), early, notice('b')],
      send: [{ id: 1 }, { id: 2 }],
      ready: true,
    })
    const { events, statement, ended } = read(text, 'live')
    expect(events).toEqual([
      'began',
      'told to interrupt',
      'ready',
      'a',
      'completion early',
      'b',
      'sent {"id":1}',
      'sent {"id":2}',
      'over',
      'completion x',
    ])
    expect({ statement, ended }).toEqual({ statement: undefined, ended: false })
  })
})

describe('a wire that is none is told so', () => {
  const good: Wire = {
    start: () => ({ events: [] }),
    receive: () => ({ events: [] }),
    end: () => ({ events: [] }),
  }
  const exit = { exitCode: 0, signal: null, stderr: '' }
  // As an author without types would write it.
  const careless = (wire: object): WireReader => new WireReader(Object.assign({}, good, wire), () => {})

  it('one that is async: its own failure hurts nobody', () => {
    const reader = careless({ receive: async () => Promise.reject(new Error('late')) })
    expect(() => reader.push(Buffer.from('{}\n'))).toThrow('a wire must not be async')
  })

  it.each([undefined, {}, { events: 7 }])('one that returns %j', (step) => {
    const reader = careless({ receive: () => step })
    expect(() => reader.push(Buffer.from('{}\n'))).toThrow('a wire must return { events: [...] }')
  })

  it.each([{ text: undefined }, { status: 'done' }, { evidence: undefined }])(
    'one that ends with %j',
    (part) => {
      const reader = careless({ end: () => ({ events: [{ ...completion, ...part }] }) })
      expect(() => reader.end(exit)).toThrow('a completion must have a status, a text and its evidence')
    },
  )

  const error = { code: 'auth', message: 'no', retryable: false }
  it.each([
    { status: 'success', error },
    { status: 'error', error: undefined },
    { status: 'timeout', error: undefined },
  ])('one that ends with %j, which contradicts itself', (part) => {
    const reader = careless({ end: () => ({ events: [{ ...completion, ...part }] }) })
    expect(() => reader.end(exit)).toThrow(
      'a completion has an error exactly where its status is not success',
    )
  })
})
