import type { Decision, WireOptions } from '../options/turn-options.ts'
import type { WireEvent } from './events.ts'

/** What a wire may know before the first record. */
export interface WireStart {
  transport: 'structured' | 'live'
  /** The turn's options, as far as they concern what the CLI says. */
  options: WireOptions
  /** The CLI's version, where it is known. */
  cliVersion?: string
}

/** How the process ended. */
export interface Exit {
  exitCode: number | null
  signal: string | null
  /** The decoded tail of stderr. */
  stderr: string
  /** The caller or a budget had ended the turn before the CLI did: whatever is open was interrupted. */
  stopped?: boolean
  /** It had said its last word but did not go, so it was ended. */
  lingered?: boolean
}

export type WireCommand =
  | { type: 'prompt'; prompt: string }
  | { type: 'steer'; text: string }
  | { type: 'interrupt' }
  | { type: 'answer'; interactionId: string; decision: Decision }

/** What one step of a wire yields. */
export interface Step {
  events: WireEvent[]
  /** Records for the CLI's stdin, in order. */
  send?: object[]
  /**
   * true: the CLI has said its last word, so the process may be ended after `lingerMs`.
   * false: that is taken back (a new run began, background work is open). Absent: as it was.
   */
  ended?: boolean
}

/**
 * A protocol as a state machine: records in, events and records-to-send out. No process, file, timer, clock,
 * random id or environment in it. One per turn.
 */
export interface Wire {
  /** Called once, before the first record. */
  start(input: WireStart): Step
  /** One parsed JSON object from stdout. Arrays, numbers and lines that are not JSON never get here. */
  receive(record: Record<string, unknown>): Step
  /** A line of stdout that is no JSON, for a CLI that prints its failures there as plain text. It is counted already. */
  plain?(line: string): void
  command?(command: WireCommand): Step
  /** Called once, after the last record: settles what is open and closes with a `completion`. */
  end(exit: Exit): Step
}
