import type { Failure } from '../protocol/ending.ts'
import { asNumber, asObject, asString, type JsonObject, lookUp } from '../protocol/narrow.ts'
import { Transcript } from '../protocol/transcript.ts'
import type { Exit, Step, Wire, WireStart } from '../protocol/wire.ts'
import { failureOf, failureOnStderr } from './codex-cli.errors.ts'
import { type ItemPhase, Items } from './codex-cli.items.ts'
import { codexCan } from './codex-cli.versions.ts'

const itemPhases: Readonly<Record<string, ItemPhase>> = {
  'item.started': 'started',
  'item.updated': 'updated',
  'item.completed': 'completed',
}

/** "Re-connecting... 1/5" of 0.55, "Reconnecting... 1/5 (why)" later, "Reconnecting... waiting for network (why)" when offline. */
const reconnecting = /^Re-?connecting\.\.\./

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

  start(input: WireStart): Step {
    this.#options = input.options
    this.#cliVersion = input.cliVersion
    return this.#transcript.step()
  }

  receive(record: JsonObject): Step {
    const type = asString(record.type) ?? ''
    const phase = lookUp(itemPhases, type)
    if (phase !== undefined) {
      this.#receiveItem(phase, record)
      return this.#transcript.step()
    }
    switch (type) {
      case 'thread.started':
      // The first builds called it so (openai/codex#4525).
      case 'session.created':
        return this.#receiveThread(type, asString(record.thread_id) || asString(record.session_id))
      case 'turn.started':
        return this.#transcript.step()
      case 'turn.completed':
        this.#items.settle()
        this.#receiveUsage(asObject(record.usage))
        if (!this.#rejected) this.#conclude()
        return { ...this.#transcript.step(), ended: true }
      case 'turn.failed':
        this.#items.settle()
        this.#receiveFailure(asString(asObject(record.error)?.message))
        return { ...this.#transcript.step(), ended: true }
      case 'error':
        this.#receiveError(asString(record.message) || 'codex reported an error without a message.')
        return this.#transcript.step()
      default:
        this.#transcript.unknown(`the record type "${type}"`)
        return this.#transcript.step()
    }
  }

  end(exit: Exit): Step {
    this.#items.settle()
    return this.#transcript.end(exit, failureOnStderr)
  }

  #receiveItem(phase: ItemPhase, record: JsonObject): void {
    const item = asObject(record.item)
    if (!item) {
      this.#transcript.unknown('an item record without an item')
      return
    }
    // It goes on: the reconnect was no more than that.
    if (this.#reconnects) this.#transcript.suspect(undefined)
    this.#reconnects = false
    this.#items.receive(phase, item)
  }

  #receiveThread(record: string, sessionId: string | undefined): Step {
    if (!sessionId) {
      this.#transcript.unknown(`a ${record} without an id`)
      return this.#transcript.step()
    }
    const { resume, fork, model, cwd } = this.#options
    const isSame = sessionId.toLowerCase() === resume?.toLowerCase()
    const isForked = fork === true && resume !== undefined && !isSame
    this.#transcript.session({
      sessionId,
      transport: 'structured',
      ...(model !== undefined && { model }),
      ...(cwd !== undefined && { cwd }),
      ...(this.#cliVersion !== undefined && { cliVersion: this.#cliVersion }),
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
    return { ...this.#transcript.step(), ended: true }
  }

  #conclude(): void {
    const { lost } = this.#items
    const failure: Failure | undefined =
      lost === undefined
        ? undefined
        : {
            code: 'protocol',
            message: `codex lost what it said last: ${lost}`,
            retryable: true,
            hint: 'Run the turn again, or resume the conversation and ask for the answer.',
          }
    this.#transcript.conclude({ detail: 'turn.completed', failure })
  }

  #receiveUsage(usage: JsonObject | undefined): void {
    if (!usage) return
    const counts = {
      inputTokens: asNumber(usage.input_tokens),
      cachedInputTokens: asNumber(usage.cached_input_tokens),
      cacheWriteTokens: asNumber(usage.cache_write_input_tokens),
      outputTokens: asNumber(usage.output_tokens),
      reasoningTokens: asNumber(usage.reasoning_output_tokens),
    }
    this.#transcript.usage({
      basis: this.#counts,
      ...(counts.inputTokens !== undefined && { inputTokens: counts.inputTokens }),
      ...(counts.cachedInputTokens !== undefined && { cachedInputTokens: counts.cachedInputTokens }),
      ...(counts.cacheWriteTokens !== undefined && { cacheWriteTokens: counts.cacheWriteTokens }),
      ...(counts.outputTokens !== undefined && { outputTokens: counts.outputTokens }),
      ...(counts.reasoningTokens !== undefined && { reasoningTokens: counts.reasoningTokens }),
    })
  }

  #receiveFailure(message: string | undefined): void {
    if (this.#rejected) return
    const failure = failureOf(message || 'codex said that the turn failed, not why.')
    this.#transcript.conclude({
      detail: 'turn.failed',
      failure,
      ...(failure.code === 'max_output' && { stopReason: 'max_tokens' as const }),
      ...(failure.code === 'refused' && { stopReason: 'refusal' as const }),
    })
  }

  /** Never the end by itself: codex reports what it retries, and servers that it does without, in the same way. */
  #receiveError(message: string): void {
    const failure = failureOf(message)
    if (reconnecting.test(message)) {
      this.#reconnect(message)
      this.#reconnects = true
      this.#transcript.notice('warning', 'retry', failure.message)
    } else {
      this.#items.settle()
      this.#reconnects = false
      this.#transcript.notice('warning', 'cli_error', failure.message)
    }
    this.#transcript.suspect(
      failure.code === 'unknown' && this.#reconnects ? { ...failure, code: 'network' } : failure,
    )
  }

  /** Old versions ask the model again without what it had already said in the response that broke off. */
  #reconnect(message: string): void {
    const keeps = codexCan('keepsItemsOnReconnect', this.#cliVersion)
    if (keeps === true) this.#items.settle()
    else if (keeps === false || message.startsWith('Re-connecting')) this.#items.abandon()
    else this.#items.doubt()
  }
}
