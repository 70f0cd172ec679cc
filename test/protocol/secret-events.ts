import type { WireEvent } from '../../src/protocol/events.ts'

export const value = 'pa"ss/w+rd é1'
export const secrets = [
  { name: 'SECRET_KEY', value: 'sk-live-123456' },
  { name: 'SECRET_ODD', value },
]

export function delta(text: string, messageId = 'message-1'): WireEvent {
  return { type: 'delta', messageId, text, contentDelta: true }
}

export function message(text: string, messageId = 'message-1'): WireEvent {
  return { type: 'message', messageId, text, status: 'completed' }
}
