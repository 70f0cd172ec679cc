import { describe, expect, it } from 'vitest'
import {
  type AgentEvent,
  assembleText,
  type BuiltInAdapterId,
  isAgentError,
  type ReplayOptions,
  replay,
} from '../../src/index.ts'
import { checkGuarantees } from '../../src/testing/guarantees.ts'
import { TinyWire, tinyCli, tinyOutput } from '../tiny-cli.ts'

async function collect(options: Omit<ReplayOptions, 'adapter'>): Promise<AgentEvent[]> {
  const events: AgentEvent[] = []
  for await (const event of replay({ adapter: tinyCli(), ...options })) events.push(event)
  return events
}

function timeless(events: AgentEvent[]): unknown[] {
  return events.map(({ at: _at, ...event }) => event)
}

const bytes = new TextEncoder().encode(tinyOutput)

describe('a recording gives its events', () => {
  it('numbered, with one completion at the end', async () => {
    const events = await collect({ stdout: [tinyOutput] })
    expect(events.map((event) => event.seq)).toEqual(events.map((_, index) => index))
    expect(events.map((event) => event.type)).toEqual([
      ...['session', 'thinking', 'thinking', 'delta', 'message', 'delta', 'delta', 'message'],
      ...['tool', 'tool', 'tool', 'tool', 'tool', 'tool', 'delta', 'message', 'completion'],
    ])
    expect(events.at(-1)).toMatchObject({
      status: 'success',
      text: 'Done.',
      sessionId: 'talk-1',
      evidence: { by: 'record', detail: 'bye' },
      ledger: { bytes: bytes.length, records: 16, ignored: 1, unknown: 0, invalid: 0, oversized: 0 },
      credentialExposure: 'none',
      exitCode: 0,
      signal: null,
      stderrTail: '',
      durationMs: 0,
    })
    expect(assembleText(events)).toBe('Looking now… 🧭\n\nDone.')
  })

  const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`
  const odd = `{"type":"weird","x":${deep}}`
  const deepRecords: [BuiltInAdapterId, string][] = [
    [
      'claude-code',
      `{"type":"assistant","message":{"content":[{"type":"tool_use","id":"c","name":"Bash","input":${odd}}]}}`,
    ],
    [
      'codex-cli',
      `{"type":"item.completed","item":{"id":"c","type":"mcp_tool_call","arguments":${odd},"result":{"content":[${odd}]}}}`,
    ],
    [
      'cursor-cli',
      `{"type":"tool_call","subtype":"completed","call_id":"c","tool_call":{"xToolCall":{"args":${odd},"result":${odd}}}}`,
    ],
    ['pi-cli', `{"type":"tool_execution_start","toolCallId":"c","toolName":"bash","args":${odd}}`],
  ]
  it.each(deepRecords)(
    'of %s that a recursion can follow, however deep a record is',
    async (adapter, record) => {
      const events: AgentEvent[] = []
      const options = { includeRaw: true }
      for await (const event of replay({ adapter, stdout: [`${record}\n{}\n`], options })) events.push(event)
      expect(checkGuarantees(events)).toEqual([])
      expect(JSON.stringify(events)).toContain('[too deep]')
      expect(events.at(-1)).toMatchObject({ evidence: { by: 'exit' }, ledger: { records: 2 } })
    },
  )

  const sources: [string, () => ReplayOptions['stdout']][] = [
    ['one text', () => tinyOutput],
    ['bytes', () => [bytes]],
    ['single bytes', () => Array.from(bytes, (byte) => Uint8Array.of(byte))],
    ['code units, so that surrogate pairs are cut', () => tinyOutput.split('')],
    [
      'an async iterable',
      async function* () {
        yield bytes.subarray(0, 100)
        yield tinyOutput.slice(100)
      },
    ],
  ]
  it.each(sources)('from %s', async (_title, stdout) => {
    const whole = await collect({ stdout: [bytes] })
    // Byte 100 is before the first character that takes more than one.
    expect(timeless(await collect({ stdout: stdout() }))).toEqual(timeless(whole))
  })

  it('each as soon as its chunk was read', async () => {
    let given = 0
    async function* slowly() {
      for (const line of tinyOutput.split(/(?<=\n)/)) {
        given++
        yield line
      }
    }
    const seen: number[] = []
    for await (const event of replay({ adapter: tinyCli(), stdout: slowly() })) {
      if (event.type !== 'completion') seen.push(given)
    }
    expect(seen).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 9, 10, 10, 11, 13, 14, 15])
  })

  it('and lets go of the source when the reader leaves early', async () => {
    let closed = false
    async function* source() {
      try {
        yield tinyOutput
        yield tinyOutput
      } finally {
        closed = true
      }
    }
    for await (const _event of replay({ adapter: tinyCli(), stdout: source() })) break
    expect(closed).toBe(true)
  })
})

describe('what replay is told of the turn', () => {
  it('a resumed conversation', async () => {
    const [session] = await collect({ stdout: [tinyOutput], options: { resume: 'talk-1' } })
    expect(session).toMatchObject({ type: 'session', origin: 'resumed' })
  })

  it('raw records, only when asked', async () => {
    const [raw] = await collect({ stdout: [tinyOutput], options: { includeRaw: true } })
    expect(raw?.raw).toEqual({ type: 'hello', id: 'talk-1' })
    const [plain] = await collect({ stdout: [tinyOutput] })
    expect(plain && 'raw' in plain).toBe(false)
  })

  it('a bad exit after a good end, and the tail of stderr', async () => {
    const stderr = `${'é'.repeat(40_000)}last words\n`
    const events = await collect({ stdout: [tinyOutput], exit: { exitCode: 3, signal: null, stderr } })
    const completion = events.at(-1)
    expect(completion).toMatchObject({ type: 'completion', status: 'success', exitCode: 3 })
    expect(events.at(-2)).toMatchObject({ type: 'notice', code: 'exit_after_success' })
    const tail = completion?.type === 'completion' ? completion.stderrTail : ''
    expect(Buffer.byteLength(tail)).toBe(65_535)
    expect(tail).toMatch(/^é+last words\n$/)
  })

  it('a bad exit without a last record, with the words of stderr but not their colours', async () => {
    const stderr = '\u001b[31mout of luck\u001b[0m\n'
    const events = await collect({
      stdout: ['{"type":"hello","id":"talk-1"}\n'],
      exit: { exitCode: 3, signal: null, stderr },
    })
    expect(events.at(-1)).toMatchObject({
      error: { code: 'crashed', message: 'out of luck' },
      stderrTail: '\u001b[31mout of luck\u001b[0m\n',
    })
  })

  it('no exit at all is exit 0, which is no success without the last record', async () => {
    const stdout = tinyOutput.replace('{"type":"bye"}\n', '')
    const completion = (await collect({ stdout: [stdout] })).at(-1)
    expect(completion).toMatchObject({ status: 'error', error: { code: 'protocol' }, exitCode: 0 })
  })
})

describe('faults of the caller are thrown at once', () => {
  const rows: [string, Record<string, unknown>, string, string][] = [
    ['an unknown adapter', { adapter: 'tiny' }, 'invalid_options', 'There is no adapter "tiny".'],
    ['a live recording', { transport: 'live' }, 'unsupported', 'tiny-cli has no live transport to replay'],
    ['no stdout', { stdout: undefined }, 'invalid_options', '`stdout` is missing: expected an iterable'],
    ['a mistyped option', { stdOut: [] }, 'invalid_options', 'no option `stdOut`'],
    ['a mistyped option of the turn', { options: { resum: 'x' } }, 'invalid_options', '`options.resum`'],
  ]
  it.each(rows)('%s', (_title, changes, code, message) => {
    let thrown: unknown
    try {
      const options: ReplayOptions = Object.assign({ adapter: tinyCli(), stdout: [] }, changes)
      replay(options)
    } catch (error) {
      thrown = error
    }
    expect(isAgentError(thrown) && thrown.code).toBe(code)
    expect(String(thrown)).toContain(message)
  })
})

it('values that must not be seen are hidden, also across fragments', async () => {
  const stdout = tinyOutput.replace('"Looking "', '"Looking hush-"').replace('"now…', '"hush now…')
  const secret = stdout.replace('"text":"Looking now', '"text":"Looking hush-hush now')
  const events = await collect({ stdout: [secret], options: { redact: ['hush-hush'], includeRaw: true } })
  expect(JSON.stringify(events)).not.toContain('hush-hush')
  const messages = events.flatMap((event) => (event.type === 'message' ? [event.text] : []))
  expect(messages).toEqual(['Let me', 'Looking [redacted:VALUE_1] now… 🧭', 'Done.'])
})

it('an adapter that throws ends its turn, with everything settled', async () => {
  class Fragile extends TinyWire {
    override receive(record: Record<string, unknown>) {
      if (record.id === 'b') throw new TypeError('no b here')
      return super.receive(record)
    }
  }
  const events: AgentEvent[] = []
  for await (const event of replay({ adapter: tinyCli(() => new Fragile()), stdout: [tinyOutput] })) {
    events.push(event)
  }
  expect(events.at(-1)).toMatchObject({
    status: 'error',
    error: { code: 'protocol', message: 'The adapter failed at what the CLI said: no b here' },
    evidence: { by: 'host' },
  })
  expect(events.at(-2)).toMatchObject({ type: 'tool', phase: 'end', toolId: 'a', status: 'interrupted' })
})

it('an adapter whose wire cannot be made ends the replay, it does not throw', async () => {
  const broken = tinyCli(() => {
    throw new Error('boom')
  })
  const events: AgentEvent[] = []
  for await (const event of replay({ adapter: broken, stdout: tinyOutput })) events.push(event)
  expect(events).toMatchObject([
    {
      type: 'completion',
      seq: 0,
      status: 'error',
      error: { code: 'protocol', message: 'The adapter failed at what the CLI said: boom' },
    },
  ])
})
