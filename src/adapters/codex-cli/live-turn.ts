import type { Exit, Verdict } from '../../protocol/ending.ts'
import { asArray, asObject, asString, type JsonObject } from '../../protocol/narrow.ts'
import { Transcript } from '../../protocol/transcript.ts'
import { failureOfTurn, messageIn } from './errors.ts'
import { ThreadItems } from './live-items.ts'
import { Steers } from './live-steers.ts'
import { neverEnded } from './live-verdict.ts'
import type { ItemPhase } from './tools.ts'

/** One turn of app-server: its transcript, and whose words belong to it. */
export class LiveTurn {
  readonly transcript = new Transcript()
  readonly steers = new Steers()
  readonly main: ThreadItems
  /** codex's own id; undefined until codex says it. */
  id: string | undefined
  /** codex began it by itself: it is nobody's. */
  readonly isStray: boolean
  /** codex has begun it: an interrupt that comes before that is lost (0.171.0). */
  hasStarted = false
  /** The turn shall end. */
  isStopped = false
  /** codex has said how the turn ended, and it is only waited for what is cleaned up. */
  verdict: Verdict | undefined
  /** The turn is over but for commands that run on, and their end is waited for. */
  isWaiting = false
  /** codex rests, and has not said that the turn is over: a moment before the end of every turn (0.113, 0.171), or for good. */
  isIdle = false
  /** What is still to be answered before the turn is closed. */
  cleaning = 0
  readonly #keepsItems: boolean
  /** By thread: sub-agents that this turn has spawned or spoken to. */
  readonly #agents = new Map<string, ThreadItems>()
  readonly #callers = new Map<string, string>()
  /** A sub-agent may speak before the call that spawns it says who it is. */
  #spawning: string | undefined

  constructor(keepsItems: boolean, isStray: boolean) {
    this.isStray = isStray
    this.#keepsItems = keepsItems
    this.main = new ThreadItems(this.transcript, { keepsItems })
  }

  /** Whose items a record is about; undefined where they are none of this turn's. */
  itemsOf({ threadId, turnId }: JsonObject, mainThreadId: string | undefined): ThreadItems | undefined {
    if (typeof threadId !== 'string') return undefined
    if (threadId !== mainThreadId) return this.#agent(threadId)
    // An elicitation may not know its turn.
    return turnId === this.id || turnId === null ? this.main : undefined
  }

  /** The items of a sub-agent; undefined for one that this turn has nothing to do with. */
  #agent(threadId: string): ThreadItems | undefined {
    const known = this.#agents.get(threadId)
    if (known) return known
    const parentToolId = this.#callers.get(threadId) ?? this.#spawning
    if (parentToolId === undefined) return undefined
    const items = new ThreadItems(this.transcript, { parentToolId, keepsItems: this.#keepsItems })
    this.#agents.set(threadId, items)
    return items
  }

  receiveItem(phase: ItemPhase, item: JsonObject, items: ThreadItems): void {
    if (item.type === 'collabAgentToolCall') this.#noteCall(phase, item)
    if (item.type === 'subAgentActivity') this.#noteActivity(item, items)
    else items.receiveItem(phase, item, this.verdict?.interrupted === true)
  }

  /** Never the end by itself: `turn/completed` says how the turn ended. */
  receiveError(params: JsonObject, items: ThreadItems): void {
    const error = asObject(params.error)
    const message = messageIn(asString(error?.message) || 'codex reported an error without a message.')
    if (params.willRetry === true) {
      items.reconnect()
      const details = asString(error?.additionalDetails)
      const failure = failureOfTurn(error)
      // A limit may be waited for in silence, for hours (cli-sub-agent#475): what there is to say is said now.
      const isLimit = failure.code === 'usage_limit'
      if (isLimit && items === this.main) this.transcript.suspect(failure)
      this.transcript.notice(
        'warning',
        isLimit ? 'usage_limit' : 'retry',
        details ? `${message} (${messageIn(details)})` : message,
      )
      return
    }
    this.transcript.notice('warning', 'cli_error', message)
    if (items === this.main) this.transcript.suspect(failureOfTurn(error))
  }

  wait(): void {
    this.isWaiting = true
    this.settle()
  }

  receiveStatus({ threadId, status }: JsonObject, mainThreadId: string | undefined): void {
    if (threadId === mainThreadId && this.hasStarted) this.isIdle = asObject(status)?.type === 'idle'
  }

  /** codex has still to say something, and nothing else goes on. */
  get isOwed(): boolean {
    return this.cleaning > 0 || (this.isIdle && !this.verdict && !this.isStray)
  }

  /** @param verdict undefined: codex did not say how it ended */
  conclude(verdict: Verdict | undefined, { lingered }: Exit): void {
    const told = verdict ?? (this.isIdle && lingered ? neverEnded : undefined)
    if (told) this.transcript.conclude(told)
  }

  settle(): void {
    for (const items of [this.main, ...this.#agents.values()]) items.messages.settle()
  }

  #noteCall(phase: ItemPhase, item: JsonObject): void {
    const id = asString(item.id) ?? ''
    if (item.tool === 'spawnAgent') this.#spawning = phase === 'started' ? id : undefined
    // Who waits for an agent or closes it does not make it speak.
    if (item.tool === 'wait' || item.tool === 'closeAgent') return
    for (const receiver of asArray(item.receiverThreadIds)) {
      const threadId = asString(receiver)
      if (threadId !== undefined && !this.#agents.has(threadId)) this.#callers.set(threadId, id)
    }
  }

  /** What newer models spawn without a call of its own (0.171: `collaboration` inside of `exec`). */
  #noteActivity(item: JsonObject, items: ThreadItems): void {
    const threadId = asString(item.agentThreadId)
    if (item.kind !== 'started' || threadId === undefined || this.#callers.has(threadId)) return
    const id = asString(item.id) || threadId
    this.#callers.set(threadId, id)
    const call = { id, type: 'dynamicToolCall', tool: 'spawn_agent', arguments: { path: item.agentPath } }
    items.receiveItem('started', call)
    items.receiveItem('completed', { ...call, success: true })
  }
}
