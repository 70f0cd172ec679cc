import type { Json } from './driving.ts'

/** What agents say, in their own words. */

export const text = (words: string) => ({ type: 'text', text: words })
export const say = (words: string, more: Json = {}) => ({
  sessionUpdate: 'agent_message_chunk',
  content: text(words),
  ...more,
})
export const think = (words: string) => ({ sessionUpdate: 'agent_thought_chunk', content: text(words) })
export const call = (more: Json) => ({
  sessionUpdate: 'tool_call',
  toolCallId: 't1',
  title: 'bash',
  kind: 'execute',
  ...more,
})
export const progress = (more: Json) => ({ sessionUpdate: 'tool_call_update', toolCallId: 't1', ...more })
export const content = (words: string) => [{ type: 'content', content: text(words) }]
export const permission = (more: Json = {}) => ({
  toolCall: { toolCallId: 't1', title: 'rm -r x', kind: 'execute', rawInput: { command: 'rm -r x' } },
  options: [
    { optionId: 'a', name: 'Allow', kind: 'allow_once' },
    { optionId: 'aa', name: 'Always', kind: 'allow_always' },
    { optionId: 'r', name: 'Reject', kind: 'reject_once' },
  ],
  ...more,
})
export const host = { cwd: '/w', interactions: 'host' as const }
export const methodsOf = (records: Json[]) => records.map(({ method }) => method)
