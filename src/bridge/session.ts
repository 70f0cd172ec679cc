import { randomBytes } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { deriveBridgeVariables } from '../env/bridge-variables.ts'
import { digestOf, type TokenDigest } from './admission.ts'
import type { BridgeLog } from './bridge-log.ts'
import { McpClients } from './mcp-clients.ts'
import { OpenCalls } from './open-calls.ts'
import type { ServedTool, ServedTools } from './served-tools.ts'

/** How long what was answered may take to go out when a session ends. */
const flushMs = 500

export interface SessionParts {
  sessionId: string
  /** Of the bridge. */
  origin: string
  tools: ServedTools
  lifetimeMs: number
  callTimeoutMs: number
  log: BridgeLog
  /** Called once, when it takes no more requests. */
  onEnd: () => void
}

/** What one agent may call, under a token of its own. */
export class ServedSession {
  readonly sessionId: string
  readonly token = randomBytes(32).toString('base64url')
  readonly digest: TokenDigest = digestOf(this.token)
  readonly url: string
  readonly mcpUrl: string
  readonly variables: Record<string, string>
  readonly tools: ServedTools
  readonly calls: OpenCalls
  readonly clients: McpClients
  readonly #log: BridgeLog
  readonly #onEnd: () => void
  readonly #lifetime: NodeJS.Timeout | undefined
  readonly #answers = new Set<ServerResponse>()
  #closed: Promise<void> | undefined

  constructor({ sessionId, origin, tools, lifetimeMs, callTimeoutMs, log, onEnd }: SessionParts) {
    this.sessionId = sessionId
    this.url = `${origin}/s/${sessionId}`
    this.mcpUrl = `${this.url}/mcp`
    this.variables = deriveBridgeVariables({ url: this.url, token: this.token, sessionId })
    this.tools = tools
    this.calls = new OpenCalls(sessionId, callTimeoutMs, log)
    this.clients = new McpClients(this)
    this.#log = log
    this.#onEnd = onEnd
    if (lifetimeMs !== Number.POSITIVE_INFINITY) {
      this.#lifetime = setTimeout(() => this.close(), lifetimeMs)
      this.#lifetime.unref()
    }
  }

  get isOpen(): boolean {
    return this.#closed === undefined
  }

  /** A tool of this session's; that there is none is a refusal. */
  find(name: string): ServedTool | undefined {
    const found = this.tools.get(name)
    if (!found) this.#log.warn(`refused a call of a tool that the session "${this.sessionId}" does not have.`)
    return found
  }

  /** Has the end of the session wait for this answer, and not forever. */
  hold(response: ServerResponse): void {
    this.#answers.add(response)
    response.once('close', () => this.#answers.delete(response))
  }

  close(): Promise<void> {
    this.#closed ??= this.#end()
    return this.#closed
  }

  async #end(): Promise<void> {
    clearTimeout(this.#lifetime)
    this.#onEnd()
    // The calls are answered first: a client whose connection just ends waits for its own time to run out.
    this.calls.end()
    await allClosed(this.#answers, flushMs)
    await this.clients.close()
    for (const response of this.#answers) response.destroy()
  }
}

async function allClosed(answers: ReadonlySet<ServerResponse>, milliseconds: number): Promise<void> {
  if (answers.size === 0) return
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, milliseconds)
    Promise.all([...answers].map((response) => new Promise((done) => response.once('close', done)))).then(
      () => {
        clearTimeout(timer)
        resolve()
      },
    )
  })
}
