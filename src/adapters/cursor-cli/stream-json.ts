import type { Exit, Failure } from '../../protocol/ending.ts'
import type { InteractionPayload } from '../../protocol/events.ts'
import { asContent, asNumber, asObject, asString, asWord, type JsonObject } from '../../protocol/narrow.ts'
import { Transcript } from '../../protocol/transcript.ts'
import type { Step, Wire, WireOptions, WireStart } from '../../protocol/wire.ts'
import { failureFrom, recognizeFailure } from './failures.ts'
import { interactionId, readInteraction } from './interactions.ts'
import { failureOfResult, usageOf } from './result.ts'
import { Segments } from './segments.ts'
import { Todos } from './todos.ts'
import { conversationSteps, readToolResult } from './tool-results.ts'
import { type CursorToolCall, readToolCall } from './tools.ts'

/**
 * `--print --output-format stream-json`, with and without `--stream-partial-output`: 2026.01.28 to 2026.10.01, as far as
 * recordings and public notes tell. Cursor's own CLI was never run with this: tested on recordings and a stand-in only.
 */
export function cursorStreamJson(): Wire {
  return new CursorStreamJson()
}

class CursorStreamJson implements Wire {
  readonly #transcript = new Transcript()
  readonly #segments = new Segments(this.#transcript)
  readonly #todos = new Todos()
  /** Open queries of the CLI to itself. */
  readonly #queries = new Map<string, Omit<InteractionPayload, 'type'>>()
  #options: WireOptions = {}
  #cliVersion: string | undefined
  #introduced = false
  /** The conversation that speaks is not the one that was asked for. */
  #notResumed: Failure | undefined
  /** Calls that were open when an attempt was abandoned. */
  #abandonedCalls: string[] = []
  #connectionLost = false
  /** The last lines of stdout that are no JSON. */
  #plainLines: string[] = []

  start({ options, cliVersion }: WireStart): Step {
    this.#options = options
    this.#cliVersion = cliVersion
    return this.#transcript.step()
  }

