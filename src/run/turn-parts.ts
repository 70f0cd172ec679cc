import type { Decision } from '../options/turn-options.ts'
import type { Stop } from '../protocol/completion.ts'
import type { CompletionStatement, ProcessFacts } from '../protocol/outcome.ts'
import type { Tap } from './attend.ts'
import type { EventQueue } from './event-queue.ts'
import type { TurnPlan } from './plan-turn.ts'
import type { Publisher } from './publish.ts'
import type { StopRequest } from './stop-request.ts'
import type { SteerOutcome } from './turn-interface.ts'

/** What can be said to a turn that runs on a live process. */
export interface TurnControl {
  steer(text: string): Promise<SteerOutcome>
  answer(interactionId: string, decision: Decision): void
}

/** What conducts a turn gets to do it with. */
export interface TurnParts {
  publisher: Publisher
  queue: EventQueue
  stop: StopRequest
  /** The turn can be talked to from now on; undefined: it never can. */
  control(control: TurnControl | undefined): void
}

/** The same, with what the turn is. */
export interface Conduct extends TurnParts {
  plan: TurnPlan
  tap?: Tap | undefined
}

/** How a turn ended, as far as each knows. */
export interface Outcome {
  statement?: CompletionStatement | undefined
  /** Absent: there was no process. */
  facts?: Omit<ProcessFacts, 'durationMs'>
  stop?: Stop | undefined
}
