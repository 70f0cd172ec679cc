import { describe, expect, expectTypeOf, it } from 'vitest'
import type { z } from 'zod'
import { agentEventSchema, type eventShapes } from '../../src/protocol/event-schema.ts'
import type { AgentEvent } from '../../src/protocol/events.ts'

type Shape = z.infer<typeof eventShapes>
type Of<Type extends AgentEvent['type'], From extends { type: string }> = Extract<From, { type: Type }>

const envelope = { seq: 0, at: 1, adapter: 'some-cli' }
const completion = {
  ...envelope,
  type: 'completion',
  status: 'success',
  text: '',
  credentialExposure: 'none',
  evidence: { by: 'record', detail: 'bye' },
  ledger: { bytes: 0, records: 0, ignored: 0, unknown: 0, invalid: 0, oversized: 0 },
  stderrTail: '',
  exitCode: 0,
  signal: null,
  durationMs: 0,
}

it('the schema and the types say the same, both ways', () => {
  expectTypeOf<Shape['type']>().toEqualTypeOf<AgentEvent['type']>()
  expectTypeOf<Shape>().toExtend<AgentEvent>()
  expectTypeOf<AgentEvent>().toExtend<Shape>()
  // Assignability lets an optional field be missing on one side: the key sets must agree too.
  expectTypeOf<keyof Of<'session', Shape>>().toEqualTypeOf<keyof Of<'session', AgentEvent>>()
  expectTypeOf<keyof Of<'delta', Shape>>().toEqualTypeOf<keyof Of<'delta', AgentEvent>>()
  expectTypeOf<keyof Of<'thinking', Shape>>().toEqualTypeOf<keyof Of<'thinking', AgentEvent>>()
  expectTypeOf<keyof Of<'message', Shape>>().toEqualTypeOf<keyof Of<'message', AgentEvent>>()
  expectTypeOf<keyof Of<'plan', Shape>>().toEqualTypeOf<keyof Of<'plan', AgentEvent>>()
  expectTypeOf<keyof Of<'interaction', Shape>>().toEqualTypeOf<keyof Of<'interaction', AgentEvent>>()
  expectTypeOf<keyof Of<'usage', Shape>>().toEqualTypeOf<keyof Of<'usage', AgentEvent>>()
  expectTypeOf<keyof Of<'notice', Shape>>().toEqualTypeOf<keyof Of<'notice', AgentEvent>>()
  expectTypeOf<keyof Of<'completion', Shape>>().toEqualTypeOf<keyof Of<'completion', AgentEvent>>()
  expectTypeOf<keyof Extract<Shape, { phase: 'start' }>>().toEqualTypeOf<
    keyof Extract<AgentEvent, { phase: 'start' }>
  >()
  expectTypeOf<keyof Extract<Shape, { phase: 'input' }>>().toEqualTypeOf<
    keyof Extract<AgentEvent, { phase: 'input' }>
  >()
  expectTypeOf<keyof Extract<Shape, { phase: 'output' }>>().toEqualTypeOf<
    keyof Extract<AgentEvent, { phase: 'output' }>
  >()
  expectTypeOf<keyof Extract<Shape, { phase: 'end' }>>().toEqualTypeOf<
    keyof Extract<AgentEvent, { phase: 'end' }>
  >()
})

describe('what is no event is refused', () => {
  const rows: [string, unknown][] = [
    ['an unknown type', { ...envelope, type: 'applause' }],
    [
      'an unknown phase',
      { ...envelope, type: 'tool', phase: 'middle', toolId: 'a', name: 'b', kind: 'read' },
    ],
    ['a delta without text', { ...envelope, type: 'delta', messageId: 'm', text: '', contentDelta: true }],
    ['a fractional seq', { ...envelope, seq: 0.5, type: 'usage', usage: { basis: 'turn' } }],
    ['a negative token count', { ...envelope, type: 'usage', usage: { basis: 'turn', inputTokens: -1 } }],
    ['a success with an error', { ...completion, error: { code: 'auth', message: 'no', retryable: false } }],
    ['another end without an error', { ...completion, status: 'timeout' }],
    ['a notice code with spaces', { ...envelope, type: 'notice', level: 'info', code: 'A b', message: 'x' }],
    [
      'an explicit undefined, which JSON cannot say',
      { ...envelope, type: 'message', messageId: 'm', text: 'x', status: 'completed', continues: undefined },
    ],
  ]
  it.each(rows)('%s', (_title, event) => {
    expect(agentEventSchema.safeParse(event).success).toBe(false)
  })
})

it('a completion is taken: a success without an error', () => {
  expect(agentEventSchema.parse(completion)).toEqual(completion)
})

it('a field that this version does not know is no fault', () => {
  const event = { ...envelope, type: 'usage', usage: { basis: 'turn' }, mood: 'good' }
  expect(agentEventSchema.parse(event)).toEqual({ ...envelope, type: 'usage', usage: { basis: 'turn' } })
})
