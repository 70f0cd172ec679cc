import { isDeepStrictEqual } from 'node:util'
import { agentEventSchema } from '../protocol/event-schema.ts'
import type { AgentEvent, CompletionEvent } from '../protocol/events.ts'
import type { Breach } from './guarantees/breach.ts'
import { checkEnding } from './guarantees/ending.ts'
import { checkLedgers, checkStdout } from './guarantees/stdout.ts'
import { checkTexts } from './guarantees/texts.ts'
import { checkTools } from './guarantees/tools.ts'

export type { Breach } from './guarantees/breach.ts'

/**
 * Checks the nine guarantees over one turn's events, as far as one list of events shows them, and says which broke and where.
 * Empty: none did. It keeps its own books: nothing of the code that made the events decides here.
 *
 * @param stdout the bytes that the events came from, to check the ledger and the notices against
 */
export function checkGuarantees(events: readonly AgentEvent[], stdout?: Uint8Array): Breach[] {
  const breaches = checkShape(events)
  const completion = events.at(-1)
  const count = events.filter((event) => event.type === 'completion').length
  if (count !== 1) {
    const last = events.findLast((event) => event.type === 'completion')
    breaches.push({
      guarantee: 1,
      message: `there are ${count} completions, not exactly one`,
      ...(last && { seq: last.seq }),
    })
  }
  if (completion?.type !== 'completion') {
    breaches.push({
      guarantee: 1,
      message: `the last event is ${completion === undefined ? 'missing' : `a ${completion.type}`}, not the completion`,
      ...(completion && { seq: completion.seq }),
    })
    return [...breaches, ...checkTools(events)]
  }
  return [
    ...breaches,
    ...checkEnding(events, completion),
    ...checkTexts(events, completion),
    ...checkTools(events),
    ...checkStdout(events, completion, stdout),
  ]
}

/** The same for the turns of one process, one after the other. */
export function checkTurns(events: readonly AgentEvent[], stdout?: Uint8Array): Breach[] {
  const turns = turnsOf(events)
  if (turns.length < 2 || !stdout) return turns.flatMap((turn) => checkGuarantees(turn, stdout))
  const ledgers = turns.flatMap((turn) => completionOf(turn)?.ledger ?? [])
  return [...turns.flatMap((turn) => checkGuarantees(turn)), ...checkLedgers(ledgers, stdout)]
}

/** Each turn counts from 0. */
export function turnsOf(events: readonly AgentEvent[]): AgentEvent[][] {
  const turns: AgentEvent[][] = []
  for (const event of events) {
    if (event.seq === 0 || turns.length === 0) turns.push([])
    turns.at(-1)?.push(event)
  }
  return turns.length === 0 ? [[]] : turns
}

function checkShape(events: readonly AgentEvent[]): Breach[] {
  const breaches: Breach[] = []
  let sessions = 0
  for (const [index, event] of events.entries()) {
    const say = (message: string) => breaches.push({ guarantee: 0, message, seq: event.seq })
    if (event.seq !== index) say(`event ${index} has seq ${event.seq}`)
    if (event.adapter !== events[0]?.adapter) say(`the adapter changed to "${event.adapter}"`)
    if (event.type === 'session' && ++sessions > 1) say('a second session event')
    const parsed = agentEventSchema.safeParse(event)
    if (!parsed.success) {
      const [issue] = parsed.error.issues
      say(`a malformed ${event.type}: ${issue?.path.map(String).join('.')}: ${issue?.message}`)
    } else if (!isDeepStrictEqual(parsed.data, event)) {
      say(`a ${event.type} with fields that are not in its type: ${extraFields(event, parsed.data)}`)
    } else if (!isDeepStrictEqual(JSON.parse(JSON.stringify(event)), event)) {
      say(`a ${event.type} that JSON does not carry unchanged: ${lostInJson(event)}`)
    }
  }
  return breaches
}

/** The first value below `value` that JSON leaves out or changes: 'input.command is undefined'. */
function lostInJson(value: unknown, path = ''): string {
  if (typeof value !== 'object' || value === null) return `${path} is ${value}`
  for (const [key, inner] of Object.entries(value)) {
    const text: string | undefined = JSON.stringify(inner)
    if (text !== undefined && isDeepStrictEqual(JSON.parse(text), inner)) continue
    return lostInJson(inner, path === '' ? key : `${path}.${key}`)
  }
  return path === '' ? 'it is no plain object' : `${path} is no plain object`
}

function extraFields(event: object, known: object): string {
  const extra = Object.keys(event).filter((key) => !(key in known))
  return extra.length === 0 ? 'in an object inside it' : extra.join(', ')
}

/** The completion of a turn's events; undefined where guarantee 1 is broken. */
export function completionOf(events: readonly AgentEvent[]): CompletionEvent | undefined {
  const last = events.at(-1)
  return last?.type === 'completion' ? last : undefined
}
