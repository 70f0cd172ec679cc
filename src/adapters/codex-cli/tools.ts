import { toJson } from '../../protocol/depth.ts'
import type { ContentBlock, ToolKind, ToolLocation, ToolStatus } from '../../protocol/events.ts'
import { asArray, asNumber, asObject, asString, type JsonObject } from '../../protocol/narrow.ts'
import type { ToolCalls, ToolDescription } from '../../protocol/tool-calls.ts'

export type ItemPhase = 'started' | 'updated' | 'completed'

/** What a tool item says, whichever record it comes in. */
export interface ToolReading extends ToolDescription {
  /** Absent where this record does not hold it yet. */
  input?: unknown
  output?: string | undefined
  content?: ContentBlock[] | undefined
  exitCode?: number | undefined
  /** Absent: the item's own word. */
  status?: ToolStatus | undefined
}

/** Says what one record tells of a tool. Many items come only when they are completed; the start is then made up on the spot. */
export function tellTool(tools: ToolCalls, phase: ItemPhase, item: JsonObject, tool: ToolReading): void {
  const own = asString(item.id)
  // Items without an id (never seen): the oldest that is open ends first, and an end without any is a call of its own.
  const id = own || tool.name
  const isKnown = own ? tools.has(id) : tools.isOpen(id)
  if (phase === 'started' || !isKnown) tools.start(id, tool)
  if (tool.input !== undefined) tools.input(id, tool.input)
  if (phase === 'updated' && tool.output) tools.output(id, tool.output)
  if (phase !== 'completed') return
  tools.end(id, {
    status: tool.status ?? statusOf(asString(item.status), tool.exitCode),
    output: tool.output,
    content: tool.content,
    exitCode: tool.exitCode,
    locations: tool.locations,
  })
}

function statusOf(status: string | undefined, exitCode: number | undefined): ToolStatus {
  if (status === 'failed') return 'failed'
  if (status === 'declined') return 'rejected'
  if (status === 'interrupted') return 'interrupted'
  return exitCode === undefined || exitCode === 0 ? 'completed' : 'failed'
}

/** A tool item of exec (snake_case) or of a thread (camelCase). undefined for one that this version does not know. */
export function readTool(type: string, item: JsonObject, phase: ItemPhase): ToolReading | undefined {
  switch (type) {
    case 'command_execution':
    case 'commandExecution':
      return readCommand(item)
    case 'file_change':
    case 'fileChange':
      return readChange(item)
    case 'mcp_tool_call':
    case 'mcpToolCall':
      return readMcpCall(item)
    case 'web_search':
    case 'webSearch':
      return readSearch(item, phase)
    case 'collab_tool_call':
    case 'collabAgentToolCall':
      return readCollaboration(item, phase)
    case 'dynamicToolCall':
      return readDynamicCall(item)
    case 'functionCallOutput':
      return { name: asString(item.name) || 'unknown', kind: 'other', output: asString(item.output) }
    case 'imageView':
      return readImageView(item)
    case 'imageGeneration':
      return readImageGeneration(item)
    case 'sleep':
      return { name: 'sleep', kind: 'other', input: present({ durationMs: item.durationMs }) }
    default:
      return undefined
  }
}

/** The wire does not say which of its shell tools the model called (shell, shell_command, exec_command): one name for all. */
export const shellTool = { name: 'shell', kind: 'execute' } as const

function readCommand(item: JsonObject): ToolReading {
  return {
    name: shellTool.name,
    kind: shellTool.kind,
    input: item.command === undefined ? {} : { command: item.command },
    output: asString(item.aggregated_output) ?? asString(item.aggregatedOutput),
    exitCode: asNumber(item.exit_code) ?? asNumber(item.exitCode),
  }
}

function readChange(item: JsonObject): ToolReading {
  const changes = asArray(item.changes)
  return {
    name: 'apply_patch',
    kind: kindOfChanges(changes),
    input: { changes },
    locations: changes.flatMap((change): ToolLocation[] => {
      const path = asString(asObject(change)?.path)
      return path === undefined ? [] : [{ path }]
    }),
  }
}

function readMcpCall(item: JsonObject): ToolReading {
  const blocks = contentOf(asObject(item.result))
  const texts = blocks.flatMap((block) => (block.type === 'text' ? [block.text] : []))
  return {
    name: asString(item.tool) || 'unknown',
    kind: 'other',
    server: isResourceTool(item) ? undefined : asString(item.server) || undefined,
    input: item.arguments ?? undefined,
    output: asString(asObject(item.error)?.message) ?? (blocks.length > 0 ? texts.join('\n') : undefined),
    content: texts.length < blocks.length ? blocks : undefined,
  }
}

