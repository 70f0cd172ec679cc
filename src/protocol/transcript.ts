import { plausibleUsage, type UsageStatement } from './counts.ts'
import { decideEnding, type Exit, type Failure, type Verdict } from './ending.ts'
import type {
  InteractionPayload,
  NoticePayload,
  PlanEntry,
  PlanPayload,
  SessionPayload,
  ThinkingPayload,
  WireEvent,
} from './events.ts'
import { exitNotice } from './exit-notice.ts'
import { asObject } from './narrow.ts'
import type { CompletionStatement, Usage } from './outcome.ts'
import { TextRuns } from './text-runs.ts'
import { ToolCalls } from './tool-calls.ts'
import type { Step } from './wire.ts'

/** What a record says of a session; what it leaves open is undefined. */
export type SessionStatement = Pick<SessionPayload, 'sessionId' | 'transport' | 'origin'> & {
  [Field in 'model' | 'cwd' | 'tools' | 'mcpServers' | 'cliVersion']?: SessionPayload[Field] | undefined
}

const nothing: Step = { events: [] }

/**
 * What a turn has said so far. A wire translates its dialect into calls on this; the transcript turns them into events that
 * keep the guarantees: one fate per message, one start and one end per tool call, one completion.
 *
 * Nothing here or in a wire that happens once per record copies with a spread: that costs as much as parsing a short line.
 */
export class Transcript {
  readonly text: TextRuns
  readonly tools: ToolCalls
  /** Since the last step. */
  #events: WireEvent[] | undefined
  #sessionId: string | undefined
  #announced = false
  #usage: Usage | undefined
  #costUsd: number | undefined
  #structuredOutput: unknown
  #verdict: Verdict | undefined
  #suspected: Failure | undefined
  #thinkingCount = 0
  /** The thinking run that is open, by speaker ('' is the top level). */
  readonly #thinking = new Map<string, string>()

  constructor() {
    const emit = (event: WireEvent) => {
      // Thinking ends when the same speaker starts something else.
      if (this.#thinking.size > 0 && (event.type === 'delta' || event.type === 'tool')) {
        this.#thinking.delete(event.parentToolId ?? '')
      }
      this.#say(event)
    }
    this.text = new TextRuns(emit)
    this.tools = new ToolCalls(emit)
  }

