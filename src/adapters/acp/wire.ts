import type { Exit } from '../../protocol/ending.ts'
import type { WireEvent } from '../../protocol/events.ts'
import type { RequestId } from '../../protocol/json-rpc.ts'
import { asArray, asObject, asString, type JsonObject, lookUp } from '../../protocol/narrow.ts'
import type { PromptPart } from '../../protocol/prompt.ts'
import { StepDraft } from '../../protocol/step-draft.ts'
import { Transcript } from '../../protocol/transcript.ts'
import type { Step, Wire, WireCommand, WireDecision, WireStart } from '../../protocol/wire.ts'
import { type AcpAnswer, AcpConnection, answerOf } from './connection.ts'
import type { AcpDialect } from './dialect.ts'
import { failureOfStart, failureOfStderr } from './failures.ts'
import { AcpHandshake } from './handshake.ts'
import { AcpInteractions } from './interactions.ts'
import { AcpToolNames } from './mcp.ts'
import { AcpMeter } from './meter.ts'
import { acpQuestions } from './questions.ts'
import { AcpSteers } from './steers.ts'
import { AcpTurn } from './turn.ts'

const alive: Exit = { exitCode: 0, signal: null, stderr: '' }

/** The Agent Client Protocol, version 1, from the client's side: JSON-RPC by lines, one conversation for many turns. */
export class AcpWire implements Wire {
  readonly #dialect: AcpDialect
  readonly #connection = new AcpConnection()
  readonly #interactions = new AcpInteractions(this.#connection)
  readonly #meter = new AcpMeter()
  readonly #names = new AcpToolNames()
  readonly #steers = new AcpSteers()
  #input: WireStart = { transport: 'live', options: {} }
  #handshake: AcpHandshake | undefined
  /** The answer to everything that the agent asks; undefined: a person's. */
  #atOnce: WireDecision | undefined
  /** The model that the next turn is to have, until the agent has it. */
  #wanted: string | undefined
  #turn: AcpTurn | undefined
  #isReady = false
  readonly #draft = new StepDraft()

  constructor(dialect: AcpDialect) {
    this.#dialect = dialect
  }

