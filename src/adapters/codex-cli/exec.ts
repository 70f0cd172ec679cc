import type { Exit, Failure, Verdict } from '../../protocol/ending.ts'
import { asNumber, asObject, asString, type JsonObject } from '../../protocol/narrow.ts'
import { Transcript } from '../../protocol/transcript.ts'
import type { Step, Wire, WireStart } from '../../protocol/wire.ts'
import { failureOf, failureOnStderr, messageIn } from './errors.ts'
import { Items } from './items.ts'
import type { ItemPhase } from './tools.ts'
import { codexCan } from './versions.ts'

/** "Re-connecting... 1/5" of 0.55, "Reconnecting... 1/5 (why)" later, "Reconnecting... waiting for network (why)" when offline. */
function tellsReconnect(message: string): boolean {
  return message.startsWith('Reconnecting...') || message.startsWith('Re-connecting...')
}

/** The terminal record, and what it says went wrong: why the turn failed, or what was lost of one that did not. */
interface Ending {
  record: 'turn.completed' | 'turn.failed'
  what: string | undefined
}

/** The records of `codex exec --json`. Text comes in whole blocks; only `turn.completed` and `turn.failed` end a turn. */
export class CodexExecWire implements Wire {
  readonly #transcript = new Transcript()
  readonly #items = new Items(this.#transcript)
  #options: WireStart['options'] = {}
  #cliVersion: string | undefined
  /** The conversation that was asked for is not the one that answers: nothing that follows makes this turn good. */
  #rejected = false
  #counts: 'turn' | 'conversation' = 'turn'
  #reconnects = false
  /** The last terminal record, and the last error that may be the end without one: what they stand for is asked at the end. */
  #ending: Ending | undefined
  #error: string | undefined

  start(input: WireStart): Step {
    this.#options = input.options
    this.#cliVersion = input.cliVersion
    return this.#transcript.step()
  }

  receive(record: JsonObject): Step {
    const type = asString(record.type) ?? ''
    switch (type) {
      case 'item.completed':
        return this.#receiveItem('completed', record)
      case 'item.started':
        return this.#receiveItem('started', record)
      case 'item.updated':
        return this.#receiveItem('updated', record)
      case 'thread.started':
      // The first builds called it so (openai/codex#4525).
      case 'session.created':
        return this.#receiveThread(type, asString(record.thread_id) || asString(record.session_id))
      case 'turn.started':
        if (!this.#ending) return this.#transcript.step()
        // It goes on: what it said last was not its last word.
        this.#ending = undefined
        return this.#transcript.step(false)
      case 'turn.completed':
        this.#items.messages.settle()
        this.#receiveUsage(asObject(record.usage))
        this.#ending = { record: 'turn.completed', what: this.#items.lost }
        return this.#transcript.step(true)
      case 'turn.failed':
        this.#items.messages.settle()
        this.#ending = { record: 'turn.failed', what: asString(asObject(record.error)?.message) }
        return this.#transcript.step(true)
      case 'error':
        this.#receiveError(asString(record.message) || 'codex reported an error without a message.')
        return this.#transcript.step()
      default:
        this.#transcript.unknown(`the record type "${type}"`)
        return this.#transcript.step()
    }
  }

  end(exit: Exit): Step {
    this.#items.messages.settle()
    if (this.#error !== undefined) this.#transcript.suspect(this.#suspicion(this.#error))
    if (this.#ending && !this.#rejected) this.#transcript.conclude(verdictOf(this.#ending))
    return this.#transcript.end(exit, failureOnStderr)
  }

  #receiveItem(phase: ItemPhase, record: JsonObject): Step {
    const item = asObject(record.item)
    if (item) {
      // It goes on: the reconnect was no more than that.
      if (this.#reconnects) this.#error = undefined
      this.#reconnects = false
      this.#items.receive(phase, item)
    } else this.#transcript.unknown('an item record without an item')
    return this.#transcript.step()
  }

  #receiveThread(record: string, sessionId: string | undefined): Step {
    if (!sessionId) {
      this.#transcript.unknown(`a ${record} without an id`)
      return this.#transcript.step()
    }
    const { resume, fork, model, cwd } = this.#options
    const isSame = resume !== undefined && sessionId.toLowerCase() === resume.toLowerCase()
    const isForked = fork === true && resume !== undefined && !isSame
    this.#transcript.session({
      sessionId,
      transport: 'structured',
      model,
      cwd,
      cliVersion: this.#cliVersion,
      origin: isForked ? 'forked' : isSame ? 'resumed' : 'new',
    })
    if (resume === undefined) return this.#transcript.step()
    if (isSame || isForked) {
      if (codexCan('cumulativeUsage', this.#cliVersion) !== false) this.#counts = 'conversation'
      return this.#transcript.step()
    }
    // 0.113 and below take an unknown id for a new conversation's, without a word.
    this.#rejected = true
    this.#transcript.conclude({
      detail: `${record} of another conversation`,
      failure: {
        code: 'resume_rejected',
        message: `codex did not find the conversation ${resume} and began a new one.`,
        hint: 'Start a new conversation, or resume with the `conversations` folder that it was kept in.',
      },
    })
    return this.#transcript.step(true)
  }

  #receiveUsage(usage: JsonObject | undefined): void {
    // Zeros stand where nobody counted: `codex review` (0.113.0 to 0.171.0) does not count its reviewer's tokens.
    if (!usage || (!asNumber(usage.input_tokens) && !asNumber(usage.output_tokens))) return
    this.#transcript.usage({
      basis: this.#counts,
      inputTokens: asNumber(usage.input_tokens),
      cachedInputTokens: asNumber(usage.cached_input_tokens),
      cacheWriteTokens: asNumber(usage.cache_write_input_tokens),
      outputTokens: asNumber(usage.output_tokens),
      reasoningTokens: asNumber(usage.reasoning_output_tokens),
    })
  }

  /** Never the end by itself: codex reports what it retries, and servers that it does without, in the same way. */
  #receiveError(message: string): void {
    const reconnects = tellsReconnect(message)
    if (reconnects) this.#reconnect(message)
    else this.#items.messages.settle()
    this.#reconnects = reconnects
    this.#transcript.notice('warning', reconnects ? 'retry' : 'cli_error', messageIn(message))
    this.#error = message
  }

  #suspicion(message: string): Failure {
    const failure = failureOf(message)
    return failure.code === 'unknown' && this.#reconnects ? { ...failure, code: 'network' } : failure
  }

  /** Old versions ask the model again without what it had already said in the response that broke off. */
  #reconnect(message: string): void {
    const keeps = codexCan('keepsItemsOnReconnect', this.#cliVersion)
    if (keeps === true) this.#items.messages.settle()
    else if (keeps === false || message.startsWith('Re-connecting')) this.#items.messages.abandon()
    else this.#items.messages.doubt()
  }
}

function verdictOf({ record, what }: Ending): Verdict {
  if (record === 'turn.completed')
    return { detail: record, failure: what === undefined ? undefined : lossOf(what) }
  const failure = failureOf(what || 'codex said that the turn failed, not why.')
  const verdict: Verdict = { detail: record, failure }
  if (failure.code === 'max_output') verdict.stopReason = 'max_tokens'
  if (failure.code === 'refused') verdict.stopReason = 'refusal'
  return verdict
}

function lossOf(what: string): Failure {
  return {
    code: 'protocol',
    message: `codex lost what it said last: ${what}`,
    retryable: true,
    hint: 'Run the turn again, or resume the conversation and ask for the answer.',
  }
}
