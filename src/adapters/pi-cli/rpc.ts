import type { Exit } from '../../protocol/ending.ts'
import type { SessionPayload } from '../../protocol/events.ts'
import { asArray, asNumber, asObject, asString, type JsonObject } from '../../protocol/narrow.ts'
import type { PromptPart } from '../../protocol/prompt.ts'
import { StepDraft } from '../../protocol/step-draft.ts'
import type { Step, Wire, WireCommand, WireStart } from '../../protocol/wire.ts'
import { PiDialogs } from './dialogs.ts'
import { failureOfRefusal, failureOfStart, failureOfStderr } from './errors.ts'
import { findModel, modelOf, type PiModel } from './models.ts'
import { type RpcOpening, readRpcOpening } from './rpc-opening.ts'
import { PiOwnRuns } from './rpc-own-runs.ts'
import { PiRequests } from './rpc-requests.ts'
import { PiTurn } from './rpc-turn.ts'
import { originOfState, wrongConversation } from './session.ts'
import { PiToolNames } from './tool-names.ts'

/** What pi says of its extensions while no turn is open is kept for the next one, up to this many records. */
const mostEarly = 50

const alive: Exit = { exitCode: 0, signal: null, stderr: '' }

/**
 * pi's `--mode rpc`: one process and one conversation for many turns. pi says nothing before it is asked, so that the handshake
 * is a `get_state`, which has the conversation's id.
 */
export class PiRpcWire implements Wire {
  readonly #requests = new PiRequests()
  readonly #dialogs = new PiDialogs()
  readonly #names = new PiToolNames()
  #input: WireStart = { transport: 'live', options: {} }
  #opening: RpcOpening = readRpcOpening(this.#input)
  #sessionId: string | undefined
  #sessionFile: string | undefined
  #origin: SessionPayload['origin'] = 'new'
  #model: PiModel | undefined
  /** The model that the next turn is to have, until pi has it. */
  #wanted: string | undefined
  #turn: PiTurn | undefined
  readonly #ownRuns = new PiOwnRuns(this.#requests, (over) => this.#make(over))
  #early: JsonObject[] = []
  /** Turns were asked for: this is no replay. */
  #isDriven = false
  #isReady = false
  #plain = ''
  readonly #draft = new StepDraft()

  start(input: WireStart): Step {
    this.#input = input
    this.#names.learn(input.options.serverTools ?? {})
    this.#opening = readRpcOpening(input)
    this.#requests.ask({ type: 'get_state' }, (response) => this.#greet(response))
    return this.#step()
  }

  receive(record: JsonObject): Step {
    switch (record.type) {
      case 'response':
        this.#respond(record)
        break
      case 'extension_ui_request':
        this.#ask(record)
        break
      case 'session':
        break
      default:
        this.#hear(record)
    }
    return this.#step()
  }

