import { codexCli } from '../../../src/adapters/codex-cli.ts'
import { composeCompletion } from '../../../src/protocol/completion.ts'
import type { Exit } from '../../../src/protocol/ending.ts'
import type { AgentEvent, CompletionEvent, WireEvent } from '../../../src/protocol/events.ts'
import type { WireOptions } from '../../../src/protocol/wire.ts'
import { WireReader } from '../../../src/protocol/wire-reader.ts'
import { checkGuarantees } from '../../../src/testing/guarantees.ts'

/** Records of `codex exec --json`, made by hand. */
export type Json = Record<string, unknown>

export const threadId = '01a00000-0000-7000-8000-000000000001'
export const thread = { type: 'thread.started', thread_id: threadId }
export const turnStarted = { type: 'turn.started' }
export const turnCompleted = {
  type: 'turn.completed',
  usage: { input_tokens: 12, cached_input_tokens: 4, output_tokens: 3 },
}

export function started(item: Json): Json {
  return { type: 'item.started', item }
}

export function updated(item: Json): Json {
  return { type: 'item.updated', item }
}

export function completed(item: Json): Json {
  return { type: 'item.completed', item }
}

export function says(text: string, id = 'item_0'): Json {
  return completed({ id, type: 'agent_message', text })
}

export function failed(message: string): Json {
  return { type: 'turn.failed', error: { message } }
}

export function errs(message: string): Json {
  return { type: 'error', message }
}

export interface PlayOptions {
  version?: string
  options?: WireOptions
  exit?: Partial<Exit>
}

export interface Played {
  events: AgentEvent[]
  completion: CompletionEvent
  /** One line per event, without the completion. */
  said: string[]
  /** The CLI had said its last word before the process was gone. */
  ended: boolean
}

/** Plays records (or raw lines of stdout) through the wire, and holds the turn to the guarantees. */
export function play(records: readonly (Json | string)[], setting: PlayOptions = {}): Played {
  const { version, options = {}, exit } = setting
  const lines = records.map((record) => (typeof record === 'string' ? record : JSON.stringify(record)))
  const stdout = new TextEncoder().encode(lines.map((line) => `${line}\n`).join(''))
  const stated: Exclude<WireEvent, { type: 'completion' }>[] = []
  const reader = new WireReader(codexCli.structured.wire(), (event) => stated.push(event))
  reader.start({ transport: 'structured', options, ...(version !== undefined && { cliVersion: version }) })
  reader.push(stdout)
  const { ended } = reader
  const whole: Exit = { exitCode: 0, signal: null, stderr: '', ...exit }
  const completion = {
    ...composeCompletion(reader.end(whole), {
      credentialExposure: 'none',
      ledger: reader.ledger,
      stderrTail: whole.stderr,
      exitCode: whole.exitCode,
      signal: whole.signal,
      durationMs: 0,
    }),
    seq: stated.length,
    at: 0,
    adapter: 'codex-cli',
  }
  const before: AgentEvent[] = stated.map((event, seq) => ({ ...event, seq, at: 0, adapter: 'codex-cli' }))
  const events = [...before, completion]
  const breaches = checkGuarantees(events, stdout)
  if (breaches.length > 0) throw new Error(`guarantees broken: ${JSON.stringify(breaches)}`)
  return { events, completion, said: before.map(line), ended }
}

function line(event: AgentEvent): string {
  switch (event.type) {
    case 'session':
      return `session ${event.sessionId} ${event.origin}`
    case 'delta':
    case 'thinking':
      return `${event.type} ${event.messageId} ${event.contentDelta ? '+' : '='}${event.text}`
    case 'message':
      return `message ${event.messageId} ${event.status} ${event.text}`
    case 'tool':
      return `tool ${event.toolId} ${event.name} ${event.kind} ${event.phase}${toolDetail(event)}`
    case 'plan':
      return `plan ${event.entries.map((entry) => `${entry.content}:${entry.status}`).join(' ')}`
    case 'notice':
      return `notice ${event.level} ${event.code}: ${event.message}`
    case 'usage':
      return `usage ${JSON.stringify(event.usage)}`
    default:
      return event.type
  }
}

function toolDetail(event: Extract<AgentEvent, { type: 'tool' }>): string {
  switch (event.phase) {
    case 'start':
      return event.server === undefined ? '' : ` server ${event.server}`
    case 'input':
      return ` ${JSON.stringify(event.input)}`
    case 'output':
      return ` =${event.output}`
    case 'end':
      return ` ${event.status}${event.exitCode === undefined ? '' : ` exit ${event.exitCode}`}${event.output === undefined ? '' : ` ${JSON.stringify(event.output)}`}`
  }
}

/** Ends with an answer, so that no notice of an empty one comes. */
export function toolsSay(...items: Json[]): string[] {
  return play([thread, ...items, says('Done.', 'last'), turnCompleted]).said.slice(1, -3)
}
