import type { AgentEvent, ToolEvent } from '../../protocol/events.ts'
import type { Breach } from './breach.ts'

interface Call {
  first: ToolEvent
  hasInput: boolean
  ended: boolean
}

/** Guarantee 5: one start, at most one full input, one end. */
export function checkTools(events: readonly AgentEvent[]): Breach[] {
  const breaches: Breach[] = []
  const calls = new Map<string, Call>()
  for (const event of events) {
    if (event.type !== 'tool') continue
    const say = (message: string) =>
      breaches.push({ guarantee: 5, message: `tool ${event.toolId} ${message}`, seq: event.seq })
    const call = calls.get(event.toolId)
    if (!call) {
      calls.set(event.toolId, { first: event, hasInput: false, ended: event.phase === 'end' })
      if (event.phase !== 'start') say(`has its ${event.phase} before its start`)
      continue
    }
    if (event.phase === 'start') say('starts twice')
    if (call.ended) say(`has its ${event.phase} after its end`)
    if (!sameCall(call.first, event)) say('changed its name, kind, server or parent')
    if (event.phase === 'input') checkInput(event, call, say)
    if (event.phase === 'output' && 'output' in event === 'outputDelta' in event) {
      say('has an output with not exactly one of output and outputDelta')
    }
    if (event.phase === 'end') call.ended = true
  }
  for (const [toolId, call] of calls) {
    if (call.ended) continue
    breaches.push({ guarantee: 5, message: `tool ${toolId} has no end`, seq: call.first.seq })
  }
  return breaches
}

function checkInput(event: ToolEvent & { phase: 'input' }, call: Call, say: (message: string) => void): void {
  const isFull = 'input' in event
  if (isFull === 'inputDelta' in event) say('has an input with not exactly one of input and inputDelta')
  if (call.hasInput) say(isFull ? 'has a second full input' : 'streams its input after the full one')
  if (isFull) call.hasInput = true
}

function sameCall(a: ToolEvent, b: ToolEvent): boolean {
  return a.name === b.name && a.kind === b.kind && a.server === b.server && a.parentToolId === b.parentToolId
}
