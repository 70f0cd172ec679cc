import type { ContentBlock, PlanEntry, ToolKind, ToolLocation, ToolStatus } from '../protocol/events.ts'
import { asArray, asBoolean, asNumber, asObject, asString, type JsonObject } from '../protocol/narrow.ts'
import type { TextRun } from '../protocol/text-runs.ts'
import type { ToolDescription } from '../protocol/tool-calls.ts'
import type { Transcript } from '../protocol/transcript.ts'

export type ItemPhase = 'started' | 'updated' | 'completed'

/** What a tool item says, whichever record it comes in. */
interface ToolReading extends ToolDescription {
  /** Absent where this record does not hold it yet. */
  input?: unknown
  output?: string | undefined
  content?: ContentBlock[] | undefined
  exitCode?: number | undefined
}

/** 0.113 under load: "in-process app-server event stream lagged; dropped 46 events", the last answer among them. */
const lagged = /event stream lagged/

/** The items of an exec stream. Many come only as `item.completed`; a tool's start is then made up on the spot. */
export class Items {
  readonly #transcript: Transcript
  /** Messages by item, while codex still writes on them. */
  readonly #writing = new Map<string, TextRun>()
  /** Whole messages of the response that is still arriving: they may be thrown away with it. */
  #unsettled: { run: TextRun; text: string }[] = []
  /** The response broke off, and only the next message can tell whether they were thrown away with it. */
  #inDoubt = false
  #plan = ''
  /** codex's own word that it dropped events, until a message says that the answer was not among them. */
  lost: string | undefined

  constructor(transcript: Transcript) {
    this.#transcript = transcript
  }

