import type { ContentBlock, PlanEntry, ToolKind, ToolLocation } from '../../protocol/events.ts'
import { mcpNamesOf } from '../../protocol/mcp-names.ts'
import {
  asArray,
  asBoolean,
  asLine,
  asObject,
  asString,
  type JsonObject,
  lookUp,
} from '../../protocol/narrow.ts'
import type { ToolDescription, ToolResult } from '../../protocol/tool-calls.ts'

const kinds: Readonly<Record<string, ToolKind>> = {
  Bash: 'execute',
  BashOutput: 'execute',
  KillShell: 'execute',
  PowerShell: 'execute',
  Read: 'read',
  NotebookRead: 'read',
  Edit: 'edit',
  MultiEdit: 'edit',
  Write: 'edit',
  NotebookEdit: 'edit',
  Glob: 'search',
  Grep: 'search',
  LS: 'search',
  ToolSearch: 'search',
  WebSearch: 'search',
  web_search: 'search',
  WebFetch: 'fetch',
  web_fetch: 'fetch',
  Task: 'think',
  Agent: 'think',
  TodoWrite: 'think',
  EnterPlanMode: 'switch_mode',
  ExitPlanMode: 'switch_mode',
  exit_plan_mode: 'switch_mode',
}

/** What a content block calls; a result whose call nobody saw is of an unknown tool. */
export type DescribeCall = (block: JsonObject, parentToolId: string | undefined) => ToolDescription

/** @param servers what each MCP server has, where that is known: claude writes `a.b` as `a_b` */
export function callsOf(servers: Readonly<Record<string, readonly string[]>> = {}): DescribeCall {
  const split = mcpNamesOf(servers)
  return (block, parentToolId) => {
    const name = asString(block.name) ?? 'unknown'
    // Of the calls that the API itself makes.
    const server = asString(block.server_name)
    return {
      ...split(name),
      kind: lookUp(kinds, name) ?? 'other',
      parentToolId,
      ...(server !== undefined && { server }),
    }
  }
}

/** The files that a call is about. */
export function locationsOf(input: unknown): ToolLocation[] | undefined {
  const fields = asObject(input)
  const path = asString(fields?.file_path) ?? asString(fields?.notebook_path) ?? asString(fields?.path)
  if (path === undefined || path === '') return undefined
  const line = asLine(fields?.offset)
  return [line === undefined ? { path } : { path, line }]
}

/** The to-do list that a TodoWrite call sets; undefined for any other input. */
export function planOf(input: unknown): PlanEntry[] | undefined {
  const todos = asObject(input)?.todos
  if (!Array.isArray(todos)) return undefined
  return todos.flatMap((todo): PlanEntry[] => {
    const fields = asObject(todo)
    const content = asString(fields?.content)
    if (content === undefined) return []
    const status = asString(fields?.status)
    return [{ content, status: status === 'completed' || status === 'in_progress' ? status : 'pending' }]
  })
}

/** undefined where the fragments are no whole JSON: the call died in the middle of it. */
export function parseInput(json: string): unknown {
  if (json === '') return {}
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}

/**
 * What a `tool_result` block says.
 *
 * @param record the `user` record around it, which says more than the model gets to see
 */
export function readToolResult(block: JsonObject, record: JsonObject): ToolResult {
  const { output, content } = readContent(block.content)
  const failed = asBoolean(block.is_error) === true
  const details = asObject(record.tool_use_result)
  const status = failed ? failedStatus(block, record, output) : 'completed'
  const interrupted = status === 'completed' && asBoolean(details?.interrupted) === true
  return {
    status: interrupted ? 'interrupted' : status,
    output,
    content,
    exitCode: failed ? exitCodeIn(output) : exitCodeFrom(details),
  }
}

/** Results of tools that the provider runs (`web_search_tool_result`, ...) stand in the assistant's own message. */
export function isServerResult(block: JsonObject): boolean {
  return typeof block.type === 'string' && block.type.endsWith('_tool_result')
}

export function readServerToolResult(block: JsonObject): ToolResult {
  const error = asObject(block.content)
  const failed = asBoolean(block.is_error) === true || asString(error?.error_code) !== undefined
  const output = failed
    ? (asString(error?.error_code) ?? readContent(block.content).output)
    : titlesIn(block.content)
  return { status: failed ? 'failed' : 'completed', output }
}

