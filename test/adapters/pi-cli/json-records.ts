import { type Json, play } from './records.ts'

export const bash = { id: 'call_1', name: 'bash', arguments: { command: 'echo hi' } }
export const bashFragments = ['{"command":', '"echo hi"}']
export const execution = (phase: string, more: Json = {}) => ({
  type: `tool_execution_${phase}`,
  toolCallId: 'call_1',
  toolName: 'bash',
  ...more,
})
export const text = (value: string) => ({ content: [{ type: 'text', text: value }] })
export const said = (records: Json[], more?: Parameters<typeof play>[1]) =>
  play(records, more).then((played) => played.said)

export function update(event: Json): Json {
  return { type: 'message_update', assistantMessageEvent: event }
}

export function end(content: Json[], stopReason = 'stop'): Json {
  return { type: 'message_end', message: { role: 'assistant', content, stopReason } }
}
