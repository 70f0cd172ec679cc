import type { Failure, Verdict } from '../../protocol/ending.ts'
import { asNumber, asObject, asString, asWord, type JsonObject } from '../../protocol/narrow.ts'
import type { Transcript } from '../../protocol/transcript.ts'
import { type LastMessage, lacksToolCall, lastMessage, verdictOn } from './ending.ts'
import { failureOfMessage } from './errors.ts'
import { AssistantMessage } from './message.ts'
import type { PiToolNames } from './tool-names.ts'
import { ToolExecutions } from './tools.ts'
import { TurnUsage } from './usage.ts'

/**
 * What a record says of pi's run. 'resting': the agent has ended, but what pi does next (a retry, a compaction, a queued message)
 * may begin it anew. 'settled' (`agent_settled`, since 0.80.4): nothing of that can follow.
 */
export type Progress = 'running' | 'resting' | 'settled'

/** An answer that failed or was cut: kept unless pi asks for it again. */
interface Undecided {
  message: AssistantMessage
  failed: boolean
}

/** Roles whose messages tell a consumer nothing that other records do not. */
const silentRoles: ReadonlySet<unknown> = new Set([
  'user',
  'system',
  'developer',
  'toolResult',
  'custom',
  'bashExecution',
  'compactionSummary',
  'branchSummary',
])

/** Known records that say nothing to a consumer. */
const silentRecords: ReadonlySet<unknown> = new Set([
  'turn_start',
  'turn_end',
  'queue_update',
  'entry_appended',
  'session_info_changed',
  'thinking_level_changed',
  'model_changed',
  'model_select',
  'summarization_retry_attempt_start',
  'summarization_retry_finished',
])

/**
 * pi's records of one turn, the same in `--mode json` and `--mode rpc`, in both of their forms, told apart by each record alone:
 * the old one repeats all of a message in each of its updates, the new one has the deltas only.
 */
export class PiRun {
  /** Outweighs whatever pi says of the end. */
  failure: Failure | undefined
  /** pi was told to stop, so that what did not end well was stopped. */
  interrupted = false
  readonly #transcript: Transcript
  readonly #names: PiToolNames
  readonly #executions: ToolExecutions
  readonly #usage = new TurnUsage()
  #message: AssistantMessage | undefined
  #undecided: Undecided[] = []
  #last: LastMessage | undefined

  constructor(transcript: Transcript, names: PiToolNames) {
    this.#transcript = transcript
    this.#names = names
    this.#executions = new ToolExecutions(transcript, names)
  }

  /** Whether the last answer of the model stopped by itself, so that no retry can follow. */
  get endedWell(): boolean {
    return this.#last?.stopReason === 'stop'
  }