  plain(line: string): void {
    if (!this.#isReady) this.#plain = `${this.#plain}${line}\n`.slice(0, 2000)
  }

  command(command: WireCommand): Step {
    switch (command.type) {
      case 'prompt':
        this.#prompt(command.prompt)
        break
      case 'steer':
        if (this.#turn) this.#turn.steer(command.id, command.text)
        else this.#draft.steered({ id: command.id, outcome: 'rejected', reason: 'No turn is running.' })
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
    const turn = this.#turn
    if (turn) {
      if (turn.transcript.verdict && exit.stopped !== true) turn.run.decide()
      turn.steers.resolveAll('rejected', 'pi has ended.')
      this.#close(turn, exit)
    } else if (!this.#isReady) this.#draft.fail(failureOfStart(exit, this.#plain))
    return this.#step()
  }

  #greet({ data, error }: JsonObject): void {
    const state = asObject(data)
    const sessionId = asString(state?.sessionId)
    if (sessionId === undefined) {
      const message = `pi does not say which conversation this is: ${asString(error) ?? 'no sessionId'}`
      this.#draft.fail({ code: 'protocol', message })
      return
    }
    const { options } = this.#input
    this.#sessionId = sessionId
    this.#sessionFile = asString(state?.sessionFile)
    this.#model = modelOf(state?.model)
    this.#origin = originOfState(sessionId, asNumber(state?.messageCount) ?? 0, options)
    const failure = wrongConversation(this.#origin, options)
    this.#draft.fail(failure)
    this.#isReady = failure === undefined
    if (this.#isReady) this.#draft.ready()
  }

  #respond(response: JsonObject): void {
    if (!this.#isDriven) this.#turn?.overhear(response)
    if (this.#requests.answer(response) || response.success !== false) return
    const message = asString(response.error) ?? 'pi refused a request without a word.'
    if (this.#turn) this.#turn.transcript.notice('warning', 'request_refused', message)
    else if (response.command === 'prompt' && !this.#isDriven)
      this.#announce(this.#open()).fail('response prompt', failureOfRefusal(message))
  }

  #ask(record: JsonObject): void {
    const turn = this.#ownRuns.isOn ? undefined : this.#turn
    if (!turn && record.method === 'notify') {
      this.#keep(record)
      return
    }
    const asksHost = this.#input.options.interactions === 'host'
    const reply = this.#dialogs.receive(record, turn?.transcript, asksHost)
    if (reply) this.#requests.send(reply)
  }

  #hear(record: JsonObject): void {
    const turn = this.#turn
    if (record.type === 'extension_error') this.#ownRuns.recheck()
    if (record.type === 'extension_error' && (!turn || this.#ownRuns.isOn)) this.#keep(record)
    else if (this.#ownRuns.isOn || (record.type === 'agent_start' && this.#isOwn))
      this.#ownRuns.receive(record)
    else if (turn) {
      if (record.type === 'turn_start') this.#dialogs.expire(turn.transcript)
      turn.receive(record)
    }
    // In a replay, nobody tells of the prompt.
    else if (record.type === 'agent_start') this.#announce(this.#open()).receive(record)
    else this.#ownRuns.hearIdle(record)
  }

  /** No prompt can have begun a run that begins now. */
  get #isOwn(): boolean {
    return this.#opening.settles !== undefined && this.#turn?.isAsked !== true
  }

  #keep(record: JsonObject): void {
    if (this.#early.length < mostEarly) this.#early.push(record)
  }

  #prompt(parts: readonly PromptPart[]): void {
    if (this.#turn) return
    this.#isDriven = true
    const message = parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')
    const images = parts.filter((part) => part.type === 'image')
    const give = () => {
      if (turn === this.#turn) this.#announce(turn).prompt(message, images)
    }
    const turn = this.#open(() => this.#ownRuns.afterRefusal(give))
    this.#ownRuns.whenIdle(() => this.#withModel(turn, () => this.#ownRuns.whenIdle(give)))
  }

  /** A model is only changed between turns, for pi takes up a prompt before it has changed it. */
  #withModel(turn: PiTurn, then: () => void): void {
    const name = this.#wanted
    if (turn !== this.#turn) return
    if (name === undefined) {
      then()
      return
    }
    const refuse = (message: string) => {
      this.#announce(turn).fail('response set_model', { code: 'model_not_found', message })
    }
    this.#requests.ask({ type: 'get_available_models' }, ({ data }) => {
      if (turn !== this.#turn) return
      const model = findModel(name, asArray(asObject(data)?.models), this.#model?.provider)
      if (!model) {
        refuse(`pi has no model "${name}".`)
        return
      }
      this.#requests.ask({ type: 'set_model', provider: model.provider, modelId: model.id }, (response) => {
        if (turn !== this.#turn) return
        if (response.success === true) {
          this.#model = model
          this.#wanted = undefined
          then()
        } else refuse(asString(response.error) ?? `pi refused the model "${name}".`)
      })
    })
  }

  #interrupt(): void {
    const turn = this.#turn
    if (!turn || turn.run.interrupted) return
    if (!turn.isAsked) this.#announce(turn)
    // An extension that asks would keep pi from stopping.
    for (const reply of this.#dialogs.close(turn.transcript, 'default')) this.#requests.send(reply)
    turn.interrupt()
  }

  #answer(id: string, { decision, by }: Extract<WireCommand, { type: 'answer' }>): void {
    const reply = this.#turn && this.#dialogs.answer(id, decision, by, this.#turn.transcript)
    if (!reply) return
    this.#requests.send(reply)
    if (decision.decision === 'cancel') this.#interrupt()
  }

  #open(busy: () => void = () => {}): PiTurn {
    const over = () => {
      // An answer may come when the turn that asked is over.
      if (turn !== this.#turn) return
      turn.run.decide()
      this.#close(turn, alive)
    }
    const turn = this.#make(over, busy)
    this.#turn = turn
    return turn
  }

  #make(over: () => void, busy: () => void = () => {}): PiTurn {
    return new PiTurn({
      requests: this.#requests,
      names: this.#names,
      opening: this.#opening,
      sessionFile: this.#sessionFile,
      steered: (receipt) => this.#draft.steered(receipt),
      over,
      lost: () => {
        this.#draft.fail({ code: 'protocol', message: 'pi did not come back to the conversation.' })
      },
      disown: ([first, ...records]) => {
        if (first) this.#ownRuns.receive(first)
        for (const record of records) this.#hear(record)
      },
      busy,
    })
  }

  #announce(turn: PiTurn): PiTurn {
    const { options, cliVersion } = this.#input
    if (this.#sessionId !== undefined && !turn.isAnnounced) {
      turn.isAnnounced = true
      turn.transcript.session({
        sessionId: this.#sessionId,
        transport: 'live',
        model: this.#model?.id,
        cwd: options.cwd,
        cliVersion,
        origin: this.#origin,
      })
      this.#origin = 'resumed'
    }
    const early = this.#early
    this.#early = []
    for (const record of early) {
      if (record.type === 'extension_error') turn.receive(record)
      else this.#ask(record)
    }
    return turn
  }

  #close(turn: PiTurn, exit: Exit): void {
    for (const reply of this.#dialogs.close(turn.transcript, 'cli')) this.#requests.send(reply)
    this.#draft.say(turn.transcript.end(exit, failureOfStderr).events)
    this.#turn = undefined
  }

  #step(): Step {
    this.#draft.owed(this.#ownRuns.areOwed ?? this.#turn?.isOwed === true)
    this.#draft.say(this.#ownRuns.takeNotices())
    return this.#draft.take(this.#turn?.transcript.step().events, this.#requests.take())
  }
}
