import type { PlanEntry, PlanEntryStatus } from '../../protocol/events.ts'
import { asArray, asObject, asString, type JsonObject, lookUp } from '../../protocol/narrow.ts'
import type { Transcript } from '../../protocol/transcript.ts'
import type { ItemLookup } from './live-requests.ts'
import { Messages } from './messages.ts'
import { type ItemPhase, readTool, shellTool, tellTool } from './tools.ts'

export interface ThreadItemsOptions {
  /** The call that spawned or addressed the sub-agent whose thread this is. */
  parentToolId?: string
  /** codex keeps what was finished before a connection broke off. */
  keepsItems: boolean
}

/** Items that say nothing which an event would have a place for. */
const silentItems: ReadonlySet<string> = new Set([
  'userMessage',
  'hookPrompt',
  'enteredReviewMode',
  'exitedReviewMode',
])

/** What one thread of app-server says in one turn. */
export class ThreadItems implements ItemLookup {
  /** The model has said or done something. */
  hasBegun = false
  readonly messages: Messages
  readonly #transcript: Transcript
  readonly parentToolId: string | undefined
  readonly #keepsItems: boolean
  /** Reasoning that came in fragments. */
  readonly #thought = new Set<string>()
  readonly #changed = new Map<string, readonly string[]>()
  readonly #calls = new Map<string, { server: string | undefined; tool: string | undefined }>()

  constructor(transcript: Transcript, { parentToolId, keepsItems }: ThreadItemsOptions) {
    this.#transcript = transcript
    this.parentToolId = parentToolId
    this.#keepsItems = keepsItems
    this.messages = new Messages(transcript.text, parentToolId)
  }

  /** @returns false for a notification that is not about an item's content */
  receive(method: string, params: JsonObject): boolean {
    const id = asString(params.itemId) ?? ''
    switch (method) {
      case 'item/agentMessage/delta':
      case 'item/plan/delta':
        this.hasBegun = true
        this.messages.append(id, asString(params.delta) ?? '')
        return true
      case 'item/reasoning/summaryTextDelta':
      case 'item/reasoning/textDelta':
        this.hasBegun = true
        this.#thought.add(id)
        this.#transcript.thinking(asString(params.delta) ?? '', true, this.parentToolId)
        return true
      case 'item/reasoning/summaryPartAdded':
        this.#transcript.endThinking(this.parentToolId)
        return true
      case 'item/commandExecution/outputDelta':
      case 'item/fileChange/outputDelta':
        this.#transcript.tools.outputDelta(id, asString(params.delta) ?? '')
        return true
      case 'item/mcpToolCall/progress':
        this.#transcript.tools.output(id, asString(params.message) ?? '')
        return true
      case 'turn/plan/updated':
        this.#transcript.plan(asArray(params.plan).map(planEntry), this.parentToolId)
        return true
      default:
        return false
    }
  }

  /** @param isOver the turn was stopped: a tool that ends now was ended with it */
  receiveItem(phase: ItemPhase, item: JsonObject, isOver = false): void {
    const type = asString(item.type) ?? ''
    if (type === 'userMessage') this.messages.dropUnfinished()
    if (silentItems.has(type)) return
    this.hasBegun = true
    const id = asString(item.id) ?? ''
    switch (type) {
      case 'agentMessage':
      case 'plan':
        this.#receiveMessage(phase, id, asString(item.text) ?? '')
        return
      case 'reasoning':
        this.#receiveReasoning(phase, id, item)
        return
      case 'contextCompaction':
        if (phase === 'completed') {
          this.#transcript.notice('info', 'compaction', 'codex made the conversation shorter to go on.')
        }
        return
    }
    this.messages.settle()
    this.#receiveTool(phase, type, item, isOver)
  }

  /** The connection broke off: what was not finished is thrown away, and on old versions what was, too. */
  reconnect(): void {
    this.#transcript.endThinking(this.parentToolId)
    if (this.#keepsItems) this.messages.settle()
    else this.messages.abandon()
    this.messages.dropUnfinished()
  }

  /** Old versions ask for an approval before they say what they ask about (0.113). */
  announceCommand({ itemId, command }: JsonObject): void {
    const { tools } = this.#transcript
    const id = asString(itemId)
    if (id === undefined || tools.has(id)) return
    tools.start(id, { ...shellTool, parentToolId: this.parentToolId })
    if (command !== undefined) tools.input(id, { command })
  }

  pathsOf(itemId: string | undefined): readonly string[] {
    return this.#changed.get(itemId ?? '') ?? []
  }

  callOf(server: string | undefined, tool: string | undefined): string | undefined {
    const open = [...this.#calls].filter(([, call]) => call.server === server)
    const exact = open.find(([, call]) => tool !== undefined && call.tool === tool)
    return (exact ?? open.at(-1))?.[0]
  }

  #receiveMessage(phase: ItemPhase, id: string, text: string): void {
    if (phase === 'started') {
      // One speaker writes one message at a time: codex thought again, after a steer for instance (0.171).
      this.messages.dropUnfinished()
      this.#transcript.endThinking(this.parentToolId)
      return
    }
    this.messages.receive(id, text, true)
    if (this.#keepsItems) this.messages.settle()
  }

  #receiveReasoning(phase: ItemPhase, id: string, item: JsonObject): void {
    if (phase !== 'completed') return
    if (!this.#thought.delete(id)) {
      const parts = [...asArray(item.summary), ...asArray(item.content)]
      const text = parts.flatMap((part) => asString(part) ?? []).join('\n\n')
      this.#transcript.thinking(text, false, this.parentToolId)
    }
    this.#transcript.endThinking(this.parentToolId)
  }

  #receiveTool(phase: ItemPhase, type: string, item: JsonObject, isOver: boolean): void {
    const tool = readTool(type, item, phase)
    if (!tool) {
      this.#transcript.unknown(`the item type "${type}"`)
      return
    }
    const id = asString(item.id) ?? ''
    if (type === 'fileChange') this.#changed.set(id, tool.locations?.map(({ path }) => path) ?? [])
    if (type === 'mcpToolCall' && phase === 'started') {
      this.#calls.set(id, { server: tool.server, tool: tool.name })
    }
    if (phase === 'completed') this.#calls.delete(id)
    tool.parentToolId = this.parentToolId
    if (isOver) tool.status = 'interrupted'
    tellTool(this.#transcript.tools, phase, item, tool)
  }
}

const planStatuses: Readonly<Record<string, PlanEntryStatus>> = {
  inProgress: 'in_progress',
  completed: 'completed',
}

function planEntry(value: unknown): PlanEntry {
  const entry = asObject(value)
  return {
    content: asString(entry?.step) ?? '',
    status: lookUp(planStatuses, asString(entry?.status)) ?? 'pending',
  }
}
