import { type AgentEvent, type ReplayOptions, replay } from '../../../src/index.ts'

export type Exit = NonNullable<ReplayOptions['exit']>

/** The events of records (or raw lines) that claude would print. */
export async function eventsOf(
  records: readonly (object | string)[],
  options: NonNullable<ReplayOptions['options']> = {},
  exit: Exit = { exitCode: 0, signal: null },
): Promise<AgentEvent[]> {
  const lines = records.map((record) => (typeof record === 'string' ? record : JSON.stringify(record)))
  return replayed([`${lines.join('\n')}\n`], options, exit)
}

export async function replayed(
  stdout: readonly (string | Uint8Array)[],
  options: NonNullable<ReplayOptions['options']> = {},
  exit: Exit = { exitCode: 0, signal: null },
): Promise<AgentEvent[]> {
  const events: AgentEvent[] = []
  for await (const event of replay({ adapter: 'claude-code', stdout, exit, options })) events.push(event)
  return events
}

/** One short line per event that says text or its fate, for literal comparison. */
export function textStory(events: readonly AgentEvent[]): string[] {
  return events.flatMap((event) => {
    if (event.type === 'delta') {
      return [`${event.contentDelta ? 'delta' : 'block'}${by(event)} ${event.text}`]
    }
    if (event.type !== 'message') return []
    const continues = event.continues === undefined ? '' : ` (continues ${event.continues})`
    return [`${event.status}${by(event)} ${event.text}${continues}`]
  })
}

export function thinkingStory(events: readonly AgentEvent[]): string[] {
  return events.flatMap((event) => (event.type === 'thinking' ? [`${event.messageId} ${event.text}`] : []))
}

export function toolStory(events: readonly AgentEvent[]): string[] {
  return events.flatMap((event) => {
    if (event.type !== 'tool') return []
    const head = `${event.phase}${by(event)} ${event.toolId} ${event.name}`
    if (event.phase === 'input') {
      return [
        `${head} ${event.inputDelta === undefined ? JSON.stringify(event.input) : `+${event.inputDelta}`}`,
      ]
    }
    if (event.phase === 'end')
      return [`${head} ${event.status}${event.output === undefined ? '' : ` ${event.output}`}`]
    return [head]
  })
}

function by(event: { parentToolId?: string }): string {
  return event.parentToolId === undefined ? '' : `@${event.parentToolId}`
}

export function completionOf(events: readonly AgentEvent[]) {
  const last = events.at(-1)
  if (last?.type !== 'completion') throw new Error('The last event is no completion.')
  return last
}

export function noticesOf(events: readonly AgentEvent[]): string[] {
  return events.flatMap((event) => (event.type === 'notice' ? [event.code] : []))
}

export function lastUsage(events: readonly AgentEvent[]) {
  return events.flatMap((event) => (event.type === 'usage' ? [event.usage] : [])).at(-1)
}

/** A record of a sub-agent: the call that started it. */
type From = string | null

export const init = {
  type: 'system',
  subtype: 'init',
  session_id: 's1',
  cwd: '/w',
  model: 'claude-deck-1',
  tools: ['Bash', 'Read'],
  mcp_servers: [],
  claude_code_version: '2.1.332',
}

export const stream = (event: object, from: From = null) => ({
  type: 'stream_event',
  event,
  session_id: 's1',
  parent_tool_use_id: from,
})
export const messageStart = (id: string, usage: object = {}, from: From = null) =>
  stream({ type: 'message_start', message: { id, role: 'assistant', content: [], usage } }, from)
export const blockStart = (index: number, block: object, from: From = null) =>
  stream({ type: 'content_block_start', index, content_block: block }, from)
export const delta = (index: number, fields: object, from: From = null) =>
  stream({ type: 'content_block_delta', index, delta: fields }, from)
export const textDelta = (index: number, text: string, from: From = null) =>
  delta(index, { type: 'text_delta', text }, from)
export const jsonDelta = (index: number, json: string, from: From = null) =>
  delta(index, { type: 'input_json_delta', partial_json: json }, from)
export const blockStop = (index: number, from: From = null) =>
  stream({ type: 'content_block_stop', index }, from)
export const messageDelta = (reason: string | null, usage: object = {}) =>
  stream({ type: 'message_delta', delta: { stop_reason: reason }, usage })
export const messageStop = stream({ type: 'message_stop' })

export const text = (words: string) => ({ type: 'text', text: words })
export const toolUse = (id: string, name: string, input: object = {}) => ({
  type: 'tool_use',
  id,
  name,
  input,
})

export const assistant = (id: string | undefined, content: object[], more: object = {}) => ({
  type: 'assistant',
  message: {
    ...(id !== undefined && { id }),
    role: 'assistant',
    model: 'claude-deck-1',
    content,
    stop_reason: null,
  },
  parent_tool_use_id: null,
  session_id: 's1',
  ...more,
})
export const synthetic = (words: string, more: object = {}) => ({
  type: 'assistant',
  message: {
    id: 'x1',
    model: '<synthetic>',
    role: 'assistant',
    content: [text(words)],
    stop_reason: 'stop_sequence',
  },
  parent_tool_use_id: null,
  session_id: 's1',
  ...more,
})
export const toolResult = (id: string, content: unknown, block: object = {}, record: object = {}) => ({
  type: 'user',
  message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content, ...block }] },
  parent_tool_use_id: null,
  session_id: 's1',
  ...record,
})
export const prompted = (words: string) => ({
  type: 'user',
  message: { role: 'user', content: [text(words)] },
  parent_tool_use_id: null,
  session_id: 's1',
  isSynthetic: true,
})
export const system = (subtype: string, fields: object = {}) => ({
  type: 'system',
  subtype,
  session_id: 's1',
  ...fields,
})
export const retry = system('api_retry', {
  attempt: 1,
  max_retries: 10,
  retry_delay_ms: 500,
  error_status: 529,
  error: 'overloaded',
})
export const result = (words: string, more: object = {}) => ({
  type: 'result',
  subtype: 'success',
  is_error: false,
  result: words,
  session_id: 's1',
  ...more,
})
export const failed = (words: string, more: object = {}) => result(words, { is_error: true, ...more })

/** A text message as 2.1 streams it. */
export const said = (id: string, words: string, reason: string | null = 'end_turn') => [
  messageStart(id),
  blockStart(0, text('')),
  textDelta(0, words),
  assistant(id, [text(words)]),
  blockStop(0),
  ...(reason === null ? [] : [messageDelta(reason)]),
  messageStop,
]
/** Text whose connection was cut: without an `assistant` record. */
export const cut = (id: string, words: string) => [
  messageStart(id),
  blockStart(0, text('')),
  textDelta(0, words),
  blockStop(0),
  messageStop,
]

/** The whole message of a call. */
export const call = (id: string, name: string, input: object = {}) =>
  assistant(`m-${id}`, [toolUse(id, name, input)])

export const bash = toolUse('t1', 'Bash', { command: 'ls' })
