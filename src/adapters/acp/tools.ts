import type { ContentBlock, ToolKind, ToolLocation } from '../../protocol/events.ts'
import {
  asArray,
  asLine,
  asNumber,
  asObject,
  asString,
  type JsonObject,
  lookUp,
} from '../../protocol/narrow.ts'
import type { Transcript } from '../../protocol/transcript.ts'
import type { AcpToolNames } from './mcp.ts'
import { parentOf } from './speaker.ts'

const kinds: Readonly<Record<ToolKind, ToolKind>> = {
  read: 'read',
  edit: 'edit',
  delete: 'delete',
  move: 'move',
  search: 'search',
  execute: 'execute',
  think: 'think',
  fetch: 'fetch',
  switch_mode: 'switch_mode',
  other: 'other',
}

/** What was said of a call and not passed on yet. */
interface Call {
  /** The agent may still be at writing it. */
  input: unknown
  output: string
  content: ContentBlock[]
  isDenied: boolean
}

/** Translates `tool_call` and `tool_call_update`: both tell only what is new. */
export class AcpTools {
  readonly #transcript: Transcript
  readonly #names: AcpToolNames
  readonly #calls = new Map<string, Call>()

  constructor(transcript: Transcript, names: AcpToolNames) {
    this.#transcript = transcript
    this.#names = names
  }

  receive(update: JsonObject): void {
    const { tools } = this.#transcript
    const id = asString(update.toolCallId) ?? ''
    const isFirst = !tools.has(id)
    const call = this.#call(id, update)
    if (!tools.isOpen(id)) return
    const isWhole = update.status !== 'pending' && !(isFirst && update.status === undefined)
    this.#readInput(id, call, update, isWhole)
    if (Array.isArray(update.content)) this.#readContent(id, call, update.content, isWhole)
    if (update.status === 'completed' || update.status === 'failed') this.#end(id, call, update)
  }

  /** A request is about this call: all that there is of its input is known. */
  ask(toolCall: JsonObject): void {
    const id = asString(toolCall.toolCallId)
    if (id === undefined) return
    this.#readInput(id, this.#call(id, toolCall), toolCall, true)
  }

  /** It was not allowed, which ACP calls 'failed'. */
  deny(id: string): void {
    const call = this.#calls.get(id)
    if (call) call.isDenied = true
  }

  #call(id: string, update: JsonObject): Call {
    const known = this.#calls.get(id)
    if (known) return known
    const { server, name } = this.#names.describe(update)
    this.#transcript.tools.start(id, {
      name,
      server,
      kind: lookUp(kinds, asString(update.kind)) ?? 'other',
      parentToolId: parentOf(update),
      locations: locationsOf(update),
    })
    const call: Call = { input: undefined, output: '', content: [], isDenied: false }
    this.#calls.set(id, call)
    return call
  }

  #readInput(id: string, call: Call, update: JsonObject, isWhole: boolean): void {
    const { rawInput } = update
    if (rawInput !== undefined && rawInput !== null)
      call.input = this.#names.describe(update).input ?? rawInput
    if (isWhole && call.input !== undefined && !isEmpty(call.input)) {
      this.#transcript.tools.input(id, call.input, locationsOf(update))
    }
  }

  /** `content` is everything so far. */
  #readContent(id: string, call: Call, content: readonly unknown[], isWhole: boolean): void {
    const blocks = content.flatMap((each) => blockOf(asObject(asObject(each)?.content)))
    const text = textOf(blocks)
    call.content = blocks
    if (text === call.output || !isWhole) return
    if (text.startsWith(call.output)) this.#transcript.tools.outputDelta(id, text.slice(call.output.length))
    else this.#transcript.tools.output(id, text)
    call.output = text
  }

  #end(id: string, call: Call, update: JsonObject): void {
    const { tools } = this.#transcript
    if (call.input !== undefined) tools.input(id, call.input)
    const failure = call.isDenied ? 'rejected' : 'failed'
    tools.end(id, {
      status: update.status === 'completed' ? 'completed' : failure,
      output: outputOf(update.rawOutput) ?? (call.content.length > 0 ? textOf(call.content) : undefined),
      content: call.content.some((block) => block.type === 'image') ? call.content : undefined,
      exitCode: exitCodeOf(update.rawOutput),
      locations: locationsOf(update),
    })
  }
}

/** opencode 1.18.33 wraps the output; claude-agent-acp 0.49.0 has it plain here, and in a code fence in `content`. */
function outputOf(rawOutput: unknown): string | undefined {
  const wrapped = asObject(rawOutput)
  return asString(rawOutput) ?? asString(wrapped?.output) ?? asString(wrapped?.error)
}

function exitCodeOf(rawOutput: unknown): number | undefined {
  const { exitCode, exit_code, metadata } = asObject(rawOutput) ?? {}
  return asNumber(exitCode) ?? asNumber(exit_code) ?? asNumber(asObject(metadata)?.exit)
}

function blockOf(content: JsonObject | undefined): ContentBlock[] {
  const text = asString(content?.text)
  if (content?.type === 'text' && text !== undefined) return [{ type: 'text', text }]
  const data = asString(content?.data)
  const mimeType = asString(content?.mimeType)
  if (content?.type !== 'image' || data === undefined || mimeType === undefined) return []
  return [{ type: 'image', data, mimeType }]
}

function textOf(blocks: readonly ContentBlock[]): string {
  return blocks.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n')
}

function locationsOf(update: JsonObject): ToolLocation[] | undefined {
  const diffs = asArray(update.content).filter((each) => asObject(each)?.type === 'diff')
  const found: ToolLocation[] = []
  for (const each of [...asArray(update.locations), ...diffs]) {
    const place = asObject(each)
    const path = asString(place?.path)
    if (path === undefined || found.some((known) => known.path === path)) continue
    const line = asLine(place?.line)
    found.push(line === undefined ? { path } : { path, line })
  }
  return found.length === 0 ? undefined : found
}

function isEmpty(input: unknown): boolean {
  const fields = asObject(input)
  return fields !== undefined && Object.keys(fields).length === 0
}
