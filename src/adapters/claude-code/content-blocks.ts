import type { PlanEntry } from '../../protocol/events.ts'
import { asContent, asNumber, asObject, asString, type JsonObject } from '../../protocol/narrow.ts'
import type { TextRun } from '../../protocol/text-runs.ts'
import type { Transcript } from '../../protocol/transcript.ts'
import { wordsOf } from './placeholder.ts'
import {
  hasOpenTool,
  isCutShort,
  isText,
  isThinking,
  oldest,
  type Speaker,
  Speakers,
  type ToolBlock,
} from './speakers.ts'
import {
  type DescribeCall,
  isServerResult,
  locationsOf,
  parseInput,
  planOf,
  readServerToolResult,
} from './tools.ts'

/** Puts streamed content blocks and the `assistant` records that confirm them together. */
export class ContentBlocks {
  readonly #transcript: Transcript
  readonly describe: DescribeCall
  readonly #speakers = new Speakers()
  /** The message that a tool call belongs to: what tells a repeated record from a repeated id. */
  readonly #messageOfTool = new Map<string, string | undefined>()
  /** To-do lists that a call wants to set: whether it may, its result tells (2.1.332 has no TodoWrite any more). */
  readonly #plans = new Map<string, PlanEntry[]>()
  /** The top-level run that the next one carries on in mid-sentence. */
  #continues: string | undefined

  constructor(transcript: Transcript, describe: DescribeCall) {
    this.#transcript = transcript
    this.describe = describe
  }

  /** Why the main loop's last message stopped, as the API calls it. */
  get stopReason(): string | undefined {
    return this.#speakers.of(undefined).stopReason
  }

  /** An event of the Messages API, as it was streamed to the CLI. */
  stream(event: JsonObject, parentToolId: string | undefined): void {
    const speaker = this.#speakers.of(parentToolId)
    switch (event.type) {
      case 'content_block_delta':
        this.#delta(speaker, asNumber(event.index) ?? 0, asObject(event.delta) ?? {})
        return
      case 'content_block_start':
        this.#startBlock(speaker, asNumber(event.index) ?? 0, asObject(event.content_block) ?? {})
        return
      case 'content_block_stop':
        this.#stopBlock(speaker, asNumber(event.index) ?? 0)
        return
      case 'message_start':
        this.#startMessage(speaker, asString(asObject(event.message)?.id), true)
        return
      case 'message_delta':
        speaker.stopReason = asString(asObject(event.delta)?.stop_reason) ?? speaker.stopReason
        return
      case 'message_stop':
      case 'ping':
      case 'error':
        return
      default:
        this.#transcript.unknown(`the stream event "${asString(event.type) ?? '?'}"`)
    }
  }

  /**
   * An `assistant` record: one or more blocks of a message, final.
   *
   * @param isAborted the turn was stopped in the middle of it (`aborted`, 2.1.332)
   */
  confirm(message: JsonObject, parentToolId: string | undefined, isAborted = false): void {
    const speaker = this.#speakers.of(parentToolId)
    const id = asString(message.id)
    if (id !== undefined && id !== speaker.messageId) {
      // A message that was never streamed: what was streamed before it is not part of it.
      if (speaker.messageId !== undefined || speaker.blocks.size === 0) this.#startMessage(speaker, id, false)
      else speaker.messageId = id
    }
    const blocks = asContent(message.content)?.map(asObject)
    if (!blocks) this.#transcript.unknown('a message without content')
    for (const block of blocks ?? []) if (block) this.#confirmBlock(speaker, block, isAborted)
    speaker.stopReason = asString(message.stop_reason) ?? speaker.stopReason
  }

  /** The CLI throws away what is not confirmed and asks again. */
  retry(parentToolId: string | undefined): void {
    this.#abandon(this.#speakers.of(parentToolId))
  }

