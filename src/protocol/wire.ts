import type { Exit, Failure } from './ending.ts'
import type { DecisionWord, WireEvent } from './events.ts'
import type { Answers } from './form-answers.ts'
import type { PromptPart } from './prompt.ts'

/** What a wire may know before the first record. */
export interface WireStart {
  transport: 'structured' | 'live'
  /** The turn's options, as far as they concern what the CLI says. */
  options: WireOptions
  /** The CLI's version, where it is known. */
  cliVersion?: string
  /** What a live `launch` wants said first: only the same adapter's wire reads it. Absent in a replay. */
  opening?: Readonly<Record<string, unknown>>
}

/** What of the options a wire may know. */
export interface WireOptions {
  /**
   * 'host': what the CLI asks waits for an `answer`. 'default': the wire itself answers at once, with what is safe, and says so.
   * Default 'default'. Live wires only.
   */
  interactions?: 'host' | 'default'
  /** Default false: the wire keeps prompts and steers literal. Live wires only. */
  promptExpansion?: boolean
  /** Set when the turn was asked to resume this conversation. */
  resume?: string
  /** The runner saw that conversation where the CLI keeps it. Absent: it did not look. */
  conversationFound?: boolean
  fork?: boolean
  backgroundTasks?: 'forbid' | 'wait'
  model?: string
  cwd?: string
  /** The tools that each MCP server listed, by its name: for CLIs that write these names otherwise. */
  serverTools?: Readonly<Record<string, readonly string[]>>
}

/** An answer to an interaction, with everything that was said. */
export interface WireDecision {
  decision: DecisionWord
  updatedInput?: unknown
  message?: string
  answers?: Answers
  /** The option of the request's that was chosen, where it is more than the word says: one of `allow_always`. */
  optionId?: string
}

/** What a live wire can be told. Only one turn is open at a time. */
export type WireCommand =
  /** Begins a turn. Given when the wire is `ready` and no turn is open. */
  | { type: 'prompt'; prompt: PromptPart[] }
  /** Something for the model of the open turn. What becomes of it comes as `Step.steered`, under this id. */
  | { type: 'steer'; id: string; text: string }
  /** The open turn shall end, and the conversation stay usable. The CLI's own word ends the turn. */
  | { type: 'interrupt' }
  | {
      type: 'answer'
      interactionId: string
      decision: WireDecision
      by: 'host' | 'callback' | 'default'
    }
  /** From the next turn on. */
  | { type: 'model'; model: string }

/**
 * What became of a steer. 'delivered': the CLI showed that the open turn took it in. 'queued': it did not, and the CLI begins a
 * turn of its own with it: what comes after this turn's `completion` belongs to that one, which all that are queued in one step
 * share. 'rejected': neither.
 */
export interface Steered {
  id: string
  outcome: 'delivered' | 'queued' | 'rejected'
  reason?: string
}

/** What one step of a wire yields. */
export interface Step {
  /**
   * A live wire closes each turn with a `completion` among these; a structured one may leave it to `end`. What a wire says of an
   * interaction: `request` when the CLI asks, `resolved` when it was answered, by whomever.
   */
  events: WireEvent[]
  /** Records for the CLI's stdin, in order. */
  send?: object[]
  /**
   * true: the CLI has said its last word, so the process may be ended after `lingerMs`.
   * false: that is taken back (a new run began, background work is open). Absent: as it was. Structured wires only.
   */
  ended?: boolean
  /** The handshake is over: prompts may come. Live wires only. */
  ready?: boolean
  /** Live wires only; every steer gets exactly one, at the latest in the step with its turn's `completion`. */
  steered?: Steered[]
  /**
   * true: nothing of the open turn goes on until the CLI has answered what the wire asked: the turn is over but for that, or its
   * prompt waits for it. false: no more. Absent: as it was. Live wires only.
   */
  owed?: boolean
  /** The CLI refused the handshake, or can take no further turn: why. Live wires only. */
  failure?: Failure
}

/**
 * A protocol as a state machine: records in, events and records-to-send out. No process, file, timer, clock,
 * random id or environment in it. One per process: per turn on the structured transport, for all its turns on the live one.
 */
export interface Wire {
  /** Called once, before the first record. A live wire sends its handshake here. */
  start(input: WireStart): Step
  /** One parsed JSON object from stdout. Arrays, numbers and lines that are not JSON never get here. */
  receive(record: Record<string, unknown>): Step
  /** A line of stdout that is no JSON, for a CLI that prints its failures there as plain text. It is counted already. */
  plain?(line: string): void
  /** Live wires have it. An unknown or late one (an answer to what nobody asks any more) is never an error: an empty step. */
  command?(command: WireCommand): Step
  /** Called once, after the last record: settles what is open. Closes the open turn with a `completion`; live: if one is open. */
  end(exit: Exit): Step
}
