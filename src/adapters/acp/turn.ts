import type { PlanEntry, PlanEntryStatus } from '../../protocol/events.ts'
import type { RpcError } from '../../protocol/json-rpc.ts'
import { asArray, asObject, asString, type JsonObject, lookUp } from '../../protocol/narrow.ts'
import type { TextRun } from '../../protocol/text-runs.ts'
import { Transcript } from '../../protocol/transcript.ts'
import { verdictOfError, verdictOfStop } from './failures.ts'
import type { AcpToolNames } from './mcp.ts'
import type { AcpMeter } from './meter.ts'
import { parentOf } from './speaker.ts'
import { AcpTools } from './tools.ts'

interface OpenMessage {
  run: TextRun
  /** undefined: the agent gives none. */
  messageId: string | undefined
}

const statuses: Readonly<Record<string, PlanEntryStatus>> = {
  pending: 'pending',
  in_progress: 'in_progress',
  completed: 'completed',
}
const priorities = { high: 'high', medium: 'medium', low: 'low' } as const
const levels = { info: 'info', warning: 'warning', error: 'error' } as const

/** What a consumer of this turn needs none of. */
const silent: ReadonlySet<unknown> = new Set([
  'user_message_chunk',
  'available_commands_update',
  'current_mode_update',
  'config_option_update',
  'session_info_update',
  'compaction_summary_chunk',
])

/** One prompt of an ACP conversation, from `session/prompt` to its answer. */
export class AcpTurn {
  readonly transcript = new Transcript()
  readonly tools: AcpTools
  readonly #meter: AcpMeter
  /** By speaker, '' is the top level. */
  readonly #messages = new Map<string, OpenMessage>()
  readonly #thoughts = new Map<string, string | undefined>()
  /** The prompt is with the agent. */
  isPrompted = false
  isInterrupted = false

  constructor(meter: AcpMeter, names: AcpToolNames) {
    this.#meter = meter
    this.tools = new AcpTools(this.transcript, names)
    meter.startTurn()
  }

  /** A `session/update`. */
  receive(update: JsonObject): void {
    switch (update.sessionUpdate) {
      case 'agent_message_chunk':
        this.#speak(update)
        break
      case 'agent_thought_chunk':
        this.#think(update)
        break
      case 'tool_call':
      case 'tool_call_update':
        this.#callTool(update)
        break
      case 'plan':
        this.transcript.plan(entriesOf(update.entries), parentOf(update))
        break
      case 'usage_update':
        this.#meter.update(update, this.transcript)
        break
      case 'notice':
        this.transcript.notice(
          lookUp(levels, asString(update.severity)) ?? 'info',
          'agent_notice',
          asString(update.title) ?? '',
        )
        break
      case 'compaction_update':
        this.transcript.notice('info', 'compaction', `Compaction: ${asString(update.status) ?? 'unknown'}.`)
        break
      default:
        if (silent.has(update.sessionUpdate)) break
        this.transcript.unknown(`the session update "${asString(update.sessionUpdate) ?? 'without a kind'}"`)
    }
  }

  /** The answer to the prompt. */
  stop(result: JsonObject, isUsageOfTurn: boolean): void {
    if (isUsageOfTurn) this.#meter.tokens(asObject(result.usage), this.transcript)
    const verdict = verdictOfStop(result.stopReason)
    if (!verdict.interrupted) for (const speaker of [...this.#messages.keys()]) this.#endMessage(speaker)
    this.transcript.conclude(verdict)
  }

  /** The agent answered the prompt with an error, which some say in a message, too (claude-agent-acp 0.49.0). */
  fail(error: RpcError): void {
    for (const { run } of this.#messages.values()) {
      if (run.text.trim() !== '' && error.message.includes(run.text.trim())) this.transcript.text.retract(run)
    }
    const { detail, ...verdict } = verdictOfError(error)
    this.transcript.conclude(this.isInterrupted ? { detail, interrupted: true } : { detail, ...verdict })
  }

  #speak(update: JsonObject): void {
    const speaker = parentOf(update) ?? ''
    const text = this.#textOf(update)
    if (text === '') return
    const messageId = asString(update.messageId)
    this.transcript.endThinking(parentOf(update))
    this.#thoughts.delete(speaker)
    const open = this.#messages.get(speaker)
    if (open && open.messageId === messageId) {
      this.transcript.text.append(open.run, text)
      return
    }
    this.#endMessage(speaker)
    const run = this.transcript.text.open({ parentToolId: parentOf(update), providerMessageId: messageId })
    this.#messages.set(speaker, { run, messageId })
    this.transcript.text.append(run, text)
  }

  #think(update: JsonObject): void {
    const parent = parentOf(update)
    const speaker = parent ?? ''
    const text = this.#textOf(update)
    if (text === '') return
    this.#endMessage(speaker)
    const messageId = asString(update.messageId)
    if (this.#thoughts.get(speaker) !== messageId) this.transcript.endThinking(parent)
    this.#thoughts.set(speaker, messageId)
    this.transcript.thinking(text, true, parent)
  }

  #callTool(update: JsonObject): void {
    const id = asString(update.toolCallId)
    if (id !== undefined && !this.transcript.tools.has(id)) this.#endMessage(parentOf(update) ?? '')
    this.tools.receive(update)
  }

  #endMessage(speaker: string): void {
    const open = this.#messages.get(speaker)
    if (!open) return
    this.#messages.delete(speaker)
    this.transcript.text.complete(open.run)
  }

  #textOf({ content }: JsonObject): string {
    const block = asObject(content)
    const text = asString(block?.text)
    if (block?.type === 'text' && text !== undefined) return text
    this.transcript.unknown(`content of type "${asString(block?.type) ?? 'unknown'}" in what an agent says`)
    return ''
  }
}

export function entriesOf(entries: unknown): PlanEntry[] {
  return asArray(entries).flatMap((each) => {
    const entry = asObject(each)
    const content = asString(entry?.content)
    if (content === undefined) return []
    const priority = lookUp(priorities, asString(entry?.priority))
    const status = lookUp(statuses, asString(entry?.status)) ?? 'pending'
    return [{ content, status, ...(priority !== undefined && { priority }) }]
  })
}
