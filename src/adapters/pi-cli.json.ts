import type { Failure, Verdict } from '../protocol/ending.ts'
import { asNumber, asObject, asString, type JsonObject } from '../protocol/narrow.ts'
import { Transcript } from '../protocol/transcript.ts'
import type { Exit, Step, Wire, WireStart } from '../protocol/wire.ts'
import { type LastMessage, lacksToolCall, lastMessage, verdictOn } from './pi-cli.ending.ts'
import { failureOfMessage, failureOfStderr } from './pi-cli.errors.ts'
import { AssistantMessage } from './pi-cli.message.ts'
import { originOf, wrongConversation } from './pi-cli.session.ts'
import { ToolExecutions } from './pi-cli.tools.ts'
import { TurnUsage } from './pi-cli.usage.ts'

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
  'auto_retry_end',
  'summarization_retry_attempt_start',
  'summarization_retry_finished',
])

/**
 * pi's `--mode json`, in both of its forms, told apart by each record alone: the old one repeats all of a message in each of its
 * updates, the new one has the deltas only.
 *
 * Its end is `agent_settled` (0.80.4 and later); before, the last `agent_end`, which a retry or a compaction takes back.
 */
export class PiJsonWire implements Wire {
  readonly #transcript = new Transcript()
  readonly #executions = new ToolExecutions(this.#transcript)
  readonly #usage = new TurnUsage()
  #start: WireStart = { transport: 'structured', options: {} }
  #message: AssistantMessage | undefined
  #undecided: Undecided[] = []
  #last: LastMessage | undefined
  /** The conversation that answers is not the one that was to be resumed. */
  #rejected: Failure | undefined
  #plain: string | undefined
  #records = 0
  #ended: boolean | undefined

  start(input: WireStart): Step {
    this.#start = input
    return this.#transcript.step()
  }

  receive(record: JsonObject): Step {
    this.#records++
    switch (record.type) {
      case 'message_update':
        this.#update(asObject(record.assistantMessageEvent))
        break
      case 'tool_execution_update':
        this.#executions.update(record)
        break
      case 'message_start':
        this.#beginMessage(asObject(record.message))
        break
      case 'message_end':
        this.#endMessage(asObject(record.message))
        break
      case 'tool_execution_start':
        this.#executions.start(record)
        break
      case 'tool_execution_end':
        this.#executions.end(record)
        break
      case 'session':
        this.#session(record)
        break
      case 'agent_start':
        this.#takeBackEnd()
        break
      case 'agent_end':
        this.#agentEnd(record)
        break
      case 'agent_settled':
        this.#settled(record)
        break
      case 'auto_retry_start':
        this.#retry(record)
        break
      case 'compaction_start':
        this.#ended = false
        this.#transcript.notice('info', 'compaction', 'pi sums up the conversation to make room.')
        break
      case 'compaction_end':
        this.#compacted(record)
        break
      case 'summarization_retry_scheduled':
        this.#retryNotice(record)
        break
      case 'extension_error':
        this.#transcript.notice(
          'warning',
          'extension_error',
          asString(record.error) ?? 'An extension failed.',
        )
        break
      default:
        if (!silentRecords.has(record.type)) this.#transcript.unknown(`the record "${record.type}"`)
    }
    return this.#step()
  }

  plain(line: string): void {
    this.#plain ??= line.trim().slice(0, 200)
  }

  end(exit: Exit): Step {
    const gaveUp = failureOfStderr(exit.stderr)
    if (gaveUp?.code === 'resume_rejected') this.#transcript.suspect(gaveUp)
    else if (this.#records === 0 && exit.exitCode === 0 && this.#plain !== undefined) {
      this.#transcript.suspect({
        code: 'protocol',
        message: `pi printed plain text and no JSON: ${this.#plain}`,
        hint: 'This pi does not keep to --mode json; update it.',
      })
    }
    if (this.#transcript.verdict && exit.stopped !== true) this.#decide()
    return this.#transcript.end(exit, failureOfStderr)
  }

  #step(): Step {
    const step = this.#transcript.step()
    if (this.#ended === undefined) return step
    const ended = this.#ended
    this.#ended = undefined
    return { ...step, ended }
  }

  #session(record: JsonObject): void {
    const sessionId = asString(record.id)
    if (sessionId === undefined) {
      this.#transcript.unknown('a session without an id')
      return
    }
    const cwd = asString(record.cwd)
    const { options, transport, cliVersion } = this.#start
    const origin = originOf(record, options)
    this.#rejected = wrongConversation(origin, options)
    this.#transcript.session({
      sessionId,
      transport,
      ...(cwd !== undefined && { cwd }),
      ...(cliVersion !== undefined && { cliVersion }),
      origin,
    })
  }

  #update(event: JsonObject | undefined): void {
    if (!event) {
      this.#transcript.unknown('a message update without an event')
      return
    }
    this.#message ??= new AssistantMessage(this.#transcript)
    this.#message.update(event)
  }

  #beginMessage(message: JsonObject | undefined): void {
    if (message?.role !== 'assistant') {
      if (!silentRoles.has(message?.role)) this.#transcript.unknown(`the role "${message?.role}"`)
      return
    }
    if (this.#message) this.#undecided.push({ message: this.#message, failed: true })
    this.#decide()
    this.#message = new AssistantMessage(this.#transcript)
  }

  #endMessage(message: JsonObject | undefined): void {
    if (message?.role === 'toolResult') this.#count(asObject(message.usage))
    if (message?.role !== 'assistant') return
    const current = this.#message ?? new AssistantMessage(this.#transcript)
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

  /** No retry came: what broke off stays as it was left; what was cut by the token limit, and a refusal, is what there is. */
  #decide(): void {
    for (const { message, failed } of this.#undecided) {
      if (failed) message.interrupt()
      else message.complete()
    }
    this.#undecided = []
  }

  /** pi asks the model again: what it said in vain is withdrawn. */
  #retract(): void {
    for (const { message } of this.#undecided) message.retract()
    this.#undecided = []
    this.#takeBackEnd()
  }

  #takeBackEnd(): void {
    this.#transcript.conclude(undefined)
    this.#ended = false
  }

  #retry(record: JsonObject): void {
    this.#retract()
    this.#retryNotice(record)
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

  #compacted(record: JsonObject): void {
    this.#count(asObject(asObject(record.result)?.usage))
    const errorMessage = asString(record.errorMessage)
    if (errorMessage !== undefined) this.#transcript.notice('warning', 'compaction_failed', errorMessage)
    if (record.willRetry === true) this.#retract()
    else if (this.#transcript.verdict && this.#last?.stopReason === 'stop') this.#ended = true
  }

  #agentEnd(record: JsonObject): void {
    if (record.willRetry === true) {
      this.#takeBackEnd()
      return
    }
    this.#transcript.conclude(this.#verdict('agent_end'))
    // pi sleeps between its retries: only after a good answer none can follow.
    this.#ended = this.#last?.stopReason === 'stop'
  }

  #settled(record: JsonObject): void {
    const verdict = this.#verdict('agent_settled')
    const aborted = record.aborted === true
    this.#transcript.conclude(aborted ? { detail: verdict.detail, interrupted: true } : verdict)
    this.#decide()
    this.#ended = true
  }

  #verdict(record: string): Verdict {
    const verdict = verdictOn(record, this.#last)
    return this.#rejected ? { detail: verdict.detail, failure: this.#rejected } : verdict
  }
}
