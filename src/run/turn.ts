import { randomUUID } from 'node:crypto'
import { EventEmitter } from 'eventemitter3'
import { AgentError } from '../errors.ts'
import { checkTurnOptions } from '../options/check.ts'
import type { Decision, OutputOf, Schema, TurnOptions } from '../options/turn-options.ts'
import type { AgentEvent, CompletionEvent } from '../protocol/events.ts'
import type { Tap } from './attend.ts'
import { runCallerCode } from './caller-code.ts'
import { conductTurn } from './conduct.ts'
import { EventQueue } from './event-queue.ts'
import { enlist, refuseAfterShutdown } from './live-turns.ts'
import { planTurn, type TurnPlan } from './prepare.ts'
import { Publisher } from './publish.ts'
import { callerStop, StopRequest } from './stop-request.ts'

export type EventType = AgentEvent['type']
export type EventOf<Type extends EventType> = Extract<AgentEvent, { type: Type }>

export interface SteerOutcome {
  outcome: 'delivered' | 'queued' | 'rejected'
  /** The turn that the text became, where it became one. */
  turn?: Turn<Schema>
  reason?: string
}

/** One prompt on its way to one answer. */
export interface Turn<S = never> extends AsyncIterable<AgentEvent>, AsyncDisposable {
  /** Always resolves, whatever happens. Reading it lets the CLI run on, however slowly the turn is iterated. */
  readonly completion: Promise<CompletionEvent<OutputOf<S>>>
  /** The answer's text. Throws the completion's error as AgentError unless its status is 'success'. */
  text(): Promise<string>
  on<Type extends EventType>(type: Type, listener: (event: EventOf<Type>) => void): this
  once<Type extends EventType>(type: Type, listener: (event: EventOf<Type>) => void): this
  off<Type extends EventType>(type: Type, listener: (event: EventOf<Type>) => void): this
  /** Says something to the model while it works. Never pretends: see `outcome`. */
  steer(text: string): Promise<SteerOutcome>
  /** Stops the turn and resolves when nothing of it is left. */
  interrupt(): Promise<void>
  answer(interactionId: string, decision: Decision): Promise<void>
}

/**
 * Starts one turn of a CLI. Throws AgentError for what the options alone decide; everything else is told by the completion.
 */
export function startTurn<S extends Schema = never>(options: TurnOptions<S>): Turn<S>
export function startTurn(options: TurnOptions<Schema>): Turn<Schema> {
  return startTappedTurn(options)
}

/** The same, with an ear on the child's raw output: for the recorder. */
export function startTappedTurn(options: TurnOptions<Schema>, tap?: Tap): Turn<Schema> {
  refuseAfterShutdown()
  if (process.platform === 'win32') {
    throw new AgentError('unsupported', 'Coxswain does not run on Windows.', {
      hint: 'Use Linux or macOS; on Windows, WSL.',
    })
  }
  const checked = checkTurnOptions(options)
  return new StructuredTurn(planTurn(checked, randomUUID()), tap)
}

class StructuredTurn implements Turn<Schema> {
  readonly #emitter = new EventEmitter()
  readonly #stop = new StopRequest()
  readonly #queue: EventQueue
  readonly #completion: Promise<CompletionEvent>

  constructor(plan: TurnPlan, tap: Tap | undefined) {
    const { adapter, includeRaw, signal } = plan.checked
    this.#queue = new EventQueue(() => this.#stopBy('the loop was left'))
    const publisher = new Publisher({
      adapter: adapter.id,
      includeRaw,
      redactor: plan.redactor,
      deliver: (event) => {
        this.#queue.push(event)
        runCallerCode(() => this.#emitter.emit(event.type, event))
      },
    })
    const abort = () => this.#stop.make(callerStop('abort signal'))
    if (signal?.aborted) abort()
    else signal?.addEventListener('abort', abort, { once: true })
    this.#completion = conductTurn({ plan, publisher, queue: this.#queue, stop: this.#stop, tap }).finally(
      () => {
        this.#queue.close()
        signal?.removeEventListener('abort', abort)
      },
    )
    enlist({ stop: () => this.#stop.make(callerStop('shutdownAll()')), over: this.#completion })
  }

  get completion(): Promise<CompletionEvent> {
    this.#queue.lift()
    return this.#completion
  }

  async text(): Promise<string> {
    const { status, text, error } = await this.completion
    if (status === 'success') return text
    const { code = 'unknown', message = `The turn ended with ${status}.`, ...rest } = error ?? {}
    throw new AgentError(code, message, rest)
  }

  [Symbol.asyncIterator](): AsyncIterableIterator<AgentEvent> {
    return this.#queue.iterate()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#stopBy('disposed')
  }

  on<Type extends EventType>(type: Type, listener: (event: EventOf<Type>) => void): this {
    this.#emitter.on(type, listener)
    return this
  }

  once<Type extends EventType>(type: Type, listener: (event: EventOf<Type>) => void): this {
    this.#emitter.once(type, listener)
    return this
  }

  off<Type extends EventType>(type: Type, listener: (event: EventOf<Type>) => void): this {
    this.#emitter.off(type, listener)
    return this
  }

  async steer(_text: string): Promise<SteerOutcome> {
    return { outcome: 'rejected', reason: 'The structured transport takes no input while a turn runs.' }
  }

  async interrupt(): Promise<void> {
    await this.#stopBy('interrupt()')
  }

  async answer(_interactionId: string, _decision: Decision): Promise<void> {
    throw new AgentError('unsupported', 'The structured transport asks no questions that could be answered.')
  }

  async #stopBy(how: string): Promise<void> {
    this.#stop.make(callerStop(how))
    await this.#completion
  }
}
