import type { OutputOf, Schema } from '../options/schema-types.ts'
import type { Decision } from '../options/turn-options.ts'
import type { AgentEvent, CompletionEvent } from '../protocol/events.ts'

export type EventType = AgentEvent['type']
export type EventOf<Type extends EventType> = Extract<AgentEvent, { type: Type }>

export interface SteerOutcome {
  /**
   * 'delivered': the CLI showed that the running turn took it in. 'queued': it is a turn of its own, `turn`. 'rejected': neither,
   * `reason` says why.
   */
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
  /** Stops the turn and resolves when it is over: with `startTurn` when nothing of it is left, in a session with the process alive. */
  interrupt(): Promise<void>
  /**
   * Answers an open interaction. One that is resolved already is left as it is.
   *
   * @throws AgentError `invalid_options` for an id that no `interaction` event of this turn named
   */
  answer(interactionId: string, decision: Decision): Promise<void>
}
