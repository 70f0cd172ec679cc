import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { WireEvent } from '../../src/protocol/events.ts'
import { createRedactor, type Redactor } from '../../src/protocol/redact.ts'

/** The forms that must never be seen, written down a second time. */
function formsOf(value: string): string[] {
  const forms = [value, JSON.stringify(value).slice(1, -1), encodeURIComponent(value)]
  const bytes = Buffer.from(value)
  for (const before of [0, 1, 2]) {
    const whole = Buffer.concat([Buffer.alloc(before, 'x'), bytes])
      .toString('base64')
      .replace(/=+$/, '')
    const isCut = (before + bytes.length) % 3 !== 0
    const core = whole.slice(before === 0 ? 0 : before + 1, isCut ? -1 : undefined)
    forms.push(core, core.replaceAll('+', '-').replaceAll('/', '_'))
  }
  return forms
}

/** Few characters, so that secrets begin alike, overlap and repeat; none of those that a replacement is written with. */
const secretValue = fc
  .array(fc.constantFrom('a', 'b', '"', '\\', '/', '+', ' ', '\n', 'é', '\u{1f600}', '<'), {
    minLength: 6,
    maxLength: 12,
  })
  .map((parts) => parts.join(''))

const secretValues = fc.uniqueArray(secretValue, { minLength: 1, maxLength: 3 })

/** Text that is full of secrets, of their beginnings and of their ends. */
function textAround(values: readonly string[]): fc.Arbitrary<string> {
  const forms = values.flatMap(formsOf)
  const piece = fc.oneof(
    fc.constantFrom(...forms),
    fc.tuple(fc.constantFrom(...forms), fc.nat(14)).map(([form, length]) => form.slice(0, length)),
    fc.tuple(fc.constantFrom(...forms), fc.nat(14)).map(([form, from]) => form.slice(from)),
    fc.constantFrom('a', 'b', ' ', 'x', '\n', '"'),
  )
  return fc.array(piece, { maxLength: 10 }).map((pieces) => pieces.join(''))
}

function cut(text: string, places: readonly number[]): string[] {
  const sorted = [...new Set(places.map((place) => place % (text.length + 1)))].sort((a, b) => a - b)
  return [...sorted, text.length].map((end, index) => text.slice(index === 0 ? 0 : sorted[index - 1], end))
}

const scenario = secretValues.chain((values) =>
  fc.record({
    values: fc.constant(values),
    text: textAround(values),
    places: fc.array(fc.nat(200), { maxLength: 12 }),
    isBlock: fc.boolean(),
  }),
)

function redactorFor(values: readonly string[]): Redactor {
  return createRedactor(values.map((value, index) => ({ name: `SECRET_${index}`, value })))
}

function textsOf(events: readonly WireEvent[], type: 'delta' | 'message', messageId: string): string {
  return events
    .map((event) =>
      (event.type === 'delta' || event.type === 'message') &&
      event.type === type &&
      event.messageId === messageId
        ? event.text
        : '',
    )
    .join('')
}

function speak(
  redactor: Redactor,
  messageId: string,
  fragments: readonly string[],
  isBlock: boolean,
  continues?: string,
) {
  const events = fragments.flatMap((text) =>
    redactor.receive({ type: 'delta', messageId, text, contentDelta: !isBlock }),
  )
  const text = fragments.join('')
  events.push(
    ...redactor.receive({
      type: 'message',
      messageId,
      text,
      status: 'completed',
      ...(continues !== undefined && { continues }),
    }),
  )
  return events
}

