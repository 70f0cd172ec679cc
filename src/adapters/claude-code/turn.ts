import { toJson } from '../../protocol/depth.ts'
import type { Exit } from '../../protocol/ending.ts'
import { asArray, asBoolean, asNumber, asObject, asString, type JsonObject } from '../../protocol/narrow.ts'
import { Transcript } from '../../protocol/transcript.ts'
import type { Step } from '../../protocol/wire.ts'
import { AnswerTool } from './answer-tool.ts'
import { ContentBlocks } from './content-blocks.ts'
import { type ApiError, apiErrorIn, type Clues, failureInStderr, failureOfApiError } from './errors.ts'
import { sayMcpFailures, sayNotice, sayRateLimit, silentRecords } from './notices.ts'
import { wordsOf } from './placeholder.ts'
import { verdictOf } from './result.ts'
import { type Conversation, sessionOf } from './session.ts'
import { callsOf, readToolResult } from './tools.ts'
import { UsageCount } from './usage.ts'

/** What the turns of one process share. */
export interface ProcessState {
  /** Background tasks that claude has not reported the end of. */
  readonly openTasks: Set<string>
  /** What claude says that the conversation has cost, up to now. undefined: it was resumed, so that nobody knows. */
  costUsd: number | undefined
}

/** Reads what claude says in one turn into its transcript: the same on both transports. */
export class ClaudeTurn {
  readonly transcript = new Transcript()
  readonly #blocks: ContentBlocks
  readonly #answer = new AnswerTool(this.transcript)
  readonly #usage = new UsageCount()
  readonly #conversation: Conversation
  readonly #process: ProcessState
  readonly #costBefore: number | undefined
  #apiError: ApiError | undefined
  #limited = false
  #retryAt: number | undefined
  #interrupted = false
  readonly #denied = new Set<string>()
  #isStopped = false
  /** The last result has been followed by more of the main loop. */
  #goesOn = false
  #ended: boolean | undefined

  constructor(conversation: Conversation, process: ProcessState) {
    this.#conversation = conversation
    this.#blocks = new ContentBlocks(this.transcript, callsOf(conversation.serverTools))
    this.#process = process
    this.#costBefore = process.costUsd
  }

  /** The host will not have this call run: no version but the newest says so in its result. */
  denied(toolId: string): void {
    this.#denied.add(toolId)
  }

  /** The host has asked claude to stop: what fails from now on fails for that. */
  stopped(): void {
    this.#isStopped = true
  }

  /** claude has said how the turn ended, and nothing since that could change it. */
  get hasResult(): boolean {
    return this.transcript.verdict !== undefined && !this.#goesOn
  }

  read(record: JsonObject): void {
    const parentToolId = asString(record.parent_tool_use_id)
    switch (record.type) {
      case 'stream_event':
        this.#stream(asObject(record.event) ?? {}, parentToolId)
        break
      case 'assistant':
        this.#assistant(record, asObject(record.message) ?? {}, parentToolId)
        break
      case 'user':
        this.#user(record, asObject(record.message) ?? {}, parentToolId)
        break
      case 'system':
        this.#system(record, parentToolId)
        break
      case 'result':
        this.#result(record)
        break
      case 'rate_limit_event':
        this.#rateLimit(asObject(record.rate_limit_info) ?? {})
        break
      default:
        if (!silentRecords.has(asString(record.type) ?? '')) {
          this.transcript.unknown(`the record "${asString(record.type) ?? '?'}"`)
        }
    }
  }

  /** The events since the last one; on the structured transport with what is known of the end. */
  step(): Step {
    const step = this.transcript.step()
    const ended = this.#ended
    if (ended === undefined) return step
    this.#ended = undefined
    return { ...step, ended }
  }

