import type { Exit, Failure } from '../../protocol/ending.ts'
import type { WireEvent } from '../../protocol/events.ts'
import { lastWords } from '../../protocol/last-words.ts'
import { asBoolean, asNumber, asObject, asString, type JsonObject } from '../../protocol/narrow.ts'
import type { PromptPart } from '../../protocol/prompt.ts'
import { StepDraft } from '../../protocol/step-draft.ts'
import type { Step, Wire, WireCommand, WireStart } from '../../protocol/wire.ts'
import { ClaudeControl } from './control.ts'
import { failureInStderr, failureOf } from './errors.ts'
import { ClaudeInteractions } from './interactions.ts'
import { ClaudeLiveTurn } from './live-turn.ts'
import { literalParts, userRecord } from './prompt.ts'
import { conversationOf } from './session.ts'
import { ClaudeTurn, type ProcessState } from './turn.ts'

/** `claude -p --input-format stream-json` with the control protocol: one process, many turns. */
export class ClaudeLiveWire implements Wire {
  readonly #control = new ClaudeControl()
  readonly #interactions = new ClaudeInteractions(this.#control)
  #input: WireStart = { transport: 'live', options: {} }
  #process: ProcessState = { openTasks: new Set(), costUsd: 0 }
  #sessionId: string | undefined
  #turn: ClaudeLiveTurn | undefined
  /** The `init` of a run that no turn asked for. */
  #stray: JsonObject | undefined
  #isReady = false
  /** A prompt that waits for answers to what was asked before it. */
  #waiting: PromptPart[] | undefined
  #modelRefused: string | undefined
  readonly #draft = new StepDraft()
  #hasFailed = false