  receive(phase: ItemPhase, item: JsonObject): void {
    const type = asString(item.type) ?? asString(item.item_type) ?? ''
    switch (type) {
      case 'agent_message':
      case 'assistant_message':
        this.lost = undefined
        this.#receiveMessage(phase, asString(item.id) ?? '', asString(item.text) ?? '')
        return
      case 'reasoning':
        if (phase === 'completed') this.#transcript.thinking(asString(item.text) ?? '', false)
        return
      case 'error':
        this.settle()
        if (lagged.test(asString(item.message) ?? '')) this.lost = asString(item.message)
        // What our own launch asked for, with the project's configuration.
        if (asString(item.message)?.startsWith('`--dangerously-bypass-hook-trust` is enabled')) return
        if (phase === 'completed')
          this.#transcript.notice(
            'warning',
            'cli_warning',
            asString(item.message) || 'codex warns, without a word.',
          )
        return
      case 'todo_list':
        this.settle()
        this.#receivePlan(asArray(item.items))
        return
    }
    this.settle()
    const tool = readTool(type, item, phase)
    if (tool) this.#receiveTool(phase, item, tool)
    else this.#transcript.unknown(`the item type "${type}"`)
  }

  /** What was said stays said. */
  settle(): void {
    if (this.#unsettled.length === 0) return
    for (const { run, text } of this.#unsettled) this.#transcript.text.complete(run, text)
    this.#unsettled = []
    this.#inDoubt = false
  }

  /** Some versions throw away what was said in the response that broke off: what the next message says again, it replaces. */
  doubt(): void {
    this.#inDoubt = true
  }

  /** What was said in the response that broke off is thrown away: the model will be asked again without it. */
  abandon(): void {
    for (const { run } of this.#unsettled) this.#transcript.text.retract(run)
    for (const run of this.#writing.values()) this.#transcript.text.retract(run)
    this.#unsettled = []
    this.#inDoubt = false
    this.#writing.clear()
  }

  #receiveMessage(phase: ItemPhase, id: string, text: string): void {
    if (this.#inDoubt && text !== '') this.#decide(text)
    const run = this.#writing.get(id) ?? this.#transcript.text.open()
    if (text.startsWith(run.text)) {
      this.#transcript.text.append(run, text.slice(run.text.length), run.text !== '')
    }
    if (phase !== 'completed') {
      this.#writing.set(id, run)
      return
    }
    this.#writing.delete(id)
    this.#unsettled.push({ run, text })
  }

  #decide(text: string): void {
    const first = this.#unsettled.find((each) => each.text.trim() !== '')
    if (first && text.startsWith(first.text)) this.abandon()
    else this.settle()
  }

  #receivePlan(items: readonly unknown[]): void {
    const entries: PlanEntry[] = items.map((value) => {
      const item = asObject(value)
      const isDone = asBoolean(item?.completed) === true
      return { content: asString(item?.text) ?? '', status: isDone ? 'completed' : 'pending' }
    })
    // The end of the turn repeats the last list.
    const plan = JSON.stringify(entries)
    if (plan === this.#plan) return
    this.#plan = plan
    this.#transcript.plan(entries)
  }

  #receiveTool(phase: ItemPhase, item: JsonObject, tool: ToolReading): void {
    const { tools } = this.#transcript
    const id = asString(item.id) || tool.name
    if (phase === 'started' || !tools.has(id)) tools.start(id, tool)
    if (tool.input !== undefined) tools.input(id, tool.input)
    if (phase === 'updated' && tool.output) tools.output(id, tool.output)
    if (phase !== 'completed') return
    tools.end(id, {
      status: statusOf(asString(item.status), tool.exitCode),
      output: tool.output,
      content: tool.content,
      exitCode: tool.exitCode,
      locations: tool.locations,
    })
  }
}

function statusOf(status: string | undefined, exitCode: number | undefined): ToolStatus {
  if (status === 'failed') return 'failed'
  if (status === 'declined') return 'rejected'
  return exitCode === undefined || exitCode === 0 ? 'completed' : 'failed'
}

/** undefined for an item that this version does not know. */
function readTool(type: string, item: JsonObject, phase: ItemPhase): ToolReading | undefined {
  switch (type) {
    case 'command_execution':
      return readCommand(item)
    case 'file_change':
      return readChange(item)
    case 'mcp_tool_call':
      return readMcpCall(item)
    case 'web_search':
      return readSearch(item, phase)
    case 'collab_tool_call':
      return readCollaboration(item, phase)
    default:
      return undefined
  }
}

/** The wire does not say which of its shell tools the model called (shell, shell_command, exec_command): one name for all. */
function readCommand(item: JsonObject): ToolReading {
  return {
    name: 'shell',
    kind: 'execute',
    input: item.command === undefined ? {} : { command: item.command },
    output: asString(item.aggregated_output),
    exitCode: asNumber(item.exit_code),
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
    server: asString(item.server) || undefined,
    input: item.arguments ?? undefined,
    output: asString(asObject(item.error)?.message) ?? (blocks.length > 0 ? texts.join('\n') : undefined),
    content: texts.length < blocks.length ? blocks : undefined,
  }
}

/** Only the end knows what was asked. */
function readSearch(item: JsonObject, phase: ItemPhase): ToolReading {
  const action = asObject(item.action)
  const isFetch = asString(action?.type) === 'open_page' || asString(action?.type) === 'find_in_page'
  return {
    name: 'web_search',
    kind: isFetch ? 'fetch' : 'search',
    input: phase === 'completed' ? present({ query: item.query, action }) : undefined,
  }
}

/** Who was spoken to is known at the end. */
function readCollaboration(item: JsonObject, phase: ItemPhase): ToolReading {
  const states = Object.values(asObject(item.agents_states) ?? {})
  const said = states.flatMap((state) => asString(asObject(state)?.message) ?? [])
  return {
    name: asString(item.tool) || 'unknown',
    kind: 'other',
    input:
      phase === 'completed'
        ? present({ prompt: item.prompt, receiver_thread_ids: item.receiver_thread_ids })
        : undefined,
    output: said.length > 0 ? said.join('\n') : undefined,
  }
}

/** Without the fields that the item does not have. */
function present(input: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined))
}

function kindOfChanges(changes: readonly unknown[]): ToolKind {
  const deletesOnly = changes.length > 0 && changes.every((change) => asObject(change)?.kind === 'delete')
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
    return { type: 'text', text: JSON.stringify(value) ?? '' }
  })
  const structured = result.structured_content ?? undefined
  if (blocks.length > 0 || structured === undefined) return blocks
  return [{ type: 'text', text: JSON.stringify(structured) }]
}
