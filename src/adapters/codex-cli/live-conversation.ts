import type { Exit, Failure } from '../../protocol/ending.ts'
import type { SessionPayload } from '../../protocol/events.ts'
import { asObject, asString, type JsonObject } from '../../protocol/narrow.ts'
import type { SessionStatement } from '../../protocol/transcript.ts'
import type { WireOptions, WireStart } from '../../protocol/wire.ts'
import { failureOnStderr } from './errors.ts'
import { codexCan } from './versions.ts'

/** The thread that the process was started for, as far as codex told of it. */
export class Conversation {
  threadId: string | undefined
  /** For the next turn, where it is another one than the thread's. */
  wantedModel: string | undefined
  readonly #options: WireOptions
  #cliVersion: string | undefined
  #keepsItems = true
  #model: string | undefined
  #cwd: string | undefined
  #origin: SessionPayload['origin'] = 'new'
  #isRefused = false
  readonly #servers = new Map<string, string>()

  constructor({ options, cliVersion }: Pick<WireStart, 'options' | 'cliVersion'>) {
    this.#options = options
    this.#learnVersion(cliVersion)
  }

  /** What was finished before a connection broke off stays in the conversation. */
  get keepsItems(): boolean {
    return this.#keepsItems
  }

  /** "coxswain/0.171.0 (Debian 12.0.0; x86_64) ..." */
  receiveInitialize(result: JsonObject | undefined): void {
    this.#learnVersion(/^[^/]*\/(\d+\.\d+\.\d+\S*)/.exec(asString(result?.userAgent) ?? '')?.[1])
  }

  /**
   * What starting, resuming or forking a thread answers; its old turns may be megabytes and are not looked at.
   *
   * @returns why there is no conversation, if there is none
   */
  receiveThread(result: JsonObject | undefined): Failure | undefined {
    const thread = asObject(result?.thread)
    const id = asString(thread?.id)
    if (!id) return this.refuse({ code: 'protocol', message: 'codex opened a conversation without an id.' })
    this.threadId = id
    this.#model = asString(result?.model) ?? asString(thread?.model) ?? this.#model
    this.#cwd = asString(result?.cwd) ?? asString(thread?.cwd)
    this.#learnVersion(asString(thread?.cliVersion))
    const { resume, fork } = this.#options
    const isForked = fork === true || typeof thread?.forkedFromId === 'string'
    this.#origin = isForked ? 'forked' : resume === undefined ? 'new' : 'resumed'
    return undefined
  }

  /** The handshake failed. undefined: it was over before. */
  refuse(failure: Failure): Failure | undefined {
    if (this.threadId !== undefined || this.#isRefused) return undefined
    this.#isRefused = true
    const isResume = this.#options.resume !== undefined && failure.code === 'unknown'
    return isResume ? { ...failure, code: 'resume_rejected' } : failure
  }

  /** The process is gone. */
  lose({ exitCode, signal, stderr }: Exit): Failure | undefined {
    const how = signal ?? `exit ${exitCode}`
    const message = `codex app-server ended (${how}) before it had opened a conversation.`
    return this.refuse(failureOnStderr(stderr) ?? { code: 'crashed', message })
  }

  get isNew(): boolean {
    return this.#origin === 'new'
  }

  receiveServer(params: JsonObject): void {
    const name = asString(params.name)
    if (name !== undefined) this.#servers.set(name, asString(params.status) ?? 'unknown')
  }

  /** Who speaks in the turn that begins now. */
  session(): SessionStatement {
    if (this.wantedModel !== undefined) this.#model = this.wantedModel
    const servers = [...this.#servers].map(([name, status]) => ({ name, status }))
    const statement: SessionStatement = {
      sessionId: this.threadId ?? '',
      transport: 'live',
      model: this.#model ?? this.#options.model,
      cwd: this.#cwd ?? this.#options.cwd,
      mcpServers: servers.length > 0 ? servers : undefined,
      cliVersion: this.#cliVersion,
      origin: this.#origin,
    }
    // What the process goes on with.
    this.#origin = 'resumed'
    return statement
  }

  #learnVersion(version: string | undefined): void {
    if (version === undefined || this.#cliVersion !== undefined) return
    this.#cliVersion = version
    this.#keepsItems = codexCan('keepsItemsOnReconnect', version) !== false
  }
}