  start(input: WireStart): Step {
    this.#input = input
    this.#process.costUsd = input.options.resume === undefined ? 0 : undefined
    const { jsonSchema } = input.opening ?? {}
    this.#control.ask(
      { subtype: 'initialize', ...(jsonSchema !== undefined && { jsonSchema }) },
      ({ error }) => {
        this.#isReady = error === undefined
        if (error === undefined) this.#draft.ready()
        else this.#fail({ code: 'protocol', message: `claude refused to begin: ${error}` })
      },
    )
    return this.#step()
  }

  receive(record: JsonObject): Step {
    switch (record.type) {
      case 'control_response':
        if (!this.#control.answer(record)) this.#watch(record)
        break
      case 'control_request':
        this.#asked(record.request_id, asObject(record.request) ?? {})
        break
      case 'control_cancel_request':
        if (this.#turn) this.#interactions.withdraw(record.request_id, this.#turn)
        break
      case 'command_lifecycle':
      case 'keep_alive':
        break
      default:
        this.#hear(record)
    }
    this.#sendWaiting()
    this.#concludeIfOver()
    return this.#step()
  }

  command(command: WireCommand): Step {
    switch (command.type) {
      case 'prompt':
        this.#waiting = command.prompt
        this.#open()
        this.#sendWaiting()
        break
      case 'steer':
        if (this.#turn) this.#turn.steers.add(command.id, command.text)
        else this.#draft.steered({ id: command.id, outcome: 'rejected', reason: 'No turn is running.' })
        break
      case 'interrupt':
        this.#turn?.interrupt()
        break
      case 'answer':
        if (!this.#turn) break
        this.#interactions.answer(command.interactionId, command.decision, command.by, this.#turn)
        break
      case 'model':
        this.#setModel(command.model)
        break
    }
    return this.#step()
  }

  end(exit: Exit): Step {
    const turn = this.#turn
    if (turn) {
      turn.steers.resolveAll('rejected', 'claude has ended.')
      this.#close(turn, exit)
    } else if (!this.#isReady && !this.#isReplay) {
      this.#fail(failureInStderr(exit.stderr) ?? deathBeforeReady(exit))
    }
    return this.#step()
  }

  /** There is nothing to say to in a replay: what claude does tells when a turn begins. */
  get #isReplay(): boolean {
    return this.#input.opening === undefined
  }

  #asked(requestId: unknown, request: JsonObject): void {
    if (ClaudeInteractions.isOne(request)) {
      const turn = this.#turn
      const { interactions } = this.#input.options
      if (turn) {
        const waits = interactions === 'host' || this.#isReplay
        this.#interactions.ask(requestId, request, turn, waits)
      } else this.#interactions.refuse(requestId, request)
    } else if (request.subtype === 'hook_callback') {
      this.#control.reply(requestId, {})
    } else {
      this.#control.refuse(requestId, `method not found: ${asString(request.subtype) ?? '?'}`)
    }
  }

  /** An answer to another one's request, in a recording: that of its host. */
  #watch(record: JsonObject): void {
    if (this.#turn && this.#isReplay) this.#interactions.heard(asObject(record.response), this.#turn)
  }

  #hear(record: JsonObject): void {
    if (!this.#turn && this.#isReplay && beginsTurn(record)) this.#open()
    const turn = this.#turn
    const stray = this.#stray
    if (stray && turn && record.isReplay === true) {
      // The prompt was taken into what ran already.
      this.#stray = undefined
      turn.hear(stray)
    }
    if (!turn || this.#stray) this.#pass(record)
    else turn.hear(record)
  }

  /** What belongs to no turn: a background task reports, or claude says why it cannot begin. */
  #pass(record: JsonObject): void {
    if (record.type === 'system' && record.subtype === 'init') this.#stray = record
    else if (!beginsTurn(record)) this.#draft.say(strangeIn(record, this.#process))
    if (record.type !== 'result') return
    this.#stray = undefined
    this.#process.costUsd = asNumber(record.total_cost_usd) ?? this.#process.costUsd
    if (this.#isReady || asBoolean(record.is_error) !== true) return
    const clues = { stopReason: undefined, apiError: undefined, limited: false, retryAt: undefined }
    this.#fail(failureOf(record, { ...clues, interrupted: false }))
  }

  #open(): void {
    const conversation = conversationOf(this.#input)
    const isFirst = this.#sessionId === undefined
    this.#turn = new ClaudeLiveTurn({
      input: this.#input,
      conversation: isFirst ? conversation : { ...conversation, originOf: () => 'resumed' },
      process: this.#process,
      control: this.#control,
    })
    if (this.#modelRefused === undefined) return
    this.#turn.transcript.notice('warning', 'model_refused', this.#modelRefused)
    this.#modelRefused = undefined
  }

  #sendWaiting(): void {
    const prompt = this.#waiting
    if (!prompt || this.#control.isBarred) return
    this.#waiting = undefined
    const { options, cliVersion = 'unknown' } = this.#input
    const parts = options.promptExpansion ? prompt : literalParts(prompt, cliVersion)
    this.#control.send(userRecord(parts))
  }

  #setModel(model: string): void {
    const answered = ({ error }: { error: string | undefined }) => {
      if (error !== undefined)
        this.#modelRefused = `claude keeps its model, for it refused ${model}: ${error}`
    }
    this.#control.ask({ subtype: 'set_model', model }, answered, true)
  }

  #concludeIfOver(): void {
    const turn = this.#turn
    if (!turn?.isOver()) return
    const isLeft = turn.steers.arePending
    const isKept = isLeft && !turn.isOneTurn
    turn.steers.resolveAll(isKept ? 'queued' : 'rejected', 'The turn ended before claude could take it in.')
    this.#close(turn, { exitCode: 0, signal: null, stderr: '' })
    // claude begins a turn with them, all in one.
    if (isKept) this.#open()
  }

  #close(turn: ClaudeLiveTurn, exit: Exit): void {
    this.#interactions.settle(turn)
    this.#draft.say(turn.transcript.step().events)
    this.#draft.say(turn.end(exit).events)
    this.#draft.steered(...turn.steers.takeReceipts())
    this.#sessionId = turn.transcript.sessionId ?? this.#sessionId
    this.#turn = undefined
  }

  /** The first failure is the story. */
  #fail(failure: Failure): void {
    if (this.#hasFailed) return
    this.#hasFailed = true
    this.#draft.fail(failure)
  }

  #step(): Step {
    const turn = this.#turn
    if (turn) this.#draft.steered(...turn.steers.takeReceipts())
    this.#draft.owed(this.#waiting !== undefined || turn?.isOwed === true)
    return this.#draft.take(turn?.transcript.step().events, this.#control.takeOutbox())
  }
}

/** A steer that was left over may be said back before the `init` of its turn (2.1.332). */
function beginsTurn({ type, subtype }: JsonObject): boolean {
  if (type === 'system') return subtype === 'init'
  return type === 'user' || type === 'assistant' || type === 'stream_event' || type === 'result'
}

/** What no turn knows is said between two of them, too. */
function strangeIn(record: JsonObject, process: ProcessState): WireEvent[] {
  const turn = new ClaudeTurn({ transport: 'live', originOf: () => 'new' }, process)
  turn.read(record)
  const { events } = turn.transcript.step()
  return events.filter((event) => event.type === 'notice' && event.code === 'unknown_record')
}

function deathBeforeReady({ exitCode, signal, stderr }: Exit): Failure {
  return {
    code: 'crashed',
    message:
      lastWords(stderr) ?? `claude ended (${signal ?? `exit ${exitCode}`}) before it answered the handshake.`,
  }
}