  start(input: WireStart): Step {
    const { options, opening } = input
    this.#input = input
    if (options.interactions !== 'host') {
      const isAllowed = opening?.approvals === 'approve-all'
      this.#atOnce = isAllowed ? { decision: 'allow' } : { decision: 'deny' }
    }
    this.#names.learn(options.serverTools ?? {})
    const wanted = {
      mode: asString(opening?.mode),
      mcpServers: asArray(opening?.mcpServers)
        .map(asObject)
        .filter((server) => server !== undefined),
    }
    this.#handshake = new AcpHandshake(this.#connection, this.#dialect, options, wanted, (failure) => {
      this.#draft.fail(failure)
      this.#isReady = failure === undefined
      if (this.#isReady) this.#draft.ready()
      this.#meter.begin(this.#handshake?.origin === 'new')
    })
    this.#handshake.begin()
    return this.#step()
  }

  receive(record: JsonObject): Step {
    const incoming = this.#connection.classify(record)
    switch (incoming.kind) {
      case 'request':
        this.#serve(incoming.id, incoming.method, incoming.params)
        break
      case 'notification':
        this.#hear(incoming.method, incoming.params)
        break
      case 'response':
      case 'error':
        if (incoming.call) incoming.call(answerOf(incoming))
        else this.#guess(answerOf(incoming))
        break
      case 'invalid':
        this.#unknown('a record that is no JSON-RPC')
    }
    return this.#step()
  }

  command(command: WireCommand): Step {
    switch (command.type) {
      case 'prompt':
        this.#prompt(command.prompt)
        break
      case 'steer':
        this.#steer(command.id, command.text)
        break
      case 'interrupt':
        this.#interrupt()
        break
      case 'answer':
        this.#answer(command.interactionId, command)
        break
      case 'model':
        this.#wanted = command.model
        break
    }
    return this.#step()
  }

  end(exit: Exit): Step {
    if (this.#turn) this.#close(this.#turn, exit)
    else if (!this.#isReady) this.#draft.fail(failureOfStart(exit))
    return this.#step()
  }

  #serve(id: RequestId, method: string, params: JsonObject): void {
    const read = lookUp(acpQuestions, method) ?? lookUp(this.#dialect.questions ?? {}, method)
    if (read) {
      this.#interactions.ask(id, read(params), this.#turn, this.#atOnce)
      return
    }
    const told = this.#dialect.tell?.(method, params, this.#turn?.transcript)
    if (told) {
      this.#connection.reply(id, told)
      return
    }
    this.#connection.refuse(id, method)
    this.#unknown(`the request "${method}"`)
  }

  #hear(method: string, params: JsonObject): void {
    if (method === 'session/update') this.#update(params)
    else if (method === '$/cancel_request') {
      if (this.#turn) this.#interactions.withdraw(params.requestId, this.#turn)
    } else if (!this.#dialect.tell?.(method, params, this.#turn?.transcript)) {
      this.#unknown(`the notification "${method}"`)
    }
  }

  /** It is said between two turns, too. */
  #unknown(what: string): void {
    const transcript = this.#turn?.transcript ?? new Transcript()
    transcript.unknown(what)
    if (!this.#turn) this.#draft.say(transcript.step().events)
  }

  #update(params: JsonObject): void {
    const handshake = this.#handshake
    const update = asObject(params.update) ?? {}
    const sessionId = asString(params.sessionId)
    if (update.sessionUpdate === 'config_option_update') handshake?.settings.read(update)
    const turn = this.#turn ?? this.#turnOfRecording(sessionId, update)
    if (!turn) {
      if (update.sessionUpdate === 'usage_update') this.#meter.update(update, undefined)
      else this.#draft.say(strangeIn(update))
      return
    }
    // Other conversations of the agent's own are no part of this one.
    if (sessionId === undefined || sessionId === handshake?.sessionId) turn.receive(update)
  }

  /** A recording has no prompts of ours: what the agent says of a turn begins it. */
  #turnOfRecording(sessionId: string | undefined, update: JsonObject): AcpTurn | undefined {
    const { opening, options } = this.#input
    const begins = /^(?:agent_|tool_call|plan)/.test(asString(update.sessionUpdate) ?? '')
    if (opening || !this.#handshake || !begins) return undefined
    // What is loaded is said once more before it is there.
    if (options.resume !== undefined && !this.#isReady) return undefined
    this.#handshake.sessionId ??= sessionId
    return this.#announce(this.#begin())
  }

  /** An answer that nothing here waits for, as in a recording: its form tells what it was about. */
  #guess({ result, error }: AcpAnswer): void {
    if (this.#input.opening) return
    if (error) {
      if (this.#turn) this.#finish(this.#turn, { error })
    } else if ('protocolVersion' in result) this.#handshake?.greet(result)
    else if ('stopReason' in result) {
      this.#finish(this.#turn ?? this.#announce(this.#begin()), { result })
    } else if (!this.#isReady && ('sessionId' in result || 'modes' in result || 'configOptions' in result)) {
      const { resume, fork } = this.#input.options
      const origin = resume === undefined ? 'new' : fork ? 'forked' : 'resumed'
      this.#handshake?.open(asString(result.sessionId) ?? resume, result, origin)
    }
  }

  #prompt(parts: readonly PromptPart[]): void {
    if (this.#turn) return
    const turn = this.#begin()
    const wanted = this.#wanted
    if (wanted === undefined) {
      this.#send(turn, parts)
      return
    }
    this.#handshake?.setModel(wanted, (failure) => {
      if (turn !== this.#turn) return
      if (failure) {
        this.#announce(turn).transcript.conclude({ detail: 'session/set_model', failure })
        this.#close(turn, alive)
        return
      }
      this.#wanted = undefined
      this.#send(turn, parts)
    })
  }

  #send(turn: AcpTurn, parts: readonly PromptPart[]): void {
    this.#announce(turn)
    if (parts.some((part) => part.type === 'image') && !this.#handshake?.takesImages) {
      const message = `${this.#dialect.agent} says that it takes no images.`
      turn.transcript.conclude({ detail: 'initialize', failure: { code: 'unsupported', message } })
      this.#close(turn, alive)
      return
    }
    turn.isPrompted = true
    const prompt = this.#input.options.promptExpansion ? parts : literal(parts)
    this.#connection.request(
      'session/prompt',
      { sessionId: this.#handshake?.sessionId, prompt },
      (answer) => turn === this.#turn && this.#finish(turn, answer),
    )
  }

  #finish(turn: AcpTurn, { result, error }: AcpAnswer): void {
    if (error) turn.fail(error)
    else turn.stop(result, this.#dialect.usage === 'turn')
    const { receipts, prompt } = turn.isInterrupted ? nothingQueued : this.#steers.queue()
    this.#draft.steered(...receipts)
    this.#close(turn, alive)
    if (prompt.length > 0) this.#prompt(prompt)
  }

  #steer(id: string, text: string): void {
    const isOneTurn = this.#input.opening?.oneTurn === true
    const turn = this.#turn && { isOneTurn, isInterrupted: this.#turn.isInterrupted }
    const receipt = this.#steers.add(id, text, turn)
    if (receipt) this.#draft.steered(receipt)
  }

  #interrupt(): void {
    const turn = this.#turn
    if (!turn || turn.isInterrupted) return
    turn.isInterrupted = true
    this.#interactions.settle('default', turn)
    if (turn.isPrompted) {
      this.#connection.notify('session/cancel', { sessionId: this.#handshake?.sessionId })
      return
    }
    this.#announce(turn).transcript.conclude({ detail: 'no prompt was sent', interrupted: true })
    this.#close(turn, alive)
  }

  #answer(id: string, { decision, by }: Extract<WireCommand, { type: 'answer' }>): void {
    if (!this.#turn || !this.#interactions.answer(id, decision, by, this.#turn)) return
    if (decision.decision === 'cancel') this.#interrupt()
  }

  #begin(): AcpTurn {
    this.#turn = new AcpTurn(this.#meter, this.#names)
    return this.#turn
  }

  #announce(turn: AcpTurn): AcpTurn {
    const session = this.#handshake?.session(this.#input.cliVersion)
    if (session) turn.transcript.session(session)
    return turn
  }

  #close(turn: AcpTurn, exit: Exit): void {
    this.#draft.steered(...this.#steers.reject('The turn was over before the agent could be told.'))
    this.#interactions.settle('cli', turn)
    this.#draft.say(turn.transcript.end(exit, failureOfStderr).events)
    this.#turn = undefined
  }

  #step(): Step {
    this.#draft.owed(this.#turn?.isPrompted === false)
    return this.#draft.take(this.#turn?.transcript.step().events, this.#connection.take())
  }
}

const nothingQueued = { receipts: [], prompt: [] }

/** A prompt that begins with a slash would be a command of the agent's. */
function literal(parts: readonly PromptPart[]): PromptPart[] {
  return parts.map((part, index) =>
    index === 0 && part.type === 'text' && part.text.startsWith('/')
      ? { ...part, text: ` ${part.text}` }
      : part,
  )
}

/** What no turn knows is said between two of them, too. */
function strangeIn(update: JsonObject): WireEvent[] {
  const turn = new AcpTurn(new AcpMeter(), new AcpToolNames())
  turn.receive(update)
  const { events } = turn.transcript.step()
  return events.filter((event) => event.type === 'notice' && event.code === 'unknown_record')
}
