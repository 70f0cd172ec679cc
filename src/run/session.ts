import { randomUUID } from 'node:crypto'
import { AgentError } from '../errors.ts'
import { checkPrompt, checkSessionOptions } from '../options/check.ts'
import type { Schema } from '../options/schema-types.ts'
import type { Decision, SessionOptions } from '../options/turn-options.ts'
import type { Stop } from '../protocol/completion.ts'
import { hintOrDefault } from '../protocol/hints.ts'
import type { PromptPart } from '../protocol/prompt.ts'
import { createRedactor } from '../protocol/redact.ts'
import { cleanUp, completeTurn } from './conduct.ts'
import { failedStart } from './failed-start.ts'
import type { LiveProcess } from './live-process.ts'
import { LiveTurn } from './live-turn.ts'
import { enlist } from './live-turns.ts'
import { planTurn, type TurnPlan } from './plan-turn.ts'
import { type PreparedTurn, prepareTurn } from './prepare.ts'
import { startLive } from './start-live.ts'
import { tokenWatchOf } from './token-watch.ts'
import { toolRulesOf } from './tool-watch.ts'
import { refuseToStart } from './turn.ts'
import { TurnHandle } from './turn-handle.ts'
import type { SteerOutcome, Turn } from './turn-interface.ts'
import type { Outcome, TurnParts } from './turn-parts.ts'
import { TurnQueue } from './turn-queue.ts'

/** One process for many turns, one turn at a time. */
export interface Session<S = Schema> extends AsyncDisposable {
  /** The conversation's, as soon as the CLI has said it: at the latest with the first turn. */
  readonly id: string | undefined
  /**
   * The next turn. While one runs it waits for its turn ('queue', the default), or throws `busy` ('refuse'). Each turn counts
   * `seq` from 0 and has a session event of its own; `exitCode` and `signal` are null while the process lives.
   *
   * @throws AgentError for a wrong prompt, and when the session is closed or its process gone
   */
  send(prompt: string | readonly PromptPart[], options?: { busy?: 'queue' | 'refuse' | undefined }): Turn<S>
  /** Says something to the running turn; 'rejected' when none runs. */
  steer(text: string): Promise<SteerOutcome>
  /** Stops the running turn, if one runs; the conversation stays usable, and the queue goes on. */
  interrupt(): Promise<void>
  /** Answers an open interaction of the running turn. */
  answer(interactionId: string, decision: Decision): Promise<void>
  /** From the next turn on. */
  setModel(model: string): Promise<void>
  /** Ends what runs and what waits, and resolves when nothing of the process is left. */
  close(): Promise<void>
  /** Resolves when the process is gone: with why, where nobody closed the session. */
  readonly closed: Promise<AgentError | undefined>
}

/**
 * Starts a process that takes many turns.
 *
 * @throws AgentError (as a rejection) for what the options, the machine or the CLI's version decide, and when the CLI refuses the
 *   handshake; nothing is left then
 */
export async function openSession<S extends Schema = never, const D extends Decision = Decision>(
  options: SessionOptions<S, D>,
): Promise<Session<S>>
export async function openSession(options: SessionOptions): Promise<Session> {
  refuseToStart()
  const checked = checkSessionOptions(options)
  const plan = planTurn(checked, randomUUID())
  if (checked.signal?.aborted) throw aborted()
  const prepared = await prepareTurn(plan)
  try {
    const { start } = prepared
    if (start.transport !== 'live') throw new AgentError('unsupported', 'A session takes the live transport.')
    const process = await startLive(plan, prepared, { ...start, oneTurn: false })
    const giveUp = () => void process.end()
    checked.signal?.addEventListener('abort', giveUp, { once: true })
    enlist({ stop: giveUp, over: process.over })
    const failure = await process.ready(checked.budgets.firstEventMs)
    checked.signal?.removeEventListener('abort', giveUp)
    if (checked.signal?.aborted) throw aborted()
    if (failure) throw failedStart(failure, process.stderrTail, plan.redactor)
    return new LiveSession(plan, prepared, process)
  } catch (error) {
    cleanUp(plan, prepared)
    throw error
  }
}

class LiveSession implements Session {
  readonly closed: Promise<AgentError | undefined>
  readonly #plan: TurnPlan
  readonly #prepared: PreparedTurn
  readonly #process: LiveProcess
  readonly #queue = new TurnQueue()
  /** Those that are not over, the running one first. */
  readonly #turns: TurnHandle[] = []
  #closing: Promise<void> | undefined
  #hasTold = false
  #id: string | undefined