  receive(record: JsonObject): Progress | undefined {
    switch (record.type) {
      case 'message_update':
        this.#update(asObject(record.assistantMessageEvent))
        return undefined
      case 'tool_execution_update':
        this.#executions.update(record)
        return undefined
      case 'message_start':
        this.#beginMessage(asObject(record.message))
        return undefined
      case 'message_end':
        this.#endMessage(asObject(record.message))
        return undefined
      case 'tool_execution_start':
        this.#executions.start(record)
        return undefined
      case 'tool_execution_end':
        this.#executions.end(record)
        return undefined
      case 'agent_start':
        return this.#takeBackEnd()
      case 'agent_end':
        return this.#agentEnd(record)
      case 'agent_settled':
        return this.#settled(record)
      case 'auto_retry_start':
        return this.#retry(record)
      case 'auto_retry_end':
        return this.#endRetry(record)
      case 'compaction_start':
        this.#transcript.notice('info', 'compaction', 'pi sums up the conversation to make room.')
        return 'running'
      case 'compaction_end':
        return this.#compacted(record)
      case 'summarization_retry_scheduled':
        this.#retryNotice(record)
        return undefined
      case 'extension_error':
        this.#transcript.notice(
          'warning',
          'extension_error',
          asString(record.error) ?? 'An extension failed.',
        )
        return undefined
      default:
        if (!silentRecords.has(record.type)) this.#transcript.unknown(`the record "${asWord(record.type)}"`)
        return undefined
    }
  }

  /** No retry came: what broke off stays as it was left; what was cut by the token limit, and a refusal, is what there is. */
  decide(): void {
    for (const { message, failed } of this.#undecided) {
      if (failed) message.interrupt()
      else message.complete()
    }
    this.#undecided = []
  }

  #update(event: JsonObject | undefined): void {
    if (!event) {
      this.#transcript.unknown('a message update without an event')
      return
    }
    this.#message ??= new AssistantMessage(this.#transcript, this.#names)
    this.#message.update(event)
  }

  #beginMessage(message: JsonObject | undefined): void {
    if (message?.role !== 'assistant') {
      if (!silentRoles.has(message?.role)) this.#transcript.unknown(`the role "${message?.role}"`)
      return
    }
    if (this.#message) this.#undecided.push({ message: this.#message, failed: true })
    this.decide()
    this.#message = new AssistantMessage(this.#transcript, this.#names)
  }

  #endMessage(message: JsonObject | undefined): void {
    if (message?.role === 'toolResult') this.#count(asObject(message.usage))
    if (message?.role !== 'assistant') return
    const current = this.#message ?? new AssistantMessage(this.#transcript, this.#names)
    this.#message = undefined
    current.catchUp(message)
    this.#count(asObject(message.usage))
    const last = lastMessage(message, current.calledTools)
    const { stopReason, failure } = last
    this.#last = last
    this.#transcript.suspect(failure)
    if (lacksToolCall(last)) {
      this.#transcript.notice('warning', 'tool_call_missing', 'The model asked for a tool but named none.')
    }
    if (stopReason === 'error' || stopReason === 'length') {
      this.#undecided.push({
        message: current,
        failed: stopReason === 'error' && failure?.code !== 'refused',
      })
    } else if (stopReason === 'aborted') current.interrupt()
    else current.complete()
  }

  #count(usage: JsonObject | undefined): void {
    if (!this.#usage.add(usage)) return
    const total = this.#usage.usage
    if (total) this.#transcript.usage(total)
    this.#transcript.cost(this.#usage.costUsd)
  }

  /** pi asks the model again: what it said in vain is withdrawn. */
  #retract(): void {
    for (const { message } of this.#undecided) message.retract()
    this.#undecided = []
    this.#takeBackEnd()
  }

  #takeBackEnd(): Progress {
    this.#transcript.conclude(undefined)
    return 'running'
  }

  #retry(record: JsonObject): Progress {
    this.#retract()
    this.#retryNotice(record)
    return 'running'
  }

  /** Before 0.80.4 a wait for a retry that is cut off has no other end (0.73.1). */
  #endRetry(record: JsonObject): Progress | undefined {
    if (record.success !== false || this.#transcript.verdict) return undefined
    const verdict = this.#verdict('auto_retry_end')
    // Of an answer that needed no retry it says nothing.
    if (!verdict.failure && !verdict.interrupted) return undefined
    this.#transcript.conclude(verdict)
    return 'resting'
  }

  #retryNotice(record: JsonObject): void {
    const attempt = asNumber(record.attempt)
    const maxAttempts = asNumber(record.maxAttempts)
    const delayMs = asNumber(record.delayMs)
    const reason = failureOfMessage(asString(record.errorMessage))
    this.#transcript.notice(
      'warning',
      'retry',
      `pi asks again (${attempt ?? '?'} of ${maxAttempts ?? '?'}) in ${delayMs ?? '?'} ms: ${reason.message}`,
      { attempt, maxAttempts, delayMs, code: reason.code },
    )
  }

  #compacted(record: JsonObject): Progress | undefined {
    this.#count(asObject(asObject(record.result)?.usage))
    const errorMessage = asString(record.errorMessage)
    if (errorMessage !== undefined) this.#transcript.notice('warning', 'compaction_failed', errorMessage)
    if (record.willRetry === true) {
      this.#retract()
      return 'running'
    }
    return this.#transcript.verdict ? 'resting' : undefined
  }

  #agentEnd(record: JsonObject): Progress {
    if (record.willRetry === true) return this.#takeBackEnd()
    this.#transcript.conclude(this.#verdict('agent_end'))
    return 'resting'
  }

  #settled(record: JsonObject): Progress {
    const verdict = this.#verdict('agent_settled')
    const aborted = record.aborted === true
    this.#transcript.conclude(aborted ? { detail: verdict.detail, interrupted: true } : verdict)
    this.decide()
    return 'settled'
  }

  #verdict(record: string): Verdict {
    const verdict = verdictOn(record, this.#last, this.#transcript.tools.pending.length > 0)
    if (this.failure) return { detail: verdict.detail, failure: this.failure }
    if (this.interrupted && !this.endedWell) return { detail: verdict.detail, interrupted: true }
    return verdict
  }
}
