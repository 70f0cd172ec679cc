import { assembleText } from '../../protocol/assemble.ts'
import type { AgentEvent, CompletionEvent, MessageEvent } from '../../protocol/events.ts'
import type { Breach } from './breach.ts'

interface Run {
  kind: 'delta' | 'thinking'
  parentToolId: string | undefined
  streamed: string
  message: MessageEvent | undefined
}

/** Guarantees 3 (deltas and their message) and 4 (the answer). */
export function checkTexts(events: readonly AgentEvent[], completion: CompletionEvent): Breach[] {
  const breaches: Breach[] = []
  const runs = new Map<string, Run>()
  for (const event of events) {
    if (event.type !== 'delta' && event.type !== 'thinking' && event.type !== 'message') continue
    const say = (message: string) => breaches.push({ guarantee: 3, message, seq: event.seq })
    const kind = event.type === 'thinking' ? 'thinking' : 'delta'
    const known = runs.get(event.messageId)
    const run = known ?? { kind, parentToolId: event.parentToolId, streamed: '', message: undefined }
    if (!known) runs.set(event.messageId, run)
    if (run.kind !== kind) say(`${event.messageId} is both thinking and answer text`)
    if (run.parentToolId !== event.parentToolId) say(`${event.messageId} changed its speaker`)
    if (run.message) say(`${event.messageId} goes on after its message`)
    if (event.type !== 'message') {
      run.streamed += event.text
      continue
    }
    run.message = event
    if (event.status !== 'retracted' && run.streamed !== event.text) {
      say(`the deltas of ${event.messageId} are not its text: ${difference(run.streamed, event.text)}`)
    }
    const continued = event.continues === undefined ? undefined : runs.get(event.continues)
    if (event.continues !== undefined && (!continued || continued === run)) {
      say(`${event.messageId} continues ${event.continues}, which was not said before`)
    }
  }
  for (const [messageId, run] of runs) {
    if (run.kind === 'delta' && !run.message) {
      breaches.push({ guarantee: 3, message: `${messageId} has deltas but no message`, seq: completion.seq })
    }
  }
  return [...breaches, ...checkAnswer(events, runs, completion)]
}

function checkAnswer(
  events: readonly AgentEvent[],
  runs: Map<string, Run>,
  completion: CompletionEvent,
): Breach[] {
  const breaches: Breach[] = []
  const say = (message: string) => breaches.push({ guarantee: 4, message, seq: completion.seq })
  const last = events.findLast((event) => event.type === 'message' && isKept(event))
  const answer = last?.type === 'message' ? withContinued(last, runs) : ''
  if (completion.text !== answer) {
    say(`the completion's text is not the last message: ${difference(completion.text, answer)}`)
  }
  const assembled = assembleText(events)
  const expected = readable(runs)
  if (assembled !== expected) say(`assembleText differs: ${difference(assembled, expected)}`)
  return breaches
}

function isKept(message: MessageEvent): boolean {
  return message.parentToolId === undefined && message.status !== 'retracted' && message.text.trim() !== ''
}

function withContinued(message: MessageEvent, runs: Map<string, Run>): string {
  let text = ''
  const seen = new Set<MessageEvent>()
  for (let at: MessageEvent | undefined = message; at && isKept(at) && !seen.has(at); ) {
    seen.add(at)
    text = at.text + text
    at = at.continues === undefined ? undefined : runs.get(at.continues)?.message
  }
  return text
}

/** What a reader should see: runs in the order in which they began. */
function readable(runs: Map<string, Run>): string {
  const kept = [...runs.values()].flatMap(({ message }) => (message && isKept(message) ? [message] : []))
  const shown = new Set(kept.map((message) => message.messageId))
  const heads = kept.filter((message) => message.continues === undefined || !shown.has(message.continues))
  const textFrom = (message: MessageEvent): string =>
    message.text +
    kept
      .filter((each) => each.continues === message.messageId && each !== message)
      .map(textFrom)
      .join('')
  return heads.map(textFrom).join('\n\n')
}

/** Where two texts part, with a little of both. */
function difference(actual: string, expected: string): string {
  let at = 0
  while (at < actual.length && actual[at] === expected[at]) at++
  const excerpt = (text: string) => JSON.stringify(text.slice(at, at + 40))
  return `at ${at}, ${excerpt(actual)} for ${excerpt(expected)}`
}
