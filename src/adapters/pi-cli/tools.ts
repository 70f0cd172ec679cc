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
import type { ToolDescription, ToolResult } from '../../protocol/tool-calls.ts'
import type { Transcript } from '../../protocol/transcript.ts'
import type { PiToolNames } from './tool-names.ts'

const kinds: Readonly<Record<string, ToolKind>> = {
  bash: 'execute',
  powershell: 'execute',
  read: 'read',
  edit: 'edit',
  write: 'edit',
  grep: 'search',
  find: 'search',
  ls: 'search',
}

export function describeTool(names: PiToolNames, name: string, args?: unknown): ToolDescription {
  const lower = name.toLowerCase() // signed in with Claude, pi offers Claude Code's casing
  const kind = lookUp(kinds, lower)
  return { ...names.split(name), kind: kind ?? 'other', locations: locationsOf(kind, args) }
}

function locationsOf(kind: ToolKind | undefined, args: unknown): ToolLocation[] | undefined {
  if (kind !== 'read' && kind !== 'edit') return undefined
  const fields = asObject(args)
  const path = asString(fields?.path) ?? asString(fields?.file_path)
  if (path === undefined || path === '') return undefined
  const line = asLine(fields?.offset)
  return [line === undefined ? { path } : { path, line }]
}

/** The `tool_execution_*` records. */
export class ToolExecutions {
  readonly #transcript: Transcript
  readonly #names: PiToolNames
  /** What the running tools have shown: pi repeats it whole, or its tail when it is long. */
  readonly #shown = new Map<string, string>()

  constructor(transcript: Transcript, names: PiToolNames) {
    this.#transcript = transcript
    this.#names = names
  }

  start(record: JsonObject): void {
    const id = asString(record.toolCallId)
    if (id === undefined) {
      this.#transcript.unknown('a tool execution without an id')
      return
    }
    const { tools } = this.#transcript
    const tool = describeTool(this.#names, asString(record.toolName) ?? 'unknown', record.args)
    if (!tools.isOpen(id)) tools.start(id, tool)
    if (!tools.hasInput(id) && record.args !== undefined) tools.input(id, record.args, tool.locations)
  }

  update(record: JsonObject): void {
    const id = asString(record.toolCallId)
    if (id === undefined) return
    if (!this.#transcript.tools.has(id)) this.start(record)
    const text = textOf(asArray(asObject(record.partialResult)?.content))
    const shown = this.#shown.get(id) ?? ''
    if (text === '' || text === shown) return
    this.#shown.set(id, text)
    if (text.startsWith(shown)) this.#transcript.tools.outputDelta(id, text.slice(shown.length))
    else this.#transcript.tools.output(id, text)
  }

  end(record: JsonObject): void {
    const id = asString(record.toolCallId)
    if (id === undefined) {
      this.#transcript.unknown('a tool execution without an id')
      return
    }
    this.#shown.delete(id)
    const tool = describeTool(this.#names, asString(record.toolName) ?? 'unknown')
    this.#transcript.tools.end(id, resultOf(record, tool.kind), tool)
  }
}

function resultOf(record: JsonObject, kind: ToolKind): ToolResult {
  const result = asObject(record.result)
  const blocks = asArray(result?.content)
  const content = blocks.flatMap(contentBlock)
  const output = textOf(blocks)
  return {
    status: record.isError === true ? 'failed' : 'completed',
    output,
    ...(content.some((block) => block.type === 'image') && { content }),
    exitCode: kind === 'execute' ? exitCodeOf(result, output, record.isError === true) : undefined,
  }
}

/** 1.x says it in `structuredContent`; before, a failing command's output ends with a line that pi adds. */
function exitCodeOf(result: JsonObject | undefined, output: string, failed: boolean): number | undefined {
  const said =
    asNumber(asObject(result?.structuredContent)?.exit_code) ?? asNumber(asObject(result?.details)?.exitCode)
  if (said !== undefined) return said
  const added = failed ? /(?:^|\n)Command exited with code (\d+)\s*$/.exec(output.slice(-100)) : null
  return added ? Number(added[1]) : undefined
}

function textOf(blocks: readonly unknown[]): string {
  let text = ''
  for (const block of blocks) {
    const said = asString(asObject(block)?.text)
    if (said !== undefined) text = text === '' ? said : `${text}\n${said}`
  }
  return text
}

function contentBlock(value: unknown): ContentBlock[] {
  const block = asObject(value)
  const text = asString(block?.text)
  if (text !== undefined) return [{ type: 'text', text }]
  const data = asString(block?.data)
  const mimeType = asString(block?.mimeType)
  return data !== undefined && mimeType !== undefined ? [{ type: 'image', mimeType, data }] : []
}
