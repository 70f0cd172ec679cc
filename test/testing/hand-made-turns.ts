import type { AgentEvent, CompletionEvent } from '../../src/index.ts'

export const completion: CompletionEvent = {
  type: 'completion',
  seq: 0,
  at: 1,
  adapter: 'hand-made',
  status: 'success',
  text: 'Done.',
  stopReason: 'end_turn',
  usage: { basis: 'turn', inputTokens: 30, cachedInputTokens: 20, outputTokens: 5 },
  evidence: { by: 'record', detail: 'bye' },
  ledger: { bytes: 10, records: 4, ignored: 0, unknown: 0, invalid: 0, oversized: 0 },
  credentialExposure: 'none',
  stderrTail: '',
  exitCode: 0,
  signal: null,
  durationMs: 0,
}

// biome-ignore lint/suspicious/noExplicitAny: hand-made events break the types on purpose
export type Loose = any

/** Fills in the envelope. */
export function turn(...events: Loose[]): AgentEvent[] {
  return events.map((event, seq) => ({ at: 1, adapter: 'hand-made', ...event, seq }))
}

export const session = { type: 'session', sessionId: 's', transport: 'structured', origin: 'new' }
export const say = (messageId: string, text: string, more = {}) => ({
  type: 'delta',
  messageId,
  text,
  contentDelta: true,
  ...more,
})
export const said = (messageId: string, text: string, more = {}) => ({
  type: 'message',
  messageId,
  text,
  status: 'completed',
  ...more,
})
export const tool = (phase: string, more = {}) => ({
  type: 'tool',
  toolId: 't',
  phase,
  name: 'shell',
  kind: 'execute',
  ...more,
})
export const usage = (more = {}) => ({ type: 'usage', usage: { ...completion.usage, ...more } })
export const notice = (code: string) => ({ type: 'notice', level: 'info', code, message: 'x' })
export const end = (more: Loose = {}) => ({ ...completion, ...more })
export const answer = [say('m', 'Done.'), said('m', 'Done.')]
export const failure = { code: 'crashed', message: 'It broke.', retryable: true }
