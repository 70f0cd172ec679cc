import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Adapter } from '../../adapters/adapter.ts'
import type { SessionOptions } from '../../options/turn-options.ts'
import { cursorStandIn } from '../../testing/cursor-stand-in.ts'
import { type ModelServer, startModelServer } from '../../testing/model-server.ts'
import type { Reply } from '../../testing/scenario.ts'

/** Who answers the CLI: a model server of ours, the stand-in's own script, or the model of the user's account. */
export type Model = 'loopback' | 'stand-in' | 'account'

export interface BenchOptions {
  adapter: Adapter
  transport: 'structured' | 'live'
  model: Model
  /** undefined: the one on PATH. */
  binary: [string, ...string[]] | undefined
  environment: Readonly<Record<string, string | undefined>>
  signal: AbortSignal
}

/** A project folder, a model, and the options that all turns of one cell have in common. */
export class Bench implements AsyncDisposable {
  readonly adapter: Adapter
  readonly transport: 'structured' | 'live'
  readonly model: Model
  readonly signal: AbortSignal
  readonly cwd: string
  readonly #options: BenchOptions
  readonly #server: ModelServer | undefined

  static async open(options: BenchOptions): Promise<Bench> {
    const cwd = await realpath(await mkdtemp(join(tmpdir(), 'coxswain-matrix-')))
    return new Bench(options, cwd, options.model === 'loopback' ? await startModelServer() : undefined)
  }

  private constructor(options: BenchOptions, cwd: string, server: ModelServer | undefined) {
    this.adapter = options.adapter
    this.transport = options.transport
    this.model = options.model
    this.signal = options.signal
    this.cwd = cwd
    this.#options = options
    this.#server = server
  }

  /** What the model does from now on, step by step; the last step repeats. The stand-in keeps to the script it was started with. */
  play(replies: readonly Reply[]): void {
    let step = 0
    this.#server?.play(() => replies[step++] ?? replies.at(-1) ?? {})
  }

  /** What starts a CLI whose model does this. */
  playing(replies: readonly Reply[], more: Partial<SessionOptions> = {}): SessionOptions {
    this.play(replies)
    const { adapter, transport, model, binary, environment, signal } = this.#options
    const [api] = adapter.capabilities.endpoint
    const command = model === 'stand-in' ? cursorStandIn({ replies }) : binary
    return {
      adapter,
      transport,
      cwd: this.cwd,
      approvals: 'approve-all',
      sandbox: 'off',
      conversations: 'discard',
      environment: { ...environment },
      budgets: { totalMs: 120_000 },
      signal,
      ...(command && { binary: command }),
      ...(this.#server && api && { endpoint: this.#server.endpointFor(api) }),
      ...more,
    }
  }

  /** Whether the model was ever told this, by a person or by a tool. undefined: nobody can tell. */
  wasTold(words: string): boolean | undefined {
    return this.#server?.requests.some(({ userTexts, toolResults }) =>
      [...userTexts, ...toolResults].some((text) => text.includes(words)),
    )
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server?.close()
    await rm(this.cwd, { recursive: true, force: true })
  }
}
