import type {
  DeltaPayload,
  ThinkingPayload,
  ToolInputPayload,
  ToolOutputPayload,
  ToolPayload,
  WireEvent,
} from './events.ts'

type InputFragment = ToolInputPayload & { inputDelta: string }
type OutputFragment = ToolOutputPayload & { outputDelta: string }

/** An event that carries a fragment of a text which others carry on. */
export type StreamedEvent = DeltaPayload | ThinkingPayload | InputFragment | OutputFragment

/** A fragment of which something was held back. */
export interface HeldFragment {
  /** The latest event of that text. */
  event: StreamedEvent
  text: string
  /** How many characters at the beginning of `text` were said before and are only looked at. */
  context: number
}

export function isStreamed(event: WireEvent): event is StreamedEvent {
  if (event.type === 'delta' || event.type === 'thinking') return true
  if (event.type !== 'tool') return false
  return isInputFragment(event) || isOutputFragment(event)
}

function isInputFragment(event: ToolPayload): event is InputFragment {
  return event.phase === 'input' && event.inputDelta !== undefined
}

function isOutputFragment(event: ToolPayload): event is OutputFragment {
  return event.phase === 'output' && event.outputDelta !== undefined
}

export function fragmentOf(event: StreamedEvent): string {
  if (event.type !== 'tool') return event.text
  return event.phase === 'input' ? event.inputDelta : event.outputDelta
}

export function withFragment(event: StreamedEvent, text: string): StreamedEvent {
  if (event.type !== 'tool') return { ...event, text }
  return event.phase === 'input' ? { ...event, inputDelta: text } : { ...event, outputDelta: text }
}

/** Which text a fragment belongs to. */
export function streamKey(event: StreamedEvent): string {
  return event.type === 'tool' ? `${event.phase}:${event.toolId}` : `${event.type}:${event.messageId}`
}

/** Whether an event says that no more fragments of that text come. */
export function closes(event: WireEvent, streamed: StreamedEvent): boolean {
  if (event.type === 'completion') return true
  switch (streamed.type) {
    case 'delta':
      return event.type === 'message' && event.messageId === streamed.messageId
    case 'tool':
      return event.type === 'tool' && event.toolId === streamed.toolId && closesTool(event, streamed.phase)
    case 'thinking':
      return closesThinking(event, streamed)
  }
}

function closesTool(event: ToolPayload, phase: 'input' | 'output'): boolean {
  if (event.phase === 'end') return true
  if (phase === 'input')
    return event.phase === 'output' || (event.phase === 'input' && !isInputFragment(event))
  return event.phase === 'output' && !isOutputFragment(event)
}

/** Reasoning has no end of its own: it ends when the same speaker says something else. */
function closesThinking(event: WireEvent, streamed: ThinkingPayload): boolean {
  if (event.type === 'thinking' && event.messageId === streamed.messageId) return false
  if (
    event.type !== 'thinking' &&
    event.type !== 'delta' &&
    event.type !== 'tool' &&
    event.type !== 'message'
  ) {
    return false
  }
  return (event.parentToolId ?? '') === (streamed.parentToolId ?? '')
}