  /** A tool's result came: the speaker's next message is one of its own. */
  answered(id: string, isGood: boolean, parentToolId: string | undefined): void {
    this.#speakers.of(parentToolId).saidText = false
    const plan = this.#plans.get(id)
    if (plan && isGood) this.#transcript.plan(plan, parentToolId)
    this.#plans.delete(id)
  }

  /**
   * The CLI itself told the model to go on, with this text. After a message that was cut off in a text the next one carries it
   * on; after an empty answer it is a new one.
   */
  prompted(text: string): void {
    const speaker = this.#speakers.of(undefined)
    const isCut = speaker.streamed || /\bresume directly\b/i.test(text)
    if (speaker.stopReason === undefined && isCut) this.#carryOn(speaker)
  }

  /**
   * The CLI said its result.
   *
   * @returns whether it calls a message well that was cut in a tool call (seen of 1.0.124)
   */
  close(isGood: boolean): boolean {
    const speaker = this.#speakers.of(undefined)
    const isCut = isGood && speaker.streamed && speaker.stopReason === undefined && hasOpenTool(speaker)
    if (isGood)
      for (const block of speaker.blocks.values()) if (block.kind === 'tool') this.#abandonTool(block)
    speaker.saidText = false
    return isCut
  }

  #carryOn(speaker: Speaker): void {
    if (speaker.saidText && speaker.parentToolId === undefined) {
      this.#continues = this.#transcript.text.lastMessageId
    }
  }

  #startMessage(speaker: Speaker, id: string | undefined, streamed: boolean): void {
    this.#abandon(speaker)
    // The CLI makes the model go on after a text that a limit cut: 2.1.136 without a word, 2.1.332 with a user record.
    if (isCutShort(speaker)) this.#carryOn(speaker)
    speaker.messageId = id
    speaker.streamed = streamed
    speaker.stopReason = undefined
    speaker.saidText = false
  }

  #abandon(speaker: Speaker): void {
    for (const block of speaker.blocks.values()) {
      if (block.kind === 'tool') this.#abandonTool(block)
      if (block.kind !== 'text' || block.run.settled) continue
      this.#continues ??= block.run.continues
      this.#transcript.text.retract(block.run)
    }
    speaker.blocks.clear()
    this.#transcript.endThinking(speaker.parentToolId)
  }

  #abandonTool(block: ToolBlock): void {
    if (block.confirmed || !this.#transcript.tools.isOpen(block.id)) return
    this.#transcript.tools.end(block.id, { status: 'retracted' })
  }

  #startBlock(speaker: Speaker, index: number, block: JsonObject): void {
    switch (block.type) {
      case 'text': {
        const run = this.#openText(speaker)
        speaker.blocks.set(index, { kind: 'text', run, confirmed: false })
        this.#transcript.text.append(run, asString(block.text) ?? '')
        return
      }
      case 'thinking':
        this.#transcript.endThinking(speaker.parentToolId)
        speaker.blocks.set(index, { kind: 'thinking', confirmed: false })
        this.#transcript.thinking(asString(block.thinking) ?? '', true, speaker.parentToolId)
        return
      case 'tool_use':
      case 'server_tool_use':
      case 'mcp_tool_use': {
        const id = asString(block.id)
        if (id === undefined) return
        this.#startTool(speaker, id, block)
        speaker.blocks.set(index, { kind: 'tool', id, json: '', confirmed: false })
        return
      }
      default:
        speaker.blocks.set(index, { kind: 'other', confirmed: false })
        this.#otherBlock(speaker, block)
    }
  }

  #delta(speaker: Speaker, index: number, delta: JsonObject): void {
    const block = speaker.blocks.get(index)
    switch (delta.type) {
      case 'text_delta': {
        const text = asString(delta.text) ?? ''
        if (block?.kind === 'text' && !block.run.settled) this.#transcript.text.append(block.run, text)
        else this.#startBlock(speaker, index, { type: 'text', text })
        return
      }
      case 'input_json_delta': {
        const fragment = asString(delta.partial_json)
        if (block?.kind !== 'tool' || fragment === undefined) return
        block.json += fragment
        this.#transcript.tools.inputDelta(block.id, fragment)
        return
      }
      case 'thinking_delta':
        this.#transcript.thinking(asString(delta.thinking) ?? '', true, speaker.parentToolId)
        if (!block) speaker.blocks.set(index, { kind: 'thinking', confirmed: false })
        return
      case 'signature_delta':
      case 'citations_delta':
        return
      default:
        this.#transcript.unknown(`the delta "${asString(delta.type) ?? '?'}"`)
    }
  }

  #stopBlock(speaker: Speaker, index: number): void {
    const block = speaker.blocks.get(index)
    if (block?.kind === 'thinking') this.#transcript.endThinking(speaker.parentToolId)
    // The `assistant` record comes first and has said the input; where none came, the fragments are all there is.
    if (block?.kind === 'tool' && !block.confirmed) this.#input(block.id, parseInput(block.json))
  }

  #confirmBlock(speaker: Speaker, block: JsonObject, isAborted: boolean): void {
    switch (block.type) {
      case 'text':
        this.#confirmText(speaker, wordsOf(block.text), isAborted)
        return
      case 'thinking': {
        const streamed = oldest(speaker, isThinking)
        if (streamed) streamed.confirmed = true
        else this.#transcript.thinking(asString(block.thinking) ?? '', false, speaker.parentToolId)
        return
      }
      case 'tool_use':
      case 'server_tool_use':
      case 'mcp_tool_use':
        this.#confirmTool(speaker, block)
        return
      default:
        this.#otherBlock(speaker, block)
    }
  }

  #confirmText(speaker: Speaker, text: string, isAborted: boolean): void {
    const streamed = oldest(speaker, isText)
    if (streamed) streamed.confirmed = true
    const run = streamed && !streamed.run.settled ? streamed.run : this.#openText(speaker)
    if (isAborted) {
      if (text.startsWith(run.text))
        this.#transcript.text.append(run, text.slice(run.text.length), run.text !== '')
      this.#transcript.text.interrupt(run)
    } else {
      this.#transcript.text.complete(run, text)
    }
    if (text.trim() !== '') speaker.saidText = true
  }

  #confirmTool(speaker: Speaker, block: JsonObject): void {
    const id = asString(block.id)
    if (id === undefined) this.#transcript.unknown('a tool call without an id')
    if (id === undefined) return
    const streamed = [...speaker.blocks.values()].find((each) => each.kind === 'tool' && each.id === id)
    if (streamed) streamed.confirmed = true
    else if (this.#transcript.tools.has(id) && this.#messageOfTool.get(id) === speaker.messageId) return
    else this.#startTool(speaker, id, block)
    this.#input(id, block.input)
  }

  #startTool(speaker: Speaker, id: string, block: JsonObject): void {
    if (speaker.parentToolId === undefined) this.#continues = undefined
    this.#messageOfTool.set(id, speaker.messageId)
    this.#transcript.tools.start(id, this.describe(block, speaker.parentToolId))
  }

  #input(id: string, input: unknown): void {
    if (input === undefined || this.#transcript.tools.hasInput(id)) return
    this.#transcript.tools.input(id, input, locationsOf(input))
    const plan = planOf(input)
    if (plan) this.#plans.set(id, plan)
  }

  #otherBlock(speaker: Speaker, block: JsonObject): void {
    if (block.type === 'redacted_thinking') return
    const id = asString(block.tool_use_id)
    if (id !== undefined && isServerResult(block)) {
      this.#transcript.tools.end(id, readServerToolResult(block), this.describe({}, speaker.parentToolId))
    } else {
      this.#transcript.unknown(`the content block "${asString(block.type) ?? '?'}"`)
    }
  }

  #openText({ parentToolId, messageId: providerMessageId }: Speaker): TextRun {
    const continues = parentToolId === undefined ? this.#continues : undefined
    if (continues !== undefined) this.#continues = undefined
    return this.#transcript.text.open({ parentToolId, providerMessageId, continues })
  }
}