  end(exit: Exit): Step {
    // A run that began after the last result and was cut: that result no longer tells how the turn ended.
    if (this.#goesOn) this.transcript.conclude(undefined)
    return this.transcript.end(exit, failureInStderr)
  }

  #stream(event: JsonObject, parentToolId: string | undefined): void {
    if (parentToolId !== undefined || !this.#answer.stream(event)) this.#blocks.stream(event, parentToolId)
    if (parentToolId !== undefined) return
    if (event.type === 'message_start') {
      this.carryOn()
      this.#countUsage(this.#usage.message(asObject(event.message)))
    } else if (event.type === 'message_delta') {
      this.#countUsage(this.#usage.update(asObject(event.usage)))
    }
  }

  #assistant(record: JsonObject, message: JsonObject, parentToolId: string | undefined): void {
    if (message.model === '<synthetic>' || asBoolean(record.is_api_error_message) === true) {
      this.#sayApiError(record, message, parentToolId)
      return
    }
    const said = parentToolId === undefined ? this.#answer.confirm(message) : message
    this.#blocks.confirm(said, parentToolId, asBoolean(record.aborted) === true)
    if (parentToolId !== undefined) return
    this.carryOn()
    this.#countUsage(this.#usage.message(message))
  }

  /** A text that claude makes up to report an error. The turn may still go on: only a `result` makes it the end. */
  #sayApiError(record: JsonObject, message: JsonObject, parentToolId: string | undefined): void {
    const apiError = apiErrorIn(record, message)
    if (!apiError) return
    const said = apiError.text.slice(0, 500) || 'claude reported an error without a word.'
    this.transcript.notice('error', 'api_error', said)
    if (parentToolId !== undefined) return
    this.#apiError = apiError
    this.transcript.suspect(failureOfApiError(apiError, this.#clues()))
  }

  #user(record: JsonObject, message: JsonObject, parentToolId: string | undefined): void {
    for (const value of asArray(message.content)) {
      const block = asObject(value)
      if (block?.type === 'tool_result') {
        const id = asString(block.tool_use_id)
        if (id === undefined) this.transcript.unknown('a tool result without an id')
        if (id === undefined || this.#answer.answer(block)) continue
        const result = readToolResult(block, record)
        if (result.status === 'failed') result.status = this.#whyFailed(id)
        this.transcript.tools.end(id, result, this.#blocks.describe({}, parentToolId))
        this.#blocks.answered(id, result.status === 'completed', parentToolId)
      } else if (block?.type === 'text' && parentToolId === undefined) {
        const text = asString(block.text) ?? ''
        if (text.startsWith('[Request interrupted by user')) this.#interrupted = true
        else if (asBoolean(record.isSynthetic) === true) this.#blocks.prompted(text)
      }
    }
  }

  #whyFailed(toolId: string): 'failed' | 'rejected' | 'interrupted' {
    if (this.#denied.has(toolId)) return 'rejected'
    return this.#isStopped ? 'interrupted' : 'failed'
  }

  #system(record: JsonObject, parentToolId: string | undefined): void {
    switch (record.subtype) {
      case 'init':
        this.#init(record)
        return
      case 'api_retry':
        this.#blocks.retry(parentToolId)
        break
      case 'background_tasks_changed':
        this.#process.openTasks.clear()
        for (const task of asArray(record.tasks))
          this.#process.openTasks.add(asString(asObject(task)?.task_id) ?? '')
        this.#noTaskLeft()
        return
      case 'task_started':
        // A sub-agent that the main loop waits for is a task, too: its tool call is what is open.
        if (record.is_backgrounded !== false) this.#process.openTasks.add(asString(record.task_id) ?? '')
        return
      case 'task_notification':
        this.#process.openTasks.delete(asString(record.task_id) ?? '')
        this.#noTaskLeft()
        break
    }
    sayNotice(this.transcript, record)
  }

  #init(record: JsonObject): void {
    if (this.transcript.verdict) {
      this.carryOn()
      return
    }
    if (this.transcript.sessionId === undefined) {
      const session = sessionOf(record, this.#conversation)
      if (session) this.transcript.session(session)
    }
    sayMcpFailures(this.transcript, record)
  }

  /** The last result wins, but for those that a background task caused. */
  #result(record: JsonObject): void {
    const verdict = this.#answer.explained(verdictOf(record, this.#clues()))
    if (this.#isStray(record) && verdict.failure) {
      this.transcript.notice('warning', 'background_run_failed', verdict.failure.message)
      return
    }
    const isGood = verdict.failure === undefined
    this.#sayCounts(record)
    this.#goesOn = false
    if (this.#blocks.close(isGood)) {
      const message = 'The last message was cut before it was whole: the answer may be incomplete.'
      this.transcript.notice('warning', 'message_cut', message)
    }
    if (asString(asObject(record.origin)?.kind) === 'task-notification') {
      if (verdict.failure) this.transcript.notice('warning', 'background_run_failed', verdict.failure.message)
    } else {
      if (isGood) this.#sayWell(wordsOf(record.result), record.structured_output)
      if (record.structured_output !== undefined) this.transcript.structuredOutput(record.structured_output)
      this.transcript.conclude(verdict)
      this.#correctSession(asString(record.session_id), isGood)
    }
    if (this.transcript.verdict) this.#ended = this.#process.openTasks.size === 0
    this.#apiError = undefined
    this.#interrupted = false
  }

