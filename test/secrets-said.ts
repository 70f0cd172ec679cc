import type { AgentEvent, CompletionEvent } from '../src/index.ts'

/** A text in pieces of so many UTF-16 units. */
export function piecesOf(text: string, size: number): string[] {
  const pieces: string[] = []
  for (let start = 0; start < text.length; start += size) pieces.push(text.slice(start, start + size))
  return pieces
}

/** Everything that a consumer can see of a turn: each event as JSON, the fragments of each text put together, and the rest. */
export function said(
  events: readonly AgentEvent[],
  completion: CompletionEvent | undefined,
  ...rest: unknown[]
): string[] {
  const streams = new Map<string, string>()
  const append = (key: string, text: string) => streams.set(key, (streams.get(key) ?? '') + text)
  for (const event of events) {
    if (event.type === 'delta' || event.type === 'thinking') append(event.type + event.messageId, event.text)
    if (event.type !== 'tool') continue
    if (event.phase === 'input' && event.inputDelta !== undefined)
      append(`i${event.toolId}`, event.inputDelta)
    if (event.phase === 'output' && event.outputDelta !== undefined)
      append(`o${event.toolId}`, event.outputDelta)
  }
  return [
    ...[...events, completion, ...rest.flat()].map((each) => JSON.stringify(each) ?? ''),
    ...streams.values(),
    ...stringsIn([events, completion, rest]),
  ]
}

/** Every key and every string. */
function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, item]) => [key, ...stringsIn(item)])
}

/** The forms of the values that stand in some of the texts. Written apart from the redactor's own list of forms. */
export function occurrences(texts: readonly string[], values: readonly string[]): string[] {
  const forms = [...new Set(values.flatMap(formsOf))]
  const unbroken = texts.map((text) => text.replace(/(?:\r?\n|(?:\\+r)?\\+n)/g, ''))
  return forms.filter(
    (form) => texts.some((text) => text.includes(form)) || unbroken.some((text) => text.includes(form)),
  )
}

const inJson = (text: string) => JSON.stringify(text).slice(1, -1)
const inAscii = (text: string, upper: boolean) =>
  text.replace(/[^\x20-\x7e]/g, (unit) => {
    const code = unit.charCodeAt(0).toString(16).padStart(4, '0')
    return `\\u${upper ? code.toUpperCase() : code}`
  })

export function formsOf(value: string): string[] {
  const json = inJson(value)
  const address = encodeURIComponent(value)
  return [
    value,
    ...[json, inAscii(json, false), inAscii(json, true), json.replaceAll('/', '\\/')].flatMap((each) => [
      each,
      inJson(each),
      inJson(inJson(each)),
    ]),
    address,
    address.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()),
    address.replaceAll('%20', '+'),
    encodeURI(value),
    ...[0, 1, 2].flatMap((before) => {
      const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(value)])
      const whole = bytes.toString('base64').replace(/=+$/, '')
      // The first and the last character can hold bits of the neighbours.
      const own = whole.slice(before === 0 ? 0 : before + 1, bytes.length % 3 === 0 ? undefined : -1)
      return [own, own.replaceAll('+', '-').replaceAll('/', '_')]
    }),
  ]
}
