import type { ContentBlock, ToolKind, ToolLocation, ToolStatus, WireEvent } from './events.ts'

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
      toolId: this.#calls.has(id) ? `${id}#${++this.#repeats}` : id,
      name: description.name,
      kind: description.kind,
      server: description.server,
      parentToolId: description.parentToolId,
      hasInput: false,
      ended: false,
    }
    this.#calls.set(id, call)
    this.#open.add(id)
    this.#emit({
      ...this.#fields(call),
      phase: 'start',
      ...(description.locations && { locations: description.locations }),
    })
  }

  inputDelta(id: string, inputDelta: string): void {
    const call = this.#running(id)
    if (!call || call.hasInput || inputDelta === '') return
    this.#emit({ ...this.#fields(call), phase: 'input', inputDelta })
  }

  input(id: string, input: unknown, locations?: ToolLocation[]): void {
    const call = this.#running(id)
    if (!call || call.hasInput) return
    call.hasInput = true
    this.#emit({ ...this.#fields(call), phase: 'input', input, ...(locations && { locations }) })
  }

  outputDelta(id: string, outputDelta: string): void {
    const call = this.#running(id)
    if (!call || outputDelta === '') return
    this.#emit({ ...this.#fields(call), phase: 'output', outputDelta })
  }

  /** Replaces what was output so far. */
  output(id: string, output: string): void {
    const call = this.#running(id)
    if (!call) return
    this.#emit({ ...this.#fields(call), phase: 'output', output })
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
    this.#emit({
      ...this.#fields(call),
      phase: 'end',
      status: result.status,
      ...(result.output !== undefined && { output: result.output }),
      ...(result.content !== undefined && { content: result.content }),
      ...(result.exitCode !== undefined && { exitCode: result.exitCode }),
      ...(result.locations !== undefined && { locations: result.locations }),
    })
  }

  #running(id: string): ToolCall | undefined {
    const call = this.#calls.get(id)
    return call && !call.ended ? call : undefined
  }

  #fields(call: ToolCall) {
    return {
      type: 'tool' as const,
      toolId: call.toolId,
      name: call.name,
      kind: call.kind,
      ...(call.server !== undefined && { server: call.server }),
      ...(call.parentToolId !== undefined && { parentToolId: call.parentToolId }),
    }
  }
}
