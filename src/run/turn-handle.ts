import { EventEmitter } from 'eventemitter3'
import { AgentError } from '../errors.ts'
import type { Schema } from '../options/schema-types.ts'
import type { Decision } from '../options/turn-options.ts'
import type { AgentEvent, CompletionEvent } from '../protocol/events.ts'
import type { Redactor } from '../protocol/redact.ts'
import { runCallerCode } from './caller-code.ts'
import { Deferred } from './deferred.ts'
import { EventQueue } from './event-queue.ts'
import { Publisher } from './publish.ts'
import { callerStop, reasonGiven, StopRequest } from './stop-request.ts'
import type { EventOf, EventType, SteerOutcome, Turn } from './turn-interface.ts'
import type { TurnControl, TurnParts } from './turn-parts.ts'

export interface TurnHandleOptions {
  /** The adapter's id. */
  adapter: string
  includeRaw: boolean
  redactor: Redactor | undefined
  signal: AbortSignal | undefined
  /** Takes the turn to its completion. Never rejects. */
  conduct(parts: TurnParts): Promise<CompletionEvent>
}

/** The consumer's end of a turn. */
export class TurnHandle implements Turn<Schema> {
  readonly #emitter = new EventEmitter()
  readonly #stop = new StopRequest()
  readonly #queue: EventQueue
  readonly #completion: Promise<CompletionEvent>
  readonly #control: Promise<TurnControl | undefined>

  constructor({ adapter, includeRaw, redactor, signal, conduct }: TurnHandleOptions) {
    this.#queue = new EventQueue(() => this.#stopBy('the loop was left'))
    const publisher = new Publisher({
      adapter,
      includeRaw,
      redactor,
      deliver: (event) => {
        this.#queue.push(event)
        runCallerCode(() => this.#emitter.emit(event.type, event))
      },
    })
    const abort = () => this.#stop.make(callerStop('abort signal', signal && reasonGiven(signal)))
    if (signal?.aborted) abort()
    else signal?.addEventListener('abort', abort, { once: true })
    const control = new Deferred<TurnControl | undefined>()
    this.#control = control.promise
    const parts = { publisher, queue: this.#queue, stop: this.#stop, control: control.resolve }
    this.#completion = conduct(parts).finally(() => {
      control.resolve(undefined)
      this.#queue.close()
      signal?.removeEventListener('abort', abort)
    })
  }

  get completion(): Promise<CompletionEvent> {
    this.#queue.lift()
    return this.#completion
  }

  /** The same, without letting the CLI run on. */
  get over(): Promise<CompletionEvent> {
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

  async steer(text: string): Promise<SteerOutcome> {
    const control = await this.#control
    if (control) return control.steer(text)
    const reason =
      "The structured transport takes no input while a turn runs: ask for `liveInput: 'required'`, or open a session."
    return { outcome: 'rejected', reason }
  }

  async interrupt(): Promise<void> {
    await this.#stopBy('interrupt()')
  }

  async answer(interactionId: string, decision: Decision): Promise<void> {
    const control = await this.#control
    if (control) return control.answer(interactionId, decision)
    throw new AgentError(
      'unsupported',
      'The structured transport asks no questions that could be answered.',
      {
        hint: "Use approvals: 'host', which takes the live transport.",
      },
    )
  }

  /** As the caller would, by these means. */
  stop(how: string): void {
    this.#stop.make(callerStop(how))
  }

  async #stopBy(how: string): Promise<void> {
    this.stop(how)
    await this.#completion
  }
}
