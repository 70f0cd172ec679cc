import type {
  ContentBlock,
  ToolEndPayload,
  ToolInputPayload,
  ToolKind,
  ToolLocation,
  ToolPayload,
  ToolStartPayload,
  ToolStatus,
  WireEvent,
} from './events.ts'

export interface ToolDescription {
  name: string
  kind: ToolKind
  server?: string | undefined
  parentToolId?: string | undefined
  locations?: ToolLocation[] | undefined
}

export interface ToolResult {
  status: ToolStatus
  output?: string | undefined
  content?: ContentBlock[] | undefined
  exitCode?: number | undefined
  locations?: ToolLocation[] | undefined
}

interface ToolCall {
  readonly toolId: string
  readonly name: string
  readonly kind: ToolKind
  readonly server: string | undefined
  readonly parentToolId: string | undefined
  hasInput: boolean
  ended: boolean
}

/** Keeps the promise that every tool call has one start, at most one full input, and one end. */
export class ToolCalls {
  readonly #emit: (event: WireEvent) => void
  /** By the id that the CLI uses; a CLI that uses one twice gets a new `toolId` for the second call. */
  readonly #calls = new Map<string, ToolCall>()
  readonly #open = new Set<string>()
  /** Every `toolId` that was given: the CLI may use one of ours, too. */
  readonly #used = new Set<string>()
  #repeats = 0

  constructor(emit: (event: WireEvent) => void) {
    this.#emit = emit
  }

  has(id: string): boolean {
    return this.#calls.has(id)
  }

  isOpen(id: string): boolean {
    return this.#open.has(id)
  }

  hasInput(id: string): boolean {
    return this.#calls.get(id)?.hasInput === true
  }

  /** Ids of calls without an end, oldest first. */
  get pending(): string[] {
    return [...this.#open]
  }

  /** Says that a call began. A call that is already open stays as it is. */
  start(id: string, description: ToolDescription): void {
    if (this.#open.has(id)) return
    const call: ToolCall = {
      toolId: this.#unusedId(id),
      name: description.name || 'unknown',
      kind: description.kind,
      server: description.server,
      parentToolId: description.parentToolId,
      hasInput: false,
      ended: false,
    }
    this.#calls.set(id, call)
    this.#open.add(id)
    const { toolId, name, kind } = call
    const event: ToolStartPayload = { type: 'tool', toolId, name, kind, phase: 'start' }
    if (description.locations) event.locations = description.locations
    this.#say(call, event)
  }

  inputDelta(id: string, inputDelta: string): void {
    const call = this.#running(id)
    if (!call || call.hasInput || inputDelta === '') return
    const { toolId, name, kind } = call
    this.#say(call, { type: 'tool', toolId, name, kind, phase: 'input', inputDelta })
  }

  input(id: string, input: unknown, locations?: ToolLocation[]): void {
    const call = this.#running(id)
    if (!call || call.hasInput) return
    call.hasInput = true
    const { toolId, name, kind } = call
    const event: ToolInputPayload = { type: 'tool', toolId, name, kind, phase: 'input', input }
    if (locations) event.locations = locations
    this.#say(call, event)
  }

  outputDelta(id: string, outputDelta: string): void {
    const call = this.#running(id)
    if (!call || outputDelta === '') return
    const { toolId, name, kind } = call
    this.#say(call, { type: 'tool', toolId, name, kind, phase: 'output', outputDelta })
  }

  /** Replaces what was output so far. */
  output(id: string, output: string): void {
    const call = this.#running(id)
    if (!call) return
    const { toolId, name, kind } = call
    this.#say(call, { type: 'tool', toolId, name, kind, phase: 'output', output })
  }

  /** Ends a call, once. A result without a call gets a start first. */
  end(
    id: string,
    result: ToolResult,
    description: ToolDescription = { name: 'unknown', kind: 'other' },
  ): void {
    if (!this.#calls.has(id)) this.start(id, description)
    const call = this.#running(id)
    if (!call) return
    call.ended = true
    this.#open.delete(id)
    const { toolId, name, kind } = call
    const event: ToolEndPayload = { type: 'tool', toolId, name, kind, phase: 'end', status: result.status }
    if (result.output !== undefined) event.output = result.output
    if (result.content !== undefined) event.content = result.content
    if (result.exitCode !== undefined && Number.isSafeInteger(result.exitCode))
      event.exitCode = result.exitCode
    if (result.locations !== undefined) event.locations = result.locations
    this.#say(call, event)
  }

  #unusedId(id: string): string {
    let toolId = id
    while (toolId === '' || this.#used.has(toolId)) toolId = `${id}#${++this.#repeats}`
    this.#used.add(toolId)
    return toolId
  }

  #running(id: string): ToolCall | undefined {
    const call = this.#calls.get(id)
    return call && !call.ended ? call : undefined
  }

  #say(call: ToolCall, event: ToolPayload): void {
    if (call.server !== undefined) event.server = call.server
    if (call.parentToolId !== undefined) event.parentToolId = call.parentToolId
    this.#emit(event)
  }
}