  /** The events since the last call, as a step. */
  step(ended?: boolean): Step {
    if (this.#events === undefined && ended === undefined) return nothing
    const step: Step = { events: this.#events ?? [] }
    if (ended !== undefined) step.ended = ended
    this.#events = undefined
    return step
  }

  get sessionId(): string | undefined {
    return this.#sessionId
  }

  get verdict(): Verdict | undefined {
    return this.#verdict
  }

  /** Says who is speaking, once; a later call can only correct the id that the completion carries. */
  session(session: SessionStatement): void {
    this.#sessionId = session.sessionId
    if (this.#announced) return
    this.#announced = true
    this.#say(sessionEvent(session))
  }

  /** Reasoning. A fragment (`contentDelta` true) joins the speaker's open run; a whole block is a run of its own. */
  thinking(text: string, contentDelta: boolean, parentToolId?: string): void {
    if (text === '') return
    const speaker = parentToolId ?? ''
    let messageId = contentDelta ? this.#thinking.get(speaker) : undefined
    if (messageId === undefined) messageId = `thinking-${++this.#thinkingCount}`
    if (contentDelta) this.#thinking.set(speaker, messageId)
    const event: ThinkingPayload = { type: 'thinking', messageId, text, contentDelta }
    if (parentToolId !== undefined) event.parentToolId = parentToolId
    this.#say(event)
  }

  /** The speaker's next thinking is a run of its own. */
  endThinking(parentToolId?: string): void {
    this.#thinking.delete(parentToolId ?? '')
  }

  plan(entries: PlanEntry[], parentToolId?: string): void {
    const event: PlanPayload = { type: 'plan', entries }
    if (parentToolId !== undefined) event.parentToolId = parentToolId
    this.#say(event)
  }

  interaction(interaction: Omit<InteractionPayload, 'type'>): void {
    this.#say({ type: 'interaction', ...interaction })
  }

  /** @param details plain JSON; what is undefined in it counts as not said */
  notice(level: NoticePayload['level'], code: string, message: string, details?: unknown): void {
    const event: NoticePayload = { type: 'notice', level, code, message: message === '' ? code : message }
    if (details !== undefined) event.details = withoutUndefined(details)
    this.#say(event)
  }

  /** A record, or a part of one, that this version does not know: said, counted, never fatal. */
  unknown(what: string): void {
    this.notice('info', 'unknown_record', `This version does not know ${what.slice(0, 200)}.`)
  }

  /** Tokens so far in this turn. Says nothing when nothing changed. */
  usage(said: UsageStatement): void {
    const usage = plausibleUsage(said)
    if (this.#usage && sameUsage(this.#usage, usage)) return
    this.#usage = usage
    this.#say({ type: 'usage', usage })
  }

  /** This turn's own cost; undefined takes it back. Not told beside usage that is the whole conversation's. */
  cost(costUsd: number | undefined): void {
    this.#costUsd = costUsd !== undefined && Number.isFinite(costUsd) && costUsd >= 0 ? costUsd : undefined
  }

  structuredOutput(output: unknown): void {
    this.#structuredOutput = output
  }

  /** The CLI's terminal record. A later one replaces it; undefined takes it back. */
  conclude(verdict: Verdict | undefined): void {
    this.#verdict = verdict
  }

  /** An error that is only the end if no terminal record follows. undefined takes it back. */
  suspect(failure: Failure | undefined): void {
    this.#suspected = failure
  }

  /** Settles what is open and closes with the completion. */
  end(exit: Exit, fromStderr?: (stderr: string) => Failure | undefined): Step {
    const ending = decideEnding(this.#verdict, exit, this.#suspected, fromStderr)
    const good = ending.status === 'success' && exit.stopped !== true
    for (const id of this.tools.pending) this.tools.end(id, { status: 'interrupted' })
    for (const run of this.text.pending) {
      if (good) this.text.complete(run)
      else this.text.interrupt(run)
    }
    const notice = good && !exit.lingered ? exitNotice(ending.status, exit) : undefined
    if (notice) this.#say(notice)
    const text = this.text.answer
    if (good && text === '')
      this.notice('warning', 'empty_answer', 'The turn ended well, but without any text.')
    const said = {
      type: 'completion' as const,
      text,
      ...(ending.stopReason !== undefined && { stopReason: ending.stopReason }),
      ...(this.#sessionId !== undefined && { sessionId: this.#sessionId }),
      ...(this.#usage !== undefined && { usage: this.#usage }),
      ...(this.#costUsd !== undefined && this.#usage?.basis !== 'conversation' && { costUsd: this.#costUsd }),
      evidence: ending.evidence,
    }
    const structured = good &&
      this.#structuredOutput !== undefined && { structuredOutput: this.#structuredOutput }
    const completion: CompletionStatement =
      ending.status === 'success'
        ? { ...said, status: ending.status, ...structured }
        : { ...said, status: ending.status, error: ending.error }
    this.#say(completion)
    return this.step()
  }

  /** Most steps say one thing: an empty list that is pushed to makes room for seventeen. */
  #say(event: WireEvent): void {
    if (this.#events === undefined) this.#events = [event]
    else this.#events.push(event)
  }
}

function withoutUndefined(details: unknown): unknown {
  const object = asObject(details)
  if (!object) return details
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined))
}

function sessionEvent({ sessionId, transport, origin, ...said }: SessionStatement): SessionPayload {
  return {
    type: 'session',
    sessionId,
    transport,
    ...(said.model !== undefined && { model: said.model }),
    ...(said.cwd !== undefined && { cwd: said.cwd }),
    ...(said.tools !== undefined && { tools: said.tools }),
    ...(said.mcpServers !== undefined && { mcpServers: said.mcpServers }),
    ...(said.cliVersion !== undefined && { cliVersion: said.cliVersion }),
    origin,
  }
}

function sameUsage(a: Usage, b: Usage): boolean {
  return (
    a.basis === b.basis &&
    a.inputTokens === b.inputTokens &&
    a.cachedInputTokens === b.cachedInputTokens &&
    a.cacheWriteTokens === b.cacheWriteTokens &&
    a.outputTokens === b.outputTokens &&
    a.reasoningTokens === b.reasoningTokens
  )
}
