import type { Failure } from '../../protocol/ending.ts'
import type { SessionPayload } from '../../protocol/events.ts'
import type { RpcError } from '../../protocol/json-rpc.ts'
import { asArray, asNumber, asObject, asString, type JsonObject } from '../../protocol/narrow.ts'
import type { SessionStatement } from '../../protocol/transcript.ts'
import type { WireOptions } from '../../protocol/wire.ts'
import type { AcpConnection } from './connection.ts'
import type { AcpDialect } from './dialect.ts'
import { failureOfError, wantsSignIn } from './failures.ts'
import { refusalOfServers } from './mcp.ts'
import { AcpSettings } from './settings.ts'

const protocolVersion = 1
const clientInfo = { name: 'coxswain', title: 'Coxswain', version: '1' }

/** What a launch wants of the conversation beside the options that a wire knows. */
export interface AcpOpening {
  /** The session mode to begin with. */
  mode: string | undefined
  /** As `session/new` takes them. */
  mcpServers: readonly JsonObject[]
}

/** From `initialize` to a conversation that takes prompts. */
export class AcpHandshake {
  readonly settings = new AcpSettings()
  /** As the agent says it. */
  #agentVersion: string | undefined
  sessionId: string | undefined
  origin: SessionPayload['origin'] = 'new'
  takesImages = false
  readonly #connection: AcpConnection
  readonly #dialect: AcpDialect
  readonly #options: WireOptions
  readonly #opening: AcpOpening
  readonly #done: (failure: Failure | undefined) => void
  #capabilities: JsonObject = {}
  #authMethods: JsonObject[] = []
  #hasSignedIn = false

  constructor(
    connection: AcpConnection,
    dialect: AcpDialect,
    options: WireOptions,
    opening: AcpOpening,
    done: (failure: Failure | undefined) => void,
  ) {
    this.#connection = connection
    this.#dialect = dialect
    this.#options = options
    this.#opening = opening
    this.#done = done
  }

  /** Who speaks in the turn that begins now; undefined: there is no conversation yet. */
  session(cliVersion: string | undefined): SessionStatement | undefined {
    if (this.sessionId === undefined) return undefined
    const { model, cwd } = this.#options
    const statement: SessionStatement = {
      sessionId: this.sessionId,
      transport: 'live',
      model: this.settings.model ?? model,
      cwd,
      cliVersion: this.#agentVersion ?? cliVersion,
      origin: this.origin,
    }
    // What the process goes on with.
    this.origin = 'resumed'
    return statement
  }

  begin(): void {
    const clientCapabilities = {
      // Agents have tools of their own for both.
      fs: { readTextFile: false, writeTextFile: false },
      terminal: false,
      // Where nobody answers, the tools that ask shall not even be offered to the model.
      ...(this.#options.interactions === 'host' && { elicitation: { form: {} } }),
    }
    this.#ask('initialize', { protocolVersion, clientCapabilities, clientInfo }, (result) =>
      this.greet(result),
    )
  }

  /** The answer to `initialize`. */
  greet(result: JsonObject): void {
    const version = asNumber(result.protocolVersion)
    if (version !== protocolVersion) {
      const message = `${this.#dialect.agent} speaks version ${version ?? 'unknown'} of ACP, not ${protocolVersion}.`
      this.#done({ code: 'unsupported_version', message })
      return
    }
    this.#capabilities = asObject(result.agentCapabilities) ?? {}
    this.#agentVersion = asString(asObject(result.agentInfo)?.version)
    this.takesImages = asObject(this.#capabilities.promptCapabilities)?.image === true
    this.#authMethods = asArray(result.authMethods)
      .map(asObject)
      .filter((method) => method !== undefined)
    const refusal = refusalOfServers(this.#dialect.agent, this.#opening.mcpServers, this.#capabilities)
    if (refusal) this.#done(refusal)
    else if (this.#canSignIn) this.#signIn()
    else this.#openConversation()
  }

  /** The answer to what opened the conversation. */
  open(sessionId: string | undefined, result: JsonObject, origin: SessionPayload['origin']): void {
    if (sessionId === undefined) {
      this.#done({
        code: 'protocol',
        message: `${this.#dialect.agent} does not say which conversation this is.`,
      })
      return
    }
    this.sessionId = sessionId
    this.origin = origin
    this.settings.read(result)
    this.#chooseMode()
  }

  get #canSignIn(): boolean {
    const { authMethod } = this.#dialect
    return !this.#hasSignedIn && this.#authMethods.some((method) => method.id === authMethod)
  }