  receive(record: JsonObject): Step {
    if (!this.#introduced) this.#introduce(record)
    switch (record.type) {
      case 'assistant':
        this.#assistant(record)
        break
      case 'thinking':
        this.#thinking(record)
        break
      case 'tool_call':
        this.#toolCall(record)
        break
      case 'interaction_query':
        this.#interaction(record)
        break
      case 'connection':
        this.#connection(record)
        break
      case 'retry':
        this.#retry(record)
        break
      case 'result':
        this.#result(record)
        return this.#transcript.step(true)
      case 'system':
        this.#system(record)
        break
      case 'user':
        // The prompt, echoed.
        break
      default:
        this.#transcript.unknown(`records of type "${asWord(record.type)}"`)
    }
    return this.#transcript.step()
  }

  plain(line: string): void {
    this.#plainLines.push(line.slice(0, 2_000))
    if (this.#plainLines.length > 20) this.#plainLines.shift()
  }

  end(exit: Exit): Step {
    this.#segments.goesOn()
    this.#transcript.suspect(this.#suspicion(exit.stderr))
    return this.#transcript.end(exit, failureFrom)
  }

  /** No record says that a turn failed: the last words do, on stderr, or (old builds) on stdout as plain text. */
  #suspicion(stderr: string): Failure | undefined {
    const known = recognizeFailure(stderr) ?? recognizeFailure(this.#plainLines.join('\n'))
    if (known) return known
    if (!this.#connectionLost) return undefined
    return { code: 'network', message: 'The CLI lost its connection and gave up.' }
  }

  #introduce(record: JsonObject): void {
    const sessionId = asString(record.session_id)
    if (sessionId === undefined) return
    this.#introduced = true
    const { resume, conversationFound } = this.#options
    const isOther = resume !== undefined && sessionId !== resume
    if (isOther) {
      this.#notResumed = {
        code: 'resume_rejected',
        message: `The CLI began conversation ${sessionId} instead of resuming ${resume}.`,
        hint: 'Resume in the same cwd and with the same `conversations` as before.',
      }
    }
    this.#transcript.session({
      sessionId,
      transport: 'structured',
      model: asString(record.model),
      cwd: asString(record.cwd),
      cliVersion: this.#cliVersion,
      // An unknown id begins a new conversation under that very id: the id proves nothing, only its folder does.
      origin: resume !== undefined && !isOther && conversationFound ? 'resumed' : 'new',
    })
    if (resume !== undefined && !isOther && !conversationFound) {
      this.#transcript.notice(
        'info',
        'resume_unverified',
        'The CLI takes an unknown id for that of a new conversation: whether it found the old one is not known.',
      )
    }
  }

  #system(record: JsonObject): void {
    switch (record.subtype) {
      case 'init':
        break
      case 'task_notification':
        this.#transcript.notice('info', 'background_task', 'A background task of the CLI reported.', record)
        break
      case 'background_shell_timeout':
        this.#transcript.notice(
          'warning',
          'background_stopped',
          'The CLI stopped background commands that were still running after its answer.',
          record,
        )
        break
      default:
        this.#transcript.unknown(`system records of subtype "${asWord(record.subtype)}"`)
    }
  }

  #assistant(record: JsonObject): void {
    this.#connectionLost = false
    const content = asContent(asObject(record.message)?.content)
    if (!content) this.#transcript.unknown('a message without content')
    let text = ''
    for (const block of content ?? []) text += asString(asObject(block)?.text) ?? ''
    const isFlush = record.model_call_id !== undefined || record.timestamp_ms === undefined
    this.#segments.said(text, isFlush)
  }

  #thinking(record: JsonObject): void {
    if (record.subtype !== 'delta' && record.subtype !== 'completed') {
      this.#transcript.unknown(`thinking records of subtype "${asWord(record.subtype)}"`)
      return
    }
    this.#segments.goesOn()
    this.#connectionLost = false
    if (record.subtype === 'delta') this.#transcript.thinking(asString(record.text) ?? '', true)
    else this.#transcript.endThinking()
  }

  #toolCall(record: JsonObject): void {
    this.#connectionLost = false
    const call = readToolCall(record, this.#options.serverTools)
    const isEnd = record.subtype === 'completed'
    if (!call || (!isEnd && record.subtype !== 'started')) {
      this.#transcript.unknown(
        call ? `tool calls of subtype "${asWord(record.subtype)}"` : 'tool calls without a tool',
      )
      return
    }
    const { tools } = this.#transcript
    // An end in mid-text does not break the text: the next flush says it whole.
    if (!isEnd || !tools.has(call.id)) this.#segments.ends()
    else this.#segments.goesOn()
    if (this.#segments.retried && tools.has(call.id) && !tools.isOpen(call.id)) return
    tools.start(call.id, call.description)
    if (call.input !== undefined) tools.input(call.id, call.input)
    if (isEnd) this.#toolEnd(call)
  }

  #toolEnd(call: CursorToolCall): void {
    const { id, description, result } = call
    for (const step of conversationSteps(result)) {
      if (step.thinking !== undefined) this.#transcript.thinking(step.thinking, false, id)
      if (step.text === undefined) continue
      const run = this.#transcript.text.open({ parentToolId: id })
      this.#transcript.text.append(run, step.text, false)
      this.#transcript.text.complete(run)
    }
    this.#transcript.tools.end(id, readToolResult(result))
    const entries = this.#todos.after(description.name, call.input, result)
    if (entries) this.#transcript.plan(entries)
  }

  #interaction(record: JsonObject): void {
    this.#segments.ends()
    this.#connectionLost = false
    const id = interactionId(record)
    const interaction = readInteraction(record, this.#queries.get(id))
    if (!interaction) {
      this.#transcript.unknown(`queries of subtype "${asWord(record.subtype)}"`)
      return
    }
    if (interaction.phase === 'request') this.#queries.set(id, interaction)
    else this.#queries.delete(id)
    this.#transcript.interaction(interaction)
  }

  #connection(record: JsonObject): void {
    this.#segments.pauses()
    const attempt = asNumber(record.attempt)
    if (record.subtype === 'reconnecting') {
      this.#connectionLost = true
      this.#transcript.notice('warning', 'reconnecting', `The CLI lost its connection${counted(attempt)}.`)
    } else if (record.subtype === 'reconnected') {
      this.#transcript.notice('info', 'reconnected', 'The CLI is connected again.')
    } else this.#transcript.unknown(`connection records of subtype "${asWord(record.subtype)}"`)
  }

  #retry(record: JsonObject): void {
    this.#segments.retries()
    for (const id of this.#transcript.tools.pending) this.#abandonedCalls.push(id)
    const from =
      record.is_resume === true || record.subtype === 'resuming' ? 'its last checkpoint' : 'the start'
    const attempt = asNumber(record.attempt)
    this.#transcript.notice('warning', 'retry', `The CLI tries again from ${from}${counted(attempt)}.`)
  }

  #result(record: JsonObject): void {
    const isGood = record.subtype === 'success' && record.is_error !== true
    if (isGood) this.#segments.check(asString(record.result) ?? '')
    else this.#segments.ends()
    const usage = usageOf(asObject(record.usage))
    if (usage) this.#transcript.usage(usage)
    for (const id of this.#abandonedCalls) this.#transcript.tools.end(id, { status: 'retracted' })
    this.#abandonedCalls = []
    this.#transcript.conclude({
      detail: `result ${asString(record.subtype) ?? 'without a subtype'}`,
      failure: isGood ? this.#notResumed : failureOfResult(record),
    })
  }
}

function counted(attempt: number | undefined): string {
  return attempt === undefined ? '' : ` (attempt ${attempt})`
}