  /** 2.0.72 fails to report a background task that ends after the result: a run without a turn is no run of the answer. */
  #isStray(record: JsonObject): boolean {
    return this.transcript.verdict !== undefined && !this.#goesOn && asNumber(record.num_turns) === 0
  }

  #sayWell(text: string, output: unknown): void {
    if (output === undefined) this.transcript.text.reconcile(text)
    // Written anew by claude (2.1.332): the model's own words of it are a message.
    if (output !== undefined && text === toJson(output) && this.transcript.text.answer !== '') return
    // What no message said: a command's output, or an answer whose records were lost.
    if (text.trim() === '' || this.transcript.text.says(text)) return
    this.transcript.text.complete(this.transcript.text.open(), text)
  }

  #sayCounts(record: JsonObject): void {
    const name = asString(record.uuid) ?? asString(record.result)
    const usage = this.#usage.result(asObject(record.usage), name)
    this.#countUsage(usage)
    // The cost counts from the conversation's start, across turns and processes.
    const total = asNumber(record.total_cost_usd)
    const before = this.#costBefore
    this.#process.costUsd = total ?? this.#process.costUsd
    if (before === undefined || total === undefined) return
    const cost = before === 0 ? total : Number((total - before).toFixed(12))
    // 2.0.72 counts neither tokens nor their price where it fell back to a request without streaming.
    if (cost > 0 || !usage?.outputTokens) this.transcript.cost(cost)
  }

  /** The id of 2.1.139's `init` is a tag of the run's own: the result's is the one to resume. */
  #correctSession(sessionId: string | undefined, isGood: boolean): void {
    if (sessionId === undefined || (this.transcript.sessionId === undefined && !isGood)) return
    const { transport, originOf } = this.#conversation
    this.transcript.session({ sessionId, transport, origin: originOf(sessionId) })
  }

  #rateLimit(info: JsonObject): void {
    const limit = sayRateLimit(this.transcript, info)
    this.#limited = limit.isReached
    this.#retryAt = limit.isReached ? limit.resetsAt : undefined
  }

  #clues(): Clues {
    return {
      stopReason: this.#blocks.stopReason,
      apiError: this.#apiError,
      limited: this.#limited,
      retryAt: this.#retryAt,
      interrupted: this.#interrupted,
    }
  }

  #countUsage(usage: ReturnType<UsageCount['result']>): void {
    if (usage) this.transcript.usage(usage)
  }

  /** After a result the main loop speaks again: a background task has reported, or a message was taken in late. */
  carryOn(): void {
    if (!this.transcript.verdict || this.#goesOn) return
    this.#goesOn = true
    this.#ended = false
  }

  #noTaskLeft(): void {
    if (this.transcript.verdict && !this.#goesOn && this.#process.openTasks.size === 0) this.#ended = true
  }
}
