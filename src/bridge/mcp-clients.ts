import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import {
  CallToolRequestSchema,
  ErrorCode,
  isInitializeRequest,
  ListToolsRequestSchema,
  McpError,
} from '@modelcontextprotocol/sdk/types.js'
import type { jsonSchemaValidator as JsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/types.js'
import { shortened } from '../errors.ts'
import { asObject } from '../protocol/narrow.ts'
import { refuse } from './answer.ts'
import type { OpenCalls } from './open-calls.ts'
import type { ServedTool, ServedTools } from './served-tools.ts'
import type { CallToolResult } from './tool-result.ts'
import { wellFormed } from './well-formed.ts'

/** Above this the one that was idle the longest has to greet again. */
const maxClients = 1_024

interface McpClient {
  server: Server
  transport: StreamableHTTPServerTransport
  /** Answers under way, the stream of a GET among them. */
  open: number
  /** The ids of requests that are not answered: a second of the same id would get the first one's answer. */
  asked: Set<string | number>
}

/** What they may call. */
export interface ClientsOf {
  readonly tools: ServedTools
  readonly calls: OpenCalls
  find(name: string): ServedTool | undefined
}

/** The MCP clients of one session, a server each: a CLI may connect more than once, and its sub-agents too. */
export class McpClients {
  readonly #session: ClientsOf
  /** By their `mcp-session-id`, the one that was heard last at the end. */
  readonly #clients = new Map<string, McpClient>()

  constructor(session: ClientsOf) {
    this.#session = session
  }

  /** @param body the parsed body of a POST; undefined for another method */
  async handle(request: IncomingMessage, response: ServerResponse, body: unknown): Promise<void> {
    const id = request.headers['mcp-session-id']
    if (typeof id === 'string') {
      const client = this.#clients.get(id)
      if (!client) return refuse(request, response, 404, rpcError(-32001, 'Session not found'))
      this.#clients.delete(id)
      this.#clients.set(id, client)
      return serve(client, request, response, body)
    }
    if (!isInitializeRequest(body)) {
      return refuse(
        request,
        response,
        400,
        rpcError(-32000, 'Bad Request: initialize first, then send its Mcp-Session-Id'),
      )
    }
    if (!(await this.#makeRoom())) {
      return refuse(request, response, 503, rpcError(-32000, 'Too many MCP clients in this session'))
    }
    const client = await this.#open()
    await serve(client, request, response, body)
    // Refused by the SDK: the wrong Accept header, for instance.
    if (client.transport.sessionId === undefined) await client.server.close()
  }

  async close(): Promise<void> {
    await Promise.all([...this.#clients.values()].map(({ server }) => server.close()))
  }

  async #makeRoom(): Promise<boolean> {
    if (this.#clients.size < maxClients) return true
    const idle = [...this.#clients.values()].find(({ open }) => open === 0)
    await idle?.server.close()
    return idle !== undefined
  }

  async #open(): Promise<McpClient> {
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => {
        this.#clients.set(id, client)
      },
    })
    const server = new Server(
      { name: 'coxswain', version },
      { capabilities: { tools: {} }, jsonSchemaValidator },
    )
    const client: McpClient = { server, transport, open: 0, asked: new Set() }
    server.setRequestHandler(ListToolsRequestSchema, () => ({
      tools: [...this.#session.tools.values()].map(({ listing }) => listing),
    }))
    server.setRequestHandler(CallToolRequestSchema, async ({ params }, extra): Promise<CallToolResult> => {
      const served = this.#session.find(params.name)
      if (!served)
        throw new McpError(
          ErrorCode.InvalidParams,
          `There is no tool "${shortened(params.name)}" in this session`,
        )
      const { result } = await this.#session.calls.run(served, params.arguments ?? {}, {
        signal: extra.signal,
        progress: (progress, total, message) => {
          const progressToken = extra._meta?.progressToken
          if (progressToken === undefined) return
          const said = {
            progressToken,
            progress,
            ...(total !== undefined && { total }),
            ...(message !== undefined && { message: wellFormed(message) }),
          }
          // The client is gone: so is whoever wanted to know.
          extra.sendNotification({ method: 'notifications/progress', params: said }).catch(() => {})
        },
      })
      return result
    })
    server.onclose = () => {
      if (transport.sessionId !== undefined) this.#clients.delete(transport.sessionId)
    }
    await server.connect(transport)
    return client
  }
}

const version = '0.1.0'

/** Nothing here is asked of the client, so nothing of it has to be validated: the SDK would make an ajv for every client. */
const jsonSchemaValidator: JsonSchemaValidator = {
  getValidator: () => () => ({ valid: false, data: undefined, errorMessage: 'Nothing was asked for.' }),
}

async function serve(
  client: McpClient,
  request: IncomingMessage,
  response: ServerResponse,
  body: unknown,
): Promise<void> {
  const ids = requestIdsOf(body)
  if (new Set(ids).size < ids.length || ids.some((id) => client.asked.has(id))) {
    return refuse(request, response, 400, rpcError(-32600, 'Invalid Request: a request with this id is open'))
  }
  for (const id of ids) client.asked.add(id)
  client.open += 1
  response.once('close', () => {
    client.open -= 1
    // Where the client went away first, the call may still be running.
    if (response.writableFinished) for (const id of ids) client.asked.delete(id)
  })
  await client.transport.handleRequest(request, response, body)
}

function requestIdsOf(body: unknown): (string | number)[] {
  return [body].flat().flatMap((message) => {
    const { method, id } = asObject(message) ?? {}
    return method !== undefined && (typeof id === 'string' || typeof id === 'number') ? [id] : []
  })
}

export function rpcError(code: number, message: string): object {
  return { jsonrpc: '2.0', error: { code, message }, id: null }
}
