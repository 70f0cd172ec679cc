import { AgentError, wordsOf } from '../errors.ts'
import type { ToolContext } from '../options/bridge-tool.ts'
import { guarded } from '../options/plain-data.ts'
import { asString } from '../protocol/narrow.ts'
import type { BridgeLog } from './bridge-log.ts'
import { issueLine } from './issue-line.ts'
import type { ServedTool } from './served-tools.ts'
import { type CallToolResult, errorResult, readResult } from './tool-result.ts'

/** What became of a call. All but 'answered' carry an `isError` result that says what happened. */
export interface CallOutcome {
  status: 'answered' | 'invalid_input' | 'failed' | 'timeout' | 'ended'
  result: CallToolResult
}

export interface Caller {
  /** Aborted when whoever called does not want the answer any more. */
  signal: AbortSignal
  progress: ToolContext['progress']
}

/** The calls of one session: each ends when its function has answered, its time is over, or the session ends. */
export class OpenCalls {
  readonly #sessionId: string
  readonly #timeoutMs: number
  readonly #log: BridgeLog
  readonly #ended = new AbortController()

  constructor(sessionId: string, timeoutMs: number, log: BridgeLog) {
    this.#sessionId = sessionId
    this.#timeoutMs = timeoutMs
    this.#log = log
  }

  /** Never rejects, and never waits for a function that does not heed its signal. */
  run(served: ServedTool, input: unknown, caller: Caller): Promise<CallOutcome> {
    const { name } = served.listing
    const controller = new AbortController()
    return new Promise((resolve) => {
      let isOpen = true
      const settle = (outcome: CallOutcome) => {
        if (!isOpen) return
        isOpen = false
        clearTimeout(timer)
        this.#ended.signal.removeEventListener('abort', end)
        caller.signal.removeEventListener('abort', cancel)
        resolve(outcome)
      }
      const abort = (status: 'timeout' | 'ended', message: string) => {
        if (!isOpen) return
        settle({ status, result: errorResult(message) })
        controller.abort(new AgentError(status === 'timeout' ? 'timeout' : 'aborted', message))
      }
      const where = `the tool "${name}" in the session "${this.#sessionId}"`
      const end = () => abort('ended', `The tool bridge ended the call of ${where}: the session is over.`)
      const cancel = () => abort('ended', `The tool bridge ended the call of ${where}: it was cancelled.`)
      const timer = afterAWhile(this.#timeoutMs, () => {
        const message = `The tool bridge ended the call of ${where}: no answer within its limit of ${this.#timeoutMs} ms.`
        this.#log.warn(message)
        abort('timeout', message)
      })
      if (this.#ended.signal.aborted) return end()
      if (caller.signal.aborted) return cancel()
      this.#ended.signal.addEventListener('abort', end)
      caller.signal.addEventListener('abort', cancel)

      const context: ToolContext = {
        signal: controller.signal,
        sessionId: this.#sessionId,
        progress: (progress, total, message) => {
          if (!isOpen || !Number.isFinite(progress)) return
          caller.progress(progress, Number.isFinite(total) ? total : undefined, asString(message))
        },
      }
      this.#call(served, input, context).then(settle)
    })
  }

  /** Ends every open call, and each that comes later. */
  end(): void {
    this.#ended.abort()
  }

  async #call(served: ServedTool, input: unknown, context: ToolContext): Promise<CallOutcome> {
    const { name } = served.listing
    try {
      const checked = await served.input.check(input)
      if ('issues' in checked) {
        const message = `The input of the tool "${name}" does not fit its schema: ${issueLine(checked.issues)}.`
        return { status: 'invalid_input', result: errorResult(message) }
      }
      if (context.signal.aborted) return { status: 'ended', result: errorResult('Cancelled.') }
      const returned: unknown = await served.execute(checked.value, context)
      const read = await readResult(returned, served)
      if ('result' in read) return { status: 'answered', result: read.result }
      const message = `The tool "${name}" answered with what ${read.fault}.`
      return this.#fail(message, name, context, 'its answer is none that can be given')
    } catch (error) {
      const message = wordsOf(error) || 'The tool failed without a message.'
      return this.#fail(message, name, context, `it threw ${kindOf(error)}`)
    }
  }

  /** @param why without a word of its input or its answer, as these are not the log's to have */
  #fail(message: string, name: string, { signal }: ToolContext, why: string): CallOutcome {
    // A function that ends on its signal has not failed.
    if (!signal.aborted) {
      this.#log.warn(`the tool "${name}" failed in the session "${this.#sessionId}": ${why}.`)
    }
    return { status: 'failed', result: errorResult(message) }
  }
}

/** 'a TypeError' */
function kindOf(error: unknown): string {
  const name = guarded(() => (error instanceof Error ? asString(error.name) : undefined)) ?? ''
  return /^[A-Za-z]\w{0,39}$/.test(name) ? `a ${name}` : 'what is no error'
}

/** undefined: never. A timer of Node that is to wait for ever fires at once. */
function afterAWhile(milliseconds: number, act: () => void): NodeJS.Timeout | undefined {
  return milliseconds === Number.POSITIVE_INFINITY ? undefined : setTimeout(act, milliseconds).unref()
}
