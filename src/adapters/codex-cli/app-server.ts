import type { Exit, Verdict } from '../../protocol/ending.ts'
import type { RpcError } from '../../protocol/json-rpc.ts'
import { asObject, asString, type JsonObject } from '../../protocol/narrow.ts'
import type { PromptPart } from '../../protocol/prompt.ts'
import type { Step, Wire, WireCommand, WireStart } from '../../protocol/wire.ts'
import { failureOf, failureOnStderr, messageIn } from './errors.ts'
import { Asking } from './live-asking.ts'
import { TurnControl } from './live-control.ts'
import { Conversation } from './live-conversation.ts'
import type { ThreadItems } from './live-items.ts'
import { unwanted } from './live-methods.ts'
import { type Notice, noticeOf } from './live-notices.ts'
import { type Call, Outbox } from './live-outbox.ts'
import { turnStartOf } from './live-prompt.ts'
import { Threads } from './live-threads.ts'
import { LiveTurn } from './live-turn.ts'
import { TokenUsage } from './live-usage.ts'
import { verdictOf } from './live-verdict.ts'

const clientInfo = { name: 'coxswain', title: 'Coxswain', version: '1' }
/** What ends the commands of an interrupted turn counts as experimental. */
const capabilities = { experimentalApi: true, optOutNotificationMethods: unwanted }

const lives: Exit = { exitCode: 0, signal: null, stderr: '' }

/** `codex app-server`: JSON-RPC without its version field, one thread for all turns of the process. */
export class CodexAppServerWire implements Wire {
  readonly #out = new Outbox()
  readonly #threads = new Threads()
  readonly #control = new TurnControl(this.#out, this.#threads)
  readonly #usage = new TokenUsage()
  #start: WireStart = { transport: 'live', options: {} }
  #conversation = new Conversation(this.#start)
  #asking = new Asking(this.#out, this.#control, this.#conversation, this.#start)
  #turn: LiveTurn | undefined
  #rateLimits: JsonObject | undefined

  start(input: WireStart): Step {
    this.#start = input
    this.#conversation = new Conversation(input)
    this.#asking = new Asking(this.#out, this.#control, this.#conversation, input)
    this.#out.ask('initialize', { clientInfo, capabilities }, { what: 'initialize' })
    return this.#step()
  }

  receive(record: JsonObject): Step {
    const incoming = this.#out.rpc.classify(record)
    switch (incoming.kind) {
      case 'notification':
        this.#receiveNotification(incoming.method, incoming.params)
        break
      case 'request':
        this.#note(this.#asking.receive(this.#turn, incoming.id, incoming.method, incoming.params))
        break
      case 'response':
        this.#receiveResponse(incoming.call, asObject(incoming.result))
        break
      case 'error':
        this.#receiveError(incoming.call, incoming.error)
        break
      case 'invalid':
        this.#note({ level: 'info', code: 'unknown_record', message: 'A record was no JSON-RPC message.' })
    }
    return this.#step()
  }

  command(command: WireCommand): Step {
    switch (command.type) {
      case 'prompt':
        this.#prompt(command.prompt)
        break
      case 'steer':
        this.#control.steer(this.#turn, command.id, command.text, this.#conversation)
        break
      case 'interrupt':
        this.#interrupt()
        break
      case 'answer':
        this.#asking.answer(this.#turn, command.interactionId, command.decision, command.by)
        break
      case 'model':
        this.#conversation.wantedModel = command.model
    }
    return this.#step()
  }

  end(exit: Exit): Step {
    if (this.#turn) this.#close(this.#turn, this.#turn.verdict, exit)
    else this.#out.fail(this.#conversation.lose(exit))
    return this.#step()
  }

  #receiveResponse(call: Call | undefined, result: JsonObject | undefined): void {
    switch (call?.what) {
      case 'initialize':
        this.#openConversation(result)
        break
      case 'clean':
        this.#finishCleaning(call.turn)
        break
      case 'turn':
        this.#control.name(call.turn, asString(asObject(result?.turn)?.id), this.#conversation)
        break
      case 'thread':
        this.#openThread(result)
        break
      case undefined:
        // In a recording the requests are another one's: what an answer holds tells what it answers.
        if (asObject(result?.thread)) this.#openThread(result)
        else if (this.#turn?.verdict) this.#finishCleaning(this.#turn)
    }
  }

  #receiveError(call: Call | undefined, { message }: RpcError): void {
    switch (call?.what) {
      case 'turn':
        this.#close(call.turn, { detail: 'turn/start refused', failure: failureOf(message) })
        break
      case 'steer':
        this.#out.steered(call.turn.steers.reject(call.id, messageIn(message)))
        break
      case 'clean':
        this.#finishCleaning(call.turn)
        break
      case 'initialize':
      case 'thread':
      case undefined:
        this.#out.fail(this.#conversation.refuse(failureOf(message)))
    }
  }

