import type { Issue } from '../../errors.ts'
import { issueAt } from '../../options/issues.ts'
import { toJson } from '../../protocol/depth.ts'
import type { Verdict } from '../../protocol/ending.ts'
import { asArray, asBoolean, asNumber, asObject, asString, type JsonObject } from '../../protocol/narrow.ts'
import type { TextRun } from '../../protocol/text-runs.ts'
import type { Transcript } from '../../protocol/transcript.ts'

/** The tool with which the model says an answer of the wanted shape, where claude got a JSON Schema (2.0.72 to 2.1.332). */
export const answerTool = 'StructuredOutput'

const mostIssues = 20

interface Call {
  id: string | undefined
  /** Of its block in the message that is being streamed. */
  index: number | undefined
  run: TextRun
  confirmed: boolean
}

/**
 * The main loop's calls of that tool. They do nothing but say the answer, so they are messages: their input, as JSON. claude checks
 * it itself and makes the model try again: what did not fit is retracted.
 */
export class AnswerTool {
  readonly #transcript: Transcript
  #call: Call | undefined
  #messageId: string | undefined
  /** What claude told the model of the last call that did not fit. */
  #refusal: string | undefined

  constructor(transcript: Transcript) {
    this.#transcript = transcript
  }

  /** @returns whether this event of the Messages API is about such a call */
  stream(event: JsonObject): boolean {
    const index = asNumber(event.index)
    switch (event.type) {
      case 'message_start':
        if (this.#call) this.#forget(this.#call)
        this.#messageId = asString(asObject(event.message)?.id)
        return false
      case 'content_block_start': {
        const block = asObject(event.content_block)
        if (!isAnswer(block)) return false
        this.#open(block, index)
        return true
      }
      case 'content_block_delta':
        if (!this.#call || this.#call.index !== index) return false
        this.#transcript.text.append(this.#call.run, asString(asObject(event.delta)?.partial_json) ?? '')
        return true
      case 'content_block_stop':
        return this.#call !== undefined && this.#call.index === index
      default:
        return false
    }
  }

  /** @returns an `assistant` record's message without such calls */
  confirm(message: JsonObject): JsonObject {
    const content = asArray(message.content)
    if (!content.some((block) => isAnswer(asObject(block)))) return message
    this.#messageId = asString(message.id)
    const rest = content.filter((value) => {
      const block = asObject(value)
      if (!isAnswer(block)) return true
      this.#confirm(block)
      return false
    })
    return { ...message, content: rest }
  }

  /** @returns whether this `tool_result` is such a call's */
  answer(result: JsonObject): boolean {
    const call = this.#call
    if (!call || call.id === undefined || call.id !== result.tool_use_id) return false
    this.#call = undefined
    if (asBoolean(result.is_error) === true) {
      this.#refusal = asString(result.content)
      this.#transcript.text.retract(call.run)
    } else this.#transcript.text.complete(call.run)
    return true
  }

  /** With what did not fit, where claude gave up for that. */
  explained(verdict: Verdict): Verdict {
    const { failure } = verdict
    if (failure?.code !== 'output_mismatch' || this.#refusal === undefined) return verdict
    return { ...verdict, failure: { ...failure, issues: issuesIn(this.#refusal) } }
  }

  #open(block: JsonObject, index?: number): Call {
    if (this.#call) this.#transcript.text.complete(this.#call.run)
    const run = this.#transcript.text.open({ providerMessageId: this.#messageId })
    const call = { id: asString(block.id), index, run, confirmed: false }
    this.#call = call
    return call
  }

  #confirm(block: JsonObject): void {
    const isStreamed = this.#call !== undefined && this.#call.id === block.id
    const call = isStreamed && this.#call ? this.#call : this.#open(block)
    call.confirmed = true
    if (call.run.text === '') this.#transcript.text.append(call.run, toJson(block.input ?? {}) ?? '', false)
  }

  /** The next message began: a call that was not whole is withdrawn, as claude asks again. */
  #forget(call: Call): void {
    if (!call.confirmed) {
      this.#transcript.text.retract(call.run)
      this.#call = undefined
    } else call.index = undefined
  }
}

/**
 * claude joins what ajv found: "Output does not match required schema: /steps/0/title: must be string, root: must have ..." (2.0.72 to
 * 2.1.332).
 */
function issuesIn(refusal: string): Issue[] {
  const found = refusal.replace(/^Output does not match required schema: /, '')
  const issues = found.split(/, (?=(?:root|\/[^\s:]*): )/).slice(0, mostIssues)
  return issues.map((issue) => {
    const [, pointer, message] = /^(root|\/[^\s:]*): (.+)$/s.exec(issue) ?? []
    return message === undefined ? issueAt([], issue) : issueAt(pathOf(pointer), message)
  })
}

/** A JSON Pointer's names. */
function pathOf(pointer = 'root'): string[] {
  if (pointer === 'root') return []
  const names = pointer.slice(1).split('/')
  return names.map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'))
}

function isAnswer(block: JsonObject | undefined): block is JsonObject {
  return block?.type === 'tool_use' && block.name === answerTool
}
