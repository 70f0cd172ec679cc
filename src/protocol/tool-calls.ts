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
  /** How many calls of the turn began before it. */
  readonly began: number
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
  /** By the id that the CLI uses, the latest call of it. */
  readonly #calls = new Map<string, ToolCall>()
  #count = 0
  /** The last number that was given to a call whose id came before. */
  #numbered = 0
  /** Some id of the CLI's own may look like one of ours. */
  #mayClash = false

  constructor(emit: (event: WireEvent) => void) {
    this.#emit = emit
  }

  has(id: string): boolean {
    return this.#calls.has(id)
  }

  isOpen(id: string): boolean {
    return this.#calls.get(id)?.ended === false
  }

  hasInput(id: string): boolean {
    return this.#calls.get(id)?.hasInput === true
  }

  /** Ids of calls without an end, oldest first. */
  get pending(): string[] {
    const open = [...this.#calls].filter(([, call]) => !call.ended)
    return open.sort(([, a], [, b]) => a.began - b.began).map(([id]) => id)
  }

  /** Says that a call began. A call that is already open stays as it is. */
  start(id: string, description: ToolDescription): void {
    const before = this.#calls.get(id)
    if (before?.ended === false) return
    const call: ToolCall = {
      began: this.#count++,
      toolId: before || id === '' || this.#mayBeOurs(id) ? this.#numberedId(id) : id,
      name: description.name || 'unknown',
      kind: description.kind,
      server: description.server,
      parentToolId: description.parentToolId,
      hasInput: false,
      ended: false,
    }
    this.#calls.set(id, call)
    if (id.includes('#')) this.#mayClash = true
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
    const { toolId, name, kind } = call
    const event: ToolEndPayload = { type: 'tool', toolId, name, kind, phase: 'end', status: result.status }
    if (result.output !== undefined) event.output = result.output
    if (result.content !== undefined) event.content = result.content
    if (result.exitCode !== undefined && Number.isSafeInteger(result.exitCode))
      event.exitCode = result.exitCode
    if (result.locations !== undefined) event.locations = result.locations
    this.#say(call, event)
  }

  /** Every number is given once, so no two of these are the same; nor is one what the CLI itself uses. */
  #numberedId(id: string): string {
    let toolId: string
    do toolId = `${id}#${++this.#numbered}`
    while (this.#mayClash && this.#calls.has(toolId))
    return toolId
  }

  /** An id of the CLI's own that ends in a number which was given. */
  #mayBeOurs(id: string): boolean {
    return this.#numbered > 0 && Number(/#(\d+)$/.exec(id)?.[1]) <= this.#numbered
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