describe('for every text and every cut', () => {
  test('the deltas, put together, are the whole text redacted, and so is the message', () => {
    fc.assert(
      fc.property(scenario, ({ values, text, places, isBlock }) => {
        const whole = redactorFor(values).text(text)
        const events = speak(redactorFor(values), 'm', cut(text, places), isBlock)
        expect(textsOf(events, 'delta', 'm')).toBe(whole)
        expect(textsOf(events, 'message', 'm')).toBe(whole)
      }),
      { numRuns: 500 },
    )
  })

  test('no form of a secret is left', () => {
    fc.assert(
      fc.property(scenario, ({ values, text, places }) => {
        const said = textsOf(speak(redactorFor(values), 'm', cut(text, places), false), 'delta', 'm')
        for (const form of values.flatMap(formsOf)) expect(said).not.toContain(form)
      }),
      { numRuns: 500 },
    )
  })

  test('a tool says its fragments as it says the whole', () => {
    fc.assert(
      fc.property(scenario, ({ values, text, places }) => {
        const redactor = redactorFor(values)
        const tool = { type: 'tool', toolId: 't', name: 'Bash', kind: 'execute' } as const
        const events: WireEvent[] = cut(text, places).flatMap((outputDelta) =>
          redactor.receive({ ...tool, phase: 'output', outputDelta }),
        )
        events.push(...redactor.receive({ ...tool, phase: 'end', status: 'completed', output: text }))
        const end = events.at(-1)
        const fragments = events
          .map((event) =>
            event.type === 'tool' && event.phase === 'output' ? (event.outputDelta ?? '') : '',
          )
          .join('')
        expect(end).toMatchObject({ phase: 'end', output: fragments })
      }),
      { numRuns: 200 },
    )
  })

  test('two messages of which one carries on the other hold no secret together, and the completion says the same', () => {
    fc.assert(
      fc.property(scenario, fc.nat(200), ({ values, text, places, isBlock }, seam) => {
        const at = seam % (text.length + 1)
        const [first, second] = [text.slice(0, at), text.slice(at)]
        fc.pre(first.trim() !== '' && second.trim() !== '')
        const redactor = redactorFor(values)
        const events = [
          ...speak(redactor, '1', cut(first, places), isBlock),
          ...speak(redactor, '2', cut(second, places), isBlock, '1'),
          ...redactor.receive({
            type: 'completion',
            status: 'success',
            text,
            evidence: { by: 'record', detail: 'result' },
          }),
        ]
        const together = textsOf(events, 'message', '1') + textsOf(events, 'message', '2')
        for (const id of ['1', '2']) expect(textsOf(events, 'delta', id)).toBe(textsOf(events, 'message', id))
        for (const form of values.flatMap(formsOf)) expect(together).not.toContain(form)
        expect(events.at(-1)).toMatchObject({ type: 'completion', text: together })
      }),
      { numRuns: 500 },
    )
  })
})

describe('text is held back for nothing but the beginning of a secret', () => {
  const value = 'qrqqrs'
  const forms = formsOf(value)

  test('what is said so far lacks exactly the longest such beginning at its end', () => {
    const text = fc
      .array(fc.constantFrom('q', 'r', 's', 'x', 'c', 'X', 'J'), { maxLength: 30 })
      .map((all) => all.join(''))
    fc.assert(
      fc.property(text, fc.array(fc.nat(40), { maxLength: 8 }), (whole, places) => {
        fc.pre(!forms.some((form) => whole.includes(form)))
        const redactor = createRedactor([{ name: 'SECRET_A', value }])
        let given = ''
        let said = ''
        for (const fragment of cut(whole, places)) {
          given += fragment
          const events = redactor.receive({
            type: 'delta',
            messageId: 'm',
            text: fragment,
            contentDelta: true,
          })
          said += textsOf(events, 'delta', 'm')
          expect(said).toBe(given.slice(0, given.length - heldBack(given)))
        }
      }),
      { numRuns: 800 },
    )
  })

  /** How long the longest end of the text is that is a proper beginning of a form. */
  function heldBack(text: string): number {
    for (let length = Math.min(text.length, 20); length > 0; length--) {
      const end = text.slice(-length)
      if (forms.some((form) => form.length > length && form.startsWith(end))) return length
    }
    return 0
  }

  test('a text without the beginning of a secret passes event by event, each the same object', () => {
    const text = fc
      .array(fc.constantFrom('0', 'z', ' ', '\n', 'ü', '\u{1f600}'), { minLength: 1 })
      .map((all) => all.join(''))
    fc.assert(
      fc.property(text, fc.array(fc.nat(40)), (whole, places) => {
        const redactor = createRedactor([{ name: 'SECRET_A', value }])
        for (const fragment of cut(whole, places)) {
          const event: WireEvent = { type: 'delta', messageId: 'm', text: fragment, contentDelta: true }
          const said = redactor.receive(event)
          expect(said).toHaveLength(1)
          expect(said[0]).toBe(event)
        }
      }),
    )
  })
})
