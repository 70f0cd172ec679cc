import type { AgentEvent } from './events.ts'

interface Piece {
  text: string
  continues: string | undefined
  retracted: boolean
}

/**
 * All top-level messages that were not retracted, as a reader should see them: messages joined with a blank line, fragments
 * and continuations with nothing between. Works on a turn that is still running, too.
 */
export function assembleText(events: Iterable<AgentEvent>): string {
  const pieces = new Map<string, Piece>()
  for (const event of events) {
    if (event.type === 'delta' && event.parentToolId === undefined) {
      const piece = pieces.get(event.messageId)
      if (piece) piece.text += event.text
      else pieces.set(event.messageId, { text: event.text, continues: undefined, retracted: false })
    } else if (event.type === 'message' && event.parentToolId === undefined) {
      pieces.set(event.messageId, {
        text: event.text,
        continues: event.continues,
        retracted: event.status === 'retracted',
      })
    }
  }
  return joinPieces(pieces)
}

function joinPieces(pieces: Map<string, Piece>): string {
  const messages: string[] = []
  /** Where in `messages` the text of a messageId stands. */
  const places = new Map<string, number>()
  for (const [messageId, piece] of pieces) {
    if (piece.retracted || piece.text.trim() === '') continue
    const place = piece.continues === undefined ? undefined : places.get(piece.continues)
    if (place === undefined) {
      places.set(messageId, messages.push(piece.text) - 1)
    } else {
      messages[place] += piece.text
      places.set(messageId, place)
    }
  }
  return messages.join('\n\n')
}