  #openConversation(result: JsonObject | undefined): void {
    this.#conversation.receiveInitialize(result)
    this.#out.notify('initialized')
    const { method, params } = this.#start.opening ?? {}
    if (typeof method === 'string') this.#out.ask(method, asObject(params) ?? {}, { what: 'thread' })
  }

  #openThread(result: JsonObject | undefined): void {
    const failure = this.#conversation.receiveThread(result)
    if (failure) {
      this.#out.fail(failure)
      return
    }
    if (this.#conversation.isNew) this.#usage.startNew()
    this.#out.ready()
  }

  #prompt(prompt: readonly PromptPart[]): void {
    const params = turnStartOf(this.#conversation, prompt, this.#start.opening)
    this.#out.ask('turn/start', params, { what: 'turn', turn: this.#openTurn() })
  }

  #openTurn(isStray = false): LiveTurn {
    const turn = new LiveTurn(this.#conversation.keepsItems, isStray)
    this.#turn = turn
    this.#usage.beginTurn()
    if (!isStray) turn.transcript.session(this.#conversation.session())
    return turn
  }

  #receiveNotification(method: string, params: JsonObject): void {
    this.#threads.note(method, params)
    switch (method) {
      case 'item/started':
        this.#receiveItem('started', params)
        break
      case 'item/completed':
        this.#receiveItem('completed', params)
        if (this.#turn?.isWaiting && !this.#threads.areBusy) this.#conclude(this.#turn)
        break
      case 'turn/started':
        this.#receiveTurnStarted(params)
        break
      case 'turn/completed':
        this.#receiveTurnCompleted(params)
        break
      case 'thread/tokenUsage/updated':
        this.#receiveUsage(params)
        break
      case 'error': {
        const items = this.#itemsOf(params)
        if (items) this.#turn?.receiveError(params, items)
        break
      }
      case 'serverRequest/resolved':
        this.#asking.withdraw(this.#turn, params.requestId)
        break
      case 'thread/status/changed':
        this.#turn?.receiveStatus(params, this.#conversation.threadId)
        break
      case 'account/rateLimits/updated':
        this.#rateLimits = asObject(params.rateLimits)
        break
      default:
        this.#receiveOther(method, params)
    }
  }

  #receiveOther(method: string, params: JsonObject): void {
    if (this.#itemsOf(params)?.receive(method, params)) return
    if (method === 'mcpServer/startupStatus/updated') this.#conversation.receiveServer(params)
    this.#note(noticeOf(method, params))
  }

  #receiveItem(phase: 'started' | 'completed', params: JsonObject): void {
    const item = asObject(params.item)
    const items = this.#itemsOf(params)
    if (!item || !items || !this.#turn) return
    if (item.type === 'userMessage' && items === this.#turn.main) {
      this.#out.steered(this.#turn.steers.receive(item))
    }
    this.#turn.receiveItem(phase, item, items)
  }

  #receiveTurnStarted(params: JsonObject): void {
    const threadId = asString(params.threadId)
    const id = asString(asObject(params.turn)?.id)
    this.#conversation.threadId ??= threadId
    if (threadId !== this.#conversation.threadId || id === undefined) return
    const open = this.#turn
    const isOpen = open !== undefined && (open.id ?? id) === id
    if (open && !isOpen)
      this.#close(open, open.verdict ?? { detail: 'the next turn began', interrupted: true })
    const isStray = this.#start.opening !== undefined
    this.#control.begin(isOpen ? open : this.#openTurn(isStray), id, this.#conversation)
  }

  #receiveTurnCompleted(params: JsonObject): void {
    const turn = this.#turn
    const said = asObject(params.turn)
    if (!turn || params.threadId !== this.#conversation.threadId) return
    if (turn.id !== undefined && turn.id !== said?.id) return
    turn.verdict = verdictOf(said, this.#rateLimits)
    const { failure, interrupted } = turn.verdict
    const mayWait = this.#start.options.backgroundTasks === 'wait' && !failure && !interrupted
    // codex says that a command is over also when its turn is (0.113.0, 0.171.0).
    if (mayWait && this.#threads.areBusy) turn.wait()
    else this.#conclude(turn)
  }

  #interrupt(): void {
    const turn = this.#turn
    if (!turn?.isWaiting) {
      this.#control.interrupt(turn, this.#conversation)
      return
    }
    turn.verdict = { detail: 'interrupted while commands ran on', interrupted: true }
    this.#conclude(turn)
  }

  #conclude(turn: LiveTurn): void {
    turn.isWaiting = false
    this.#control.clean(turn)
    if (turn.cleaning === 0) this.#close(turn, turn.verdict)
  }

  #finishCleaning(turn: LiveTurn): void {
    turn.cleaning--
    if (turn.cleaning === 0) this.#close(turn, turn.verdict)
  }

  #close(turn: LiveTurn, verdict: Verdict | undefined, exit: Exit = lives): void {
    if (turn !== this.#turn) return
    this.#turn = undefined
    turn.settle()
    this.#asking.withdrawAll(turn)
    this.#out.steered(turn.steers.rejectAll('The turn ended before codex took it in.'))
    turn.conclude(verdict, exit)
    const { events } = turn.transcript.end(exit, failureOnStderr)
    if (!turn.isStray) this.#out.say(events)
  }

  #receiveUsage(params: JsonObject): void {
    if (params.threadId !== this.#conversation.threadId) return
    const hasBegun = this.#itemsOf(params)?.hasBegun === true
    const statement = this.#usage.update(asObject(params.tokenUsage), hasBegun)
    if (statement) this.#turn?.transcript.usage(statement)
  }

  #itemsOf(params: JsonObject): ThreadItems | undefined {
    return this.#turn?.itemsOf(params, this.#conversation.threadId)
  }

  /** Between turns it is said as well: whoever runs this knows which turn hears it. */
  #note(notice: Notice | undefined): void {
    if (!notice) return
    if (this.#turn?.isStray === false) this.#turn.transcript.notice(notice.level, notice.code, notice.message)
    else this.#out.say([{ type: 'notice', ...notice }])
  }

  #step(): Step {
    return this.#out.step(this.#turn)
  }
}