function titlesIn(content: unknown): string {
  const lines = asArray(content).flatMap((entry) => {
    const fields = asObject(entry)
    const url = asString(fields?.url)
    return (
      asString(fields?.text) ?? (url === undefined ? [] : `${asString(fields?.title) ?? ''} ${url}`.trim())
    )
  })
  return lines.join('\n')
}

/** `content` only where there is more than text: it would say the same thing twice. */
function readContent(content: unknown): { output: string; content: ContentBlock[] | undefined } {
  if (typeof content === 'string') return { output: content, content: undefined }
  const blocks = asArray(content).flatMap(readContentBlock)
  const texts = blocks.flatMap((block) => (block.type === 'text' ? [block.text] : []))
  return { output: texts.join('\n'), content: texts.length < blocks.length ? blocks : undefined }
}

function readContentBlock(value: unknown): ContentBlock[] {
  const block = asObject(value)
  const text = asString(block?.text)
  if (block?.type === 'text' && text !== undefined) return [{ type: 'text', text }]
  const source = asObject(block?.source)
  const data = asString(source?.data)
  if (block?.type === 'image' && data !== undefined) {
    return [{ type: 'image', mimeType: asString(source?.media_type) ?? 'image/png', data }]
  }
  return []
}

/** What 1.0 to 2.1 answer the model when nobody is there to allow a call. */
const denial = new RegExp(
  `^(?:${[
    'Claude requested permissions? ',
    'Permission (?:to (?:use|read|edit)|for this|denied)',
    '.{0,200} was blocked(?:\\. For security| by a deny rule)',
    'This Bash command contains multiple operations\\.',
    '.{0,200} requires? (?:manual )?approval(?:\\.| \\(.*\\))?$',
    'Cannot write to .{1,500} while in plan mode\\.',
    '(?:Command|jq command|Git commit message) (?:contains|appears to be|accesses|argument|modifies|requests) ',
    '(?:Slash command|Skill) execution blocked by permission rules',
    'MCP tool \\S+ has been denied',
    'File is in a directory that is (?:ignored|denied) by your ',
    '(?:Answer questions|Enter plan mode|Exit plan mode)\\?$',
    'Execute (?:slash command|skill): ',
  ].join('|')})`,
)

/** What stands in place of a result when the turn is stopped. */
const interruption =
  /^(?:The user doesn't want to (?:proceed|take this action)|\[Request interrupted by user)/

function failedStatus(block: JsonObject, record: JsonObject, output: string): ToolResult['status'] {
  // 2.1.233 on: the CLI says itself why a call did not run.
  const meta = asArray(record.tool_result_meta)
    .map(asObject)
    .find((entry) => entry?.id === block.tool_use_id)
  const kind = asString(meta?.non_execution_kind)
  if (kind === 'interrupted' || kind === 'cancelled') return 'interrupted'
  // 2.1.332 calls a call that an interrupt stopped in its middle 'user-rejected', too.
  if (kind === 'user-rejected' && interruption.test(output)) return 'interrupted'
  if (kind !== undefined) return 'rejected'
  if (asString(asObject(meta?.permission_decision)?.decision) === 'reject') return 'rejected'
  if (denial.test(output)) return 'rejected'
  return interruption.test(output) ? 'interrupted' : 'failed'
}

/** A failed Bash call's result begins with 'Exit code 3'. */
function exitCodeIn(output: string): number | undefined {
  const match = /^(?:Error: )?Exit code (\d+)/.exec(output)
  return match ? Number(match[1]) : undefined
}

/**
 * A Bash call that ended well has no code in its result: it was 0, unless the CLI interpreted another one (grep's 1) or the
 * command runs on in the background.
 */
function exitCodeFrom(details: JsonObject | undefined): number | undefined {
  if (asString(details?.stdout) === undefined || asBoolean(details?.interrupted) !== false) return undefined
  const isOpen = details?.backgroundTaskId !== undefined || details?.shellId !== undefined
  return isOpen || details?.returnCodeInterpretation !== undefined ? undefined : 0
}