const resourceTools: ReadonlySet<unknown> = new Set([
  'list_mcp_resources',
  'list_mcp_resource_templates',
  'read_mcp_resource',
])

/** Tools of codex's own, which it tells as those of the server that they ask, and of a server "codex" where they ask all. */
function isResourceTool(item: JsonObject): boolean {
  const asked = asObject(item.arguments)?.server ?? 'codex'
  return resourceTools.has(item.tool) && item.server === asked
}

const fetches: ReadonlySet<unknown> = new Set(['open_page', 'openPage', 'find_in_page', 'findInPage'])

/** Only the end knows what was asked. */
function readSearch(item: JsonObject, phase: ItemPhase): ToolReading {
  const action = asObject(item.action)
  return {
    name: 'web_search',
    kind: fetches.has(action?.type) ? 'fetch' : 'search',
    input: phase === 'completed' ? present({ query: item.query, action }) : undefined,
  }
}

/** Who was spoken to is known at the end. */
function readCollaboration(item: JsonObject, phase: ItemPhase): ToolReading {
  const states = Object.values(asObject(item.agents_states) ?? asObject(item.agentsStates) ?? {})
  const said = states.flatMap((state) => asString(asObject(state)?.message) ?? [])
  const receivers = item.receiver_thread_ids ?? item.receiverThreadIds
  return {
    name: snakeCase(asString(item.tool) || 'unknown'),
    kind: 'other',
    input:
      phase === 'completed'
        ? present({ prompt: item.prompt ?? undefined, receiver_thread_ids: receivers })
        : undefined,
    output: said.length > 0 ? said.join('\n') : undefined,
  }
}

function readDynamicCall(item: JsonObject): ToolReading {
  const texts = asArray(item.contentItems).flatMap((block) => asString(asObject(block)?.text) ?? [])
  return {
    name: asString(item.tool) || 'unknown',
    kind: 'other',
    server: asString(item.namespace) || undefined,
    input: item.arguments ?? undefined,
    output: texts.length > 0 ? texts.join('\n') : undefined,
    status: item.success === false ? 'failed' : undefined,
  }
}

function readImageView(item: JsonObject): ToolReading {
  const path = asString(item.path)
  return {
    name: 'view_image',
    kind: 'read',
    input: present({ path }),
    locations: path === undefined ? undefined : [{ path }],
  }
}

function readImageGeneration(item: JsonObject): ToolReading {
  const data = asString(item.result)
  const path = asString(item.savedPath)
  return {
    name: 'image_generation',
    kind: 'other',
    input: present({ prompt: item.revisedPrompt ?? undefined }),
    content: data ? [{ type: 'image', mimeType: 'image/png', data }] : undefined,
    locations: path === undefined ? undefined : [{ path }],
  }
}

/** spawnAgent and spawn_agent are one tool. */
function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

/** Without the fields that the item does not have. */
function present(input: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined))
}

/** exec says `kind: 'delete'`, a thread `kind: { type: 'delete' }`. */
function kindOfChanges(changes: readonly unknown[]): ToolKind {
  const deletesOnly =
    changes.length > 0 &&
    changes.every((change) => {
      const kind = asObject(change)?.kind
      return kind === 'delete' || asObject(kind)?.type === 'delete'
    })
  return deletesOnly ? 'delete' : 'edit'
}

/** An MCP result as content: what is neither text nor an image is kept as its JSON. */
function contentOf(result: JsonObject | undefined): ContentBlock[] {
  if (!result) return []
  const blocks = asArray(result.content).map((value): ContentBlock => {
    const block = asObject(value)
    const text = asString(block?.text)
    if (block?.type === 'text' && text !== undefined) return { type: 'text', text }
    const data = asString(block?.data)
    const mimeType = asString(block?.mimeType) ?? asString(block?.mime_type)
    if (block?.type === 'image' && data !== undefined && mimeType !== undefined) {
      return { type: 'image', mimeType, data }
    }
    return { type: 'text', text: toJson(value) ?? '' }
  })
  const structured = result.structured_content ?? result.structuredContent ?? undefined
  if (blocks.length > 0 || structured === undefined) return blocks
  return [{ type: 'text', text: toJson(structured) ?? '' }]
}
