import { type AgentEvent, type ReplayOptions, replay } from '../../../src/index.ts'

export type Exit = NonNullable<ReplayOptions['exit']>

/** The events of records (or raw lines) that Cursor's CLI would print. */
export async function eventsOf(
  records: readonly (object | string)[],
  exit: Exit = { exitCode: 0, signal: null },
  options: NonNullable<ReplayOptions['options']> = {},
): Promise<AgentEvent[]> {
  const lines = records.map((record) => (typeof record === 'string' ? record : JSON.stringify(record)))
  return replayed(`${lines.join('\n')}\n`, exit, options)
}

export async function replayed(
  stdout: string | Uint8Array | readonly Uint8Array[],
  exit: Exit = { exitCode: 0, signal: null },
  options: NonNullable<ReplayOptions['options']> = {},
): Promise<AgentEvent[]> {
  const chunks = typeof stdout === 'string' || stdout instanceof Uint8Array ? [stdout] : stdout
  const events: AgentEvent[] = []
  for await (const event of replay({ adapter: 'cursor-cli', stdout: chunks, exit, options }))
    events.push(event)
  return events
}

/** One short line per event that says text or its fate, for literal comparison. */
export function textStory(events: readonly AgentEvent[]): string[] {
  return events.flatMap((event) => {
    if (event.type === 'delta') return [`${event.contentDelta ? 'delta' : 'block'} ${event.text}`]
    if (event.type === 'message') return [`${event.status} ${event.text}`]
    return []
  })
}

export function toolStory(events: readonly AgentEvent[]): string[] {
  return events.flatMap((event) => {
    if (event.type !== 'tool') return []
    return [`${event.phase} ${event.name}${event.phase === 'end' ? ` ${event.status}` : ''}`]
  })
}

export function completionOf(events: readonly AgentEvent[]) {
  const last = events.at(-1)
  if (last?.type !== 'completion') throw new Error('The last event is no completion.')
  return last
}

export function noticeCodes(events: readonly AgentEvent[]): string[] {
  return events.flatMap((event) => (event.type === 'notice' ? [event.code] : []))
}

const session = { session_id: 's1' }
const content = (text: string) => ({ message: { role: 'assistant', content: [{ type: 'text', text }] } })

export const init = {
  type: 'system',
  subtype: 'init',
  apiKeySource: 'login',
  cwd: '/w',
  ...session,
  model: 'Auto',
  permissionMode: 'default',
}

/** A fragment, or a flush that looks like one. */
export const fragment = (text: string) => ({
  type: 'assistant',
  ...content(text),
  ...session,
  timestamp_ms: 1,
})
export const flush = (text: string) => ({ ...fragment(text), model_call_id: 'mc1' })
export const lastFlush = (text: string) => ({ type: 'assistant', ...content(text), ...session })
export const thinking = (text: string) => ({
  type: 'thinking',
  subtype: 'delta',
  text,
  ...session,
  timestamp_ms: 1,
})
export const started = (id: string, tool: object) => ({
  type: 'tool_call',
  subtype: 'started',
  call_id: id,
  tool_call: { ...tool, hookAdditionalContexts: [], toolCallId: id, startedAtMs: '1' },
  model_call_id: 'mc1',
  ...session,
  timestamp_ms: 1,
})
export const completed = (id: string, tool: object) => ({ ...started(id, tool), subtype: 'completed' })
export const result = (text: string, more: object = {}) => ({
  type: 'result',
  subtype: 'success',
  duration_ms: 1,
  duration_api_ms: 1,
  is_error: false,
  result: text,
  ...session,
  request_id: 'r1',
  ...more,
})
export const reconnecting = {
  type: 'connection',
  subtype: 'reconnecting',
  ...session,
  timestamp_ms: 1,
  attempt: 1,
}
export const reconnected = { type: 'connection', subtype: 'reconnected', ...session, timestamp_ms: 1 }
export const retry = (isResume: boolean) => ({
  type: 'retry',
  subtype: 'starting',
  ...session,
  timestamp_ms: 1,
  attempt: 1,
  is_resume: isResume,
})

export const shell = { shellToolCall: { args: { command: 'ls' } } }
export const shellDone = {
  shellToolCall: { args: { command: 'ls' }, result: { success: { stdout: 'x', exitCode: 0 } } },
}