  #signIn(): void {
    this.#hasSignedIn = true
    this.#ask('authenticate', { methodId: this.#dialect.authMethod }, () => this.#openConversation())
  }

  #openConversation(): void {
    const { resume, fork, cwd } = this.#options
    const place = { cwd, mcpServers: this.#opening.mcpServers }
    if (resume === undefined) {
      this.#ask('session/new', place, (result) => this.open(asString(result.sessionId), result, 'new'))
      return
    }
    const method = this.#methodToResume(fork === true)
    if (method === undefined) {
      const what = fork === true ? 'fork' : 'resume'
      this.#done({
        code: 'unsupported',
        message: `${this.#dialect.agent} says that it cannot ${what} a conversation.`,
      })
      return
    }
    const origin = fork === true ? 'forked' : 'resumed'
    this.#ask(
      method,
      { ...place, sessionId: resume },
      (result) => this.open(asString(result.sessionId) ?? (fork ? undefined : resume), result, origin),
      (error) => {
        const { message } = failureOfError(error)
        return {
          code: 'resume_rejected',
          message: `There is no conversation ${resume} to resume: ${message}`,
        }
      },
    )
  }

  /** `session/load` says all that was said before once more, `session/resume` does not. */
  #methodToResume(fork: boolean): string | undefined {
    const session = asObject(this.#capabilities.sessionCapabilities)
    if (fork) return asObject(session?.fork) && 'session/fork'
    if (asObject(session?.resume)) return 'session/resume'
    return this.#capabilities.loadSession === true ? 'session/load' : undefined
  }

  #chooseMode(): void {
    const { mode } = this.#opening
    if (mode === undefined) {
      this.#chooseModel()
      return
    }
    const request = this.settings.setMode(mode)
    if (!request) {
      this.#done({ code: 'unsupported', message: `${this.#dialect.agent} has no mode "${mode}".` })
      return
    }
    this.#ask(request.method, { sessionId: this.sessionId, ...request.params }, () => this.#chooseModel())
  }

  #chooseModel(): void {
    const { model } = this.#options
    if (model === undefined || this.#dialect.modelByLaunch) this.#done(undefined)
    else this.setModel(model, (failure) => this.#done(failure))
  }

  setModel(model: string, then: (failure: Failure | undefined) => void): void {
    const request = this.settings.setModel(model)
    if (!request) {
      then({ code: 'unsupported', message: `${this.#dialect.agent} offers no choice of models.` })
      return
    }
    const params = { sessionId: this.sessionId, ...request.params }
    this.#connection.request(request.method, params, ({ result, error }) => {
      if (error) {
        const { message } = failureOfError(error)
        then({
          code: 'model_not_found',
          message: `${this.#dialect.agent} refused the model "${model}": ${message}`,
        })
        return
      }
      this.settings.read(result)
      this.settings.changedModel(model)
      then(undefined)
    })
  }

  #ask(
    method: string,
    params: object,
    then: (result: JsonObject) => void,
    failure: (error: RpcError) => Failure = failureOfError,
  ): void {
    this.#connection.request(method, params, ({ result, error }) => {
      if (!error) then(result)
      else if (wantsSignIn(error)) this.#done(this.#notSignedIn(error))
      else this.#done(failure(error))
    })
  }

  #notSignedIn(error: RpcError): Failure {
    const ways = this.#authMethods.map(
      (method) => asString(method.description) || asString(method.name) || '',
    )
    const hint = ways.filter((way) => way !== '').join('; ')
    return {
      ...failureOfError(error),
      code: 'auth',
      ...(hint !== '' && { hint: `The agent offers: ${hint}.` }),
    }
  }
}
