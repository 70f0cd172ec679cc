import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import type { AgentEvent, CompletionEvent, Schema, TurnOptions } from '../../src/index.ts'
import { startTurn } from '../../src/index.ts'
import { checkGuarantees } from '../../src/testing/guarantees.ts'
import { type ModelServer, startModelServer } from '../../src/testing/model-server.ts'
import type { ModelRequest, Scenario } from '../../src/testing/scenario.ts'
import type { RealCli } from './clis.ts'

/** Homes must not lie below the temporary directory: codex refuses to work there. */
export const stateRoot = fileURLToPath(new URL('../../.cache/', import.meta.url))

const apis = { 'claude-code': 'anthropic', 'codex-cli': 'openai-responses', 'pi-cli': 'openai-chat' } as const

export interface RealTurn {
  events: AgentEvent[]
  completion: CompletionEvent
  /** What the checker of the guarantees has to say: nothing, if all is well. */
  breaches: string[]
}

/** A project folder, a model server, and turns of one real CLI in it. All of it is gone when the test is over. */
export class Workbench {
  readonly cli: RealCli
  readonly server: ModelServer
  readonly folder: string
  readonly cwd: string
  readonly conversations: string

  private constructor(cli: RealCli, server: ModelServer, folder: string) {
    this.cli = cli
    this.server = server
    this.folder = folder
    this.cwd = join(folder, 'project')
    this.conversations = join(folder, 'conversations')
  }

  /** The host's, with a home of its own: a login shell that is killed in mid-start must not leave its locks in the user's. */
  get environment(): Record<string, string | undefined> {
    return { ...process.env, HOME: join(this.folder, 'home') }
  }

  get api() {
    return apis[this.cli.adapter]
  }

  static async open(cli: RealCli, scenario: Scenario): Promise<Workbench> {
    const server = await startModelServer({ scenario })
    await mkdir(stateRoot, { recursive: true })
    const folder = await realpath(await mkdtemp(join(stateRoot, 'workbench-')))
    await Promise.all(['project', 'home'].map((name) => mkdir(join(folder, name))))
    onTestFinished(async () => {
      await server.close()
      await rm(folder, { recursive: true, force: true })
    })
    return new Workbench(cli, server, folder)
  }

  options(options: Partial<TurnOptions<Schema>> = {}): TurnOptions<Schema> {
    return {
      adapter: this.cli.adapter,
      prompt: 'Do what the model says.',
      binary: this.cli.binary,
      endpoint: this.server.endpointFor(this.api),
      cwd: this.cwd,
      environment: this.environment,
      conversations: { directory: this.conversations },
      approvals: 'approve-all',
      budgets: { totalMs: 100_000 },
      ...options,
    }
  }

  /** The requests that are steps of the conversation: no probes, no side requests. */
  steps(): ModelRequest[] {
    return this.server.requests.filter((request) => request.api !== 'other' && !request.side)
  }

  /** At the provider's own address, wherever the options put that. */
  async turnWithoutEndpoint(options: Partial<TurnOptions>): Promise<RealTurn> {
    const { endpoint: _, ...all } = this.options(options)
    return this.#run(all)
  }

  async turn(options: Partial<TurnOptions<Schema>> = {}): Promise<RealTurn> {
    return this.#run(this.options(options))
  }

  async #run(options: TurnOptions<Schema>): Promise<RealTurn> {
    const turn = startTurn(options)
    const events: AgentEvent[] = []
    for await (const event of turn) events.push(event)
    const completion = await turn.completion
    return { events, completion, breaches: checkGuarantees(events).map((breach) => breach.message) }
  }
}
