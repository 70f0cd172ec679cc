import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { AgentError, shortened } from '../errors.ts'
import { invalid } from '../options/faults.ts'
import type { BridgeLog } from './bridge-log.ts'
import type { BridgeSessionOptions } from './bridge-options.ts'
import { readMilliseconds } from './milliseconds.ts'
import { handleRequest } from './requests.ts'
import type { ServedTools } from './served-tools.ts'
import { ServedSession } from './session.ts'

const day = 86_400_000

export interface ToolServerParts {
  tools: ServedTools
  callTimeoutMs: number
  maxBodyBytes: number
  log: BridgeLog
  /** How long it waits for whom; default: as below. */
  patience?: Partial<Patience>
}

/** In milliseconds, as Node's server has them. */
interface Patience {
  headersTimeout: number
  requestTimeout: number
  keepAliveTimeout: number
  connectionsCheckingInterval: number
}

/**
 * Half a request holds its connection no longer than this; a whole one may come again on it for long: a client that sends just
 * when an idle connection is closed does not know whether it was heard.
 */
const usualPatience: Patience = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 75_000,
  connectionsCheckingInterval: 1_000,
}

/** The sessions of a bridge behind one port of the loopback. */
export class ToolServer {
  readonly url: string
  readonly #parts: ToolServerParts
  readonly #server: Server
  readonly #sessions = new Map<string, ServedSession>()
  #closed: Promise<void> | undefined

  static async listen(parts: ToolServerParts): Promise<ToolServer> {
    const server = createServer({ ...usualPatience, ...parts.patience })
    server.listen({ host: '127.0.0.1', port: 0, backlog: 4_096 })
    await once(server, 'listening')
    const address = server.address()
    if (address === null || typeof address === 'string') throw new Error('The tool bridge has no port.')
    return new ToolServer(parts, server, address.port)
  }

  private constructor(parts: ToolServerParts, server: Server, port: number) {
    this.#parts = parts
    this.#server = server
    this.url = `http://127.0.0.1:${port}`
    const { maxBodyBytes, log } = parts
    const served = { port, maxBodyBytes, log, sessions: this.#sessions }
    const handle = (request: IncomingMessage, response: ServerResponse) => {
      // A client that goes away in mid-answer is no fault of ours.
      request.on('error', () => {})
      response.on('error', () => {})
      // Whatever is said here is one session's; a stream of events has a word of its own for it.
      response.setHeader('Cache-Control', 'no-store')
      handleRequest(request, response, served).catch(() => response.destroy())
    }
    server.on('request', handle)
    // With a handler of its own, a body that is refused is not even asked for.
    server.on('checkContinue', handle)
  }

  openSession(options: BridgeSessionOptions): ServedSession {
    if (this.#closed)
      throw new AgentError('aborted', 'The tool bridge is closed.', { hint: 'Start another one.' })
    const sessionId = options.sessionId ?? randomUUID()
    if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/.test(sessionId)) {
      throw invalid(
        'The sessionId of a bridge session goes into an address',
        "Use 1 to 128 letters, digits, '.', '_' and '-', the first a letter or digit.",
      )
    }
    if (this.#sessions.has(sessionId)) {
      throw invalid(
        `The session "${sessionId}" of the tool bridge is open already`,
        'Close it, or use another id.',
      )
    }
    const session = new ServedSession({
      sessionId,
      origin: this.url,
      tools: chosen(this.#parts.tools, options.tools),
      lifetimeMs: readMilliseconds(options.lifetimeMs, 'lifetimeMs', day),
      callTimeoutMs: this.#parts.callTimeoutMs,
      log: this.#parts.log,
      onEnd: () => this.#sessions.delete(sessionId),
    })
    this.#sessions.set(sessionId, session)
    return session
  }

  close(): Promise<void> {
    this.#closed ??= this.#end()
    return this.#closed
  }

  async #end(): Promise<void> {
    const closed = once(this.#server, 'close')
    this.#server.close()
    await Promise.all([...this.#sessions.values()].map((session) => session.close()))
    this.#server.closeAllConnections()
    await closed
  }
}

function chosen(tools: ServedTools, names: readonly string[] | undefined): ServedTools {
  if (!names) return tools
  return new Map(
    names.map((name) => {
      const tool = tools.get(name)
      if (tool) return [name, tool]
      throw invalid(
        `The tool bridge has no tool "${shortened(String(name))}"`,
        `It has: ${[...tools.keys()].join(', ')}.`,
      )
    }),
  )
}
