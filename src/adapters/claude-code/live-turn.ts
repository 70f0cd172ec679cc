import type { Exit } from '../../protocol/ending.ts'
import { asBoolean, asObject, asString, type JsonObject } from '../../protocol/narrow.ts'
import type { Transcript } from '../../protocol/transcript.ts'
import type { Step, WireStart } from '../../protocol/wire.ts'
import type { ClaudeControl } from './control.ts'
import type { AskingTurn } from './interactions.ts'
import { literalSteer, userRecord } from './prompt.ts'
import type { Conversation } from './session.ts'
import { ClaudeSteers } from './steers.ts'
import { ClaudeTurn, type ProcessState } from './turn.ts'
import { claudeHas } from './versions.ts'

export interface LiveTurnStart {
  input: WireStart
  conversation: Conversation
  process: ProcessState
  control: ClaudeControl
}

/** One turn on a process that listens: what it says, what is said to it meanwhile, and when it is over. */
export class ClaudeLiveTurn implements AskingTurn {
  readonly steers: ClaudeSteers
  /** The process is for this turn alone. */
  readonly isOneTurn: boolean
  readonly #turn: ClaudeTurn
  readonly #process: ProcessState
  readonly #control: ClaudeControl
  readonly #waitsForTasks: boolean
  #hasBegun = false
  #interrupt: 'none' | 'wanted' | 'sent' = 'none'

  constructor({ input, conversation, process, control }: LiveTurnStart) {
    const { options, opening, cliVersion = 'unknown' } = input
    this.isOneTurn = opening?.oneTurn === true
    this.#turn = new ClaudeTurn(conversation, process)
    this.#process = process
    this.#control = control
    this.#waitsForTasks = options.backgroundTasks === 'wait'
    this.steers = new ClaudeSteers(control, {
      oneTurn: this.isOneTurn,
      cancels: claudeHas('withdrawsMessages', cliVersion) === true,
      toRecord(text, uuid) {
        const parts = options.promptExpansion
          ? [{ type: 'text' as const, text }]
          : literalSteer(text, cliVersion)
        return userRecord(parts, uuid)
      },
    })
  }

  get transcript(): Transcript {
    return this.#turn.transcript
  }

  denied(toolId: string): void {
    this.#turn.denied(toolId)
  }

  hear(record: JsonObject): void {
    if (asBoolean(record.isReplay) === true) {
      if (this.steers.echoed(asString(record.uuid))) this.#turn.carryOn()
      return
    }
    this.#turn.read(record)
    if (record.type === 'system' && record.subtype === 'init') this.#begin(asString(record.uuid))
    if (!this.isOneTurn) return
    this.steers.atTool(this.transcript.tools.pending.length > 0)
    if (endsAnswer(record)) this.steers.withdraw()
  }

  /** Before its turn has begun claude would not know what to stop: then it is sent as soon as it has. */
  interrupt(): void {
    if (this.#interrupt === 'none') this.#interrupt = 'wanted'
    if (this.#hasBegun) this.#sendInterrupt()
  }

  /** The result is there, but not yet what became of the messages that were to be withdrawn. */
  get isOwed(): boolean {
    return this.#turn.hasResult && this.steers.areWithdrawing
  }

  /** The last result counts, and nothing is left that could still make more of it. */
  isOver(): boolean {
    if (!this.#turn.hasResult || this.steers.areWithdrawing) return false
    if (this.#waitsForTasks && this.#process.openTasks.size > 0) return false
    if (!this.isOneTurn || this.#interrupt === 'sent') return true
    // What claude would not give back it runs now: as part of this turn.
    this.steers.rejectHeld('The turn ended before claude came to a point at which it takes messages in.')
    this.steers.withdraw()
    return !this.steers.arePending
  }

  end(exit: Exit): Step {
    return this.#turn.end(exit)
  }

  #begin(uuid: string | undefined): void {
    this.#hasBegun = true
    this.steers.begin(uuid)
    if (this.#interrupt === 'wanted') this.#sendInterrupt()
  }

  /** What was to steer the turn must not begin a new one when it is stopped. */
  #sendInterrupt(): void {
    if (this.#interrupt === 'sent') return
    this.#interrupt = 'sent'
    this.#turn.stopped()
    this.steers.rejectHeld('The turn was interrupted.')
    this.steers.withdraw()
    this.#control.ask({ subtype: 'interrupt' }, () => {}, true)
  }
}

/** The main loop's message ends and wants no tool: a result is all that follows. */
function endsAnswer({ type, event, parent_tool_use_id }: JsonObject): boolean {
  if (type !== 'stream_event' || asString(parent_tool_use_id) !== undefined) return false
  const { type: kind, delta } = asObject(event) ?? {}
  const reason = asString(asObject(delta)?.stop_reason)
  return kind === 'message_delta' && reason !== undefined && reason !== 'tool_use'
}