  constructor(plan: TurnPlan, prepared: PreparedTurn, process: LiveProcess) {
    this.#plan = plan
    this.#prepared = prepared
    this.#process = process
    const { signal } = plan.checked
    const abort = () => void this.close()
    signal?.addEventListener('abort', abort, { once: true })
    this.closed = process.over.then(async ({ exitCode, signal: killer, stop }) => {
      signal?.removeEventListener('abort', abort)
      const isWanted = this.#closing !== undefined
      await Promise.all(this.#turns.map((turn) => turn.over))
      cleanUp(plan, prepared)
      if (isWanted) return undefined
      return stop ? errorOf(plan.redactor?.fields(stop) ?? stop) : gone(killer ?? `exit ${exitCode}`)
    })
  }

  get id(): string | undefined {
    return this.#id
  }

  send(
    prompt: string | readonly PromptPart[],
    { busy = 'queue' }: { busy?: 'queue' | 'refuse' | undefined } = {},
  ): Turn<Schema> {
    const parts = checkPrompt(this.#plan.checked, prompt)
    if (this.#closing) {
      throw new AgentError('aborted', 'This session is closed.', { hint: 'Open another one, with `resume`.' })
    }
    if (!this.#process.isAlive) throw gone('gone')
    if (busy === 'refuse' && this.#turns.length > 0) {
      throw new AgentError('busy', 'A turn of this session is running.', {
        hint: "Wait for its completion, or send with busy: 'queue'.",
      })
    }
    return this.#begin(parts)
  }

  async steer(text: string): Promise<SteerOutcome> {
    const [turn] = this.#turns
    return turn?.steer(text) ?? { outcome: 'rejected', reason: 'No turn is running.' }
  }

  async interrupt(): Promise<void> {
    await this.#turns[0]?.interrupt()
  }

  async answer(interactionId: string, decision: Decision): Promise<void> {
    const [turn] = this.#turns
    if (turn) return turn.answer(interactionId, decision)
    throw new AgentError('invalid_options', `No turn is running that could have asked ${interactionId}.`)
  }

  async setModel(model: string): Promise<void> {
    if (typeof model !== 'string' || model.trim() === '') {
      throw new AgentError('invalid_options', 'The model is no name.', {
        hint: 'Give one that the CLI knows.',
      })
    }
    this.#process.command({ type: 'model', model })
  }

  async close(): Promise<void> {
    this.#closing ??= this.#close()
    await this.#closing
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close()
  }

  async #close(): Promise<void> {
    for (const turn of this.#turns) turn.stop('session.close()')
    await Promise.all(this.#turns.map((turn) => turn.over))
    await this.#process.close()
    await this.closed
  }

  /** @param prompt undefined: the CLI begins the turn by itself, as soon as the running one is over */
  #begin(prompt: PromptPart[] | undefined): TurnHandle {
    const { checked, secrets } = this.#plan
    const handle = new TurnHandle({
      adapter: checked.adapter.id,
      includeRaw: checked.includeRaw,
      redactor: checked.redact.enabled ? createRedactor(secrets) : undefined,
      signal: undefined,
      conduct: (parts) => {
        const turn = this.#turnOn(parts)
        if (prompt === undefined) this.#process.follow(turn)
        return completeTurn({ ...parts, output: checked.output }, () => this.#run(turn, parts, prompt))
      },
    })
    handle.on('session', ({ sessionId }) => {
      this.#id = sessionId
    })
    this.#turns.splice(prompt === undefined ? 1 : this.#turns.length, 0, handle)
    void handle.over.then(() => this.#turns.splice(this.#turns.indexOf(handle), 1))
    return handle
  }

  #turnOn(parts: TurnParts): LiveTurn {
    const { budgets, interactions } = this.#plan.checked
    return new LiveTurn({
      process: this.#process,
      parts,
      budgets,
      tools: toolRulesOf(this.#plan, this.#prepared),
      tokens: tokenWatchOf(this.#plan, this.#prepared),
      callback: typeof interactions === 'function' ? interactions : undefined,
      follow: () => this.#begin(undefined),
    })
  }

  async #run(turn: LiveTurn, parts: TurnParts, prompt: PromptPart[] | undefined): Promise<Outcome> {
    const isNext = await (prompt === undefined ? this.#queue.first() : this.#queue.last(parts.stop))
    if (!isNext) return { stop: parts.stop.reason(false) }
    try {
      if (!this.#process.isAlive && prompt) return { stop: parts.stop.reason(false) ?? stopOf(gone('gone')) }
      this.#tell(turn)
      const { statement, stop, ledger, end } = await turn.run(prompt && this.#prepared.ask(prompt))
      const { stderrTail } = this.#process
      await turn.reportTokens({ statement, stderr: stderrTail })
      const { credentialExposure } = this.#prepared
      return {
        statement,
        stop,
        facts: {
          credentialExposure,
          ledger,
          stderrTail,
          exitCode: end?.exitCode ?? null,
          signal: end?.signal ?? null,
        },
      }
    } finally {
      this.#queue.next()
    }
  }

  /** What is to be known of the process, once. */
  #tell(turn: LiveTurn): void {
    if (this.#hasTold) return
    this.#hasTold = true
    for (const { level, code, message } of this.#prepared.notices) turn.notice(level, code, message)
  }
}

function gone(how: string): AgentError {
  return new AgentError('crashed', `The CLI of this session is gone (${how}).`, {
    hint: 'Open another session, with `resume`.',
  })
}

function aborted(): AgentError {
  return new AgentError('aborted', 'The session was stopped by its caller (abort signal).')
}

function errorOf({ code, message, hint }: Stop): AgentError {
  return new AgentError(code, message, { hint: hintOrDefault(code, hint) })
}

function stopOf({ code, message, hint }: AgentError): Stop {
  return {
    status: 'error',
    code,
    message,
    ...(hint !== undefined && { hint }),
    evidence: { by: 'host', detail: code },
  }
}
