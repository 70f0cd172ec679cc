import type { Adapter } from '../adapters/adapter.ts'
import { checkReplayOptions } from '../options/check-replay.ts'
import type { Schema } from '../options/schema-types.ts'
import type { AdapterId, TurnOptions } from '../options/turn-options.ts'
import type { AgentEvent } from '../protocol/events.ts'
import { createRedactor } from '../protocol/redact.ts'
import type { WireOptions } from '../protocol/wire.ts'
import { type Recorded, recorded } from './recorded.ts'
import { RecordedOutput } from './recorded-output.ts'

export interface ReplayOptions {
  adapter: AdapterId | Adapter
  /**
   * Default 'structured'. 'live': of a process that took several turns, each turn with its own `seq` and completion; recordings
   * of both directions may be framed as {"dir","msg"}.
   */
  transport?: 'structured' | 'live' | undefined
  /** Chunks of recorded stdout, cut anywhere: inside a character or a surrogate pair, too. */
  stdout: Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>
  /** How the process ended. Default: exit 0, no stderr. */
  exit?: { exitCode: number | null; signal: string | null; stderr?: string | undefined } | undefined
  /** The version of the CLI, where it is known. codex says different things in the same records, and not its version. */
  cliVersion?: string | undefined
  /**
   * What the wire would have known of the turn: resume, fork, model, cwd, backgroundTasks, includeRaw; what to hide: redact, scope,
   * endpoint; and what its answers and tools are held against as in a turn: outputSchema, tools.
   */
  options?: Partial<TurnOptions<Schema>> | undefined
}

/**
 * The events of a recorded stdout, without a process: the same that the turn gave when it was recorded, each as soon as its
 * chunk was read. Of what only a process knows, `durationMs` is 0 and `credentialExposure` 'none'.
 *
 * @throws AgentError `invalid_options`, or `unsupported` for a transport that the adapter does not have, at once
 */
export function replay(options: ReplayOptions): AsyncIterable<AgentEvent> {
  const { adapter, wireOptions, includeRaw, tools, secrets, output: schema } = checkReplayOptions(options)
  const redactor = secrets.length === 0 ? undefined : createRedactor(secrets)
  const output = schema && new RecordedOutput(schema, redactor)
  return new ReplayIterator(
    recorded(adapter, options.transport ?? 'structured', {
      includeRaw,
      redactor,
      tools,
      cliVersion: options.cliVersion,
      onStatement: output && ((statement) => output.hear(statement)),
    }),
    wireOptions,
    options,
    output,
  )
}

/**
 * Hands on what each chunk gave. By hand, for a generator's `yield*` over a list costs three promises per event: a third of
 * the whole way from bytes to events.
 */
class ReplayIterator implements AsyncIterableIterator<AgentEvent> {
  readonly #turn: Recorded
  readonly #exit: NonNullable<ReplayOptions['exit']>
  readonly #chunks: AsyncIterator<string | Uint8Array> | Iterator<string | Uint8Array>
  readonly #encoder = new ChunkEncoder()
  readonly #output: RecordedOutput | undefined
  #ready: AgentEvent[]
  #next = 0
  #ended = false

  constructor(
    turn: Recorded,
    wireOptions: WireOptions,
    { stdout, exit }: ReplayOptions,
    output: RecordedOutput | undefined,
  ) {
    this.#output = output
    this.#turn = turn
    this.#exit = exit ?? { exitCode: 0, signal: null }
    this.#chunks = iteratorOf(stdout)
    this.#ready = turn.start(wireOptions)
  }

  next(): Promise<IteratorResult<AgentEvent, undefined>> {
    const value = this.#ready[this.#next]
    if (value === undefined) return this.#advance()
    this.#next++
    return Promise.resolve({ value, done: false })
  }

  async return(): Promise<IteratorResult<AgentEvent, undefined>> {
    this.#ended = true
    this.#ready = []
    await this.#chunks.return?.()
    return { value: undefined, done: true }
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  async #advance(): Promise<IteratorResult<AgentEvent, undefined>> {
    while (!this.#ended) {
      const chunk = await this.#chunks.next()
      if (chunk.done === true) {
        this.#ended = true
        this.#ready = [...this.#turn.push(this.#encoder.end()), ...this.#turn.end(this.#exit)]
      } else {
        this.#ready = this.#turn.push(this.#encoder.encode(chunk.value))
      }
      if (this.#output) this.#ready = await this.#output.judge(this.#ready)
      const [value] = this.#ready
      this.#next = 1
      if (value !== undefined) return { value, done: false }
    }
    return { value: undefined, done: true }
  }
}

function iteratorOf(stdout: ReplayOptions['stdout'] | string | Uint8Array) {
  if (typeof stdout === 'string' || stdout instanceof Uint8Array) return [stdout].values()
  return Symbol.asyncIterator in stdout ? stdout[Symbol.asyncIterator]() : stdout[Symbol.iterator]()
}

/** Turns text chunks into bytes, holding back half of a surrogate pair until its other half comes. */
class ChunkEncoder {
  readonly #encoder = new TextEncoder()
  #half = ''

  encode(chunk: string | Uint8Array): Uint8Array {
    if (typeof chunk !== 'string') {
      return this.#half === '' ? chunk : Buffer.concat([this.end(), chunk])
    }
    let text = this.#half + chunk
    this.#half = ''
    const last = text.charCodeAt(text.length - 1)
    if (last >= 0xd800 && last <= 0xdbff) {
      this.#half = text.slice(-1)
      text = text.slice(0, -1)
    }
    return this.#encoder.encode(text)
  }

  end(): Uint8Array {
    const rest = this.#encoder.encode(this.#half)
    this.#half = ''
    return rest
  }
}
