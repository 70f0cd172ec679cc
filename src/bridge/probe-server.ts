import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { PaginatedResultSchema } from '@modelcontextprotocol/sdk/types.js'
import { z } from 'zod'
import type { CheckedMcpServer } from '../adapters/launch-options.ts'
import { AgentError, shortened } from '../errors.ts'
import { startStdioServer } from '../run/stdio-server.ts'
import { within } from '../run/within.ts'
import { type ListedTool, OddTool, readListedTool } from './listed-tool.ts'
import { EndlessList, overdue, type Probe, whatWentWrong } from './probe-failure.ts'
import { StdioTransport } from './stdio-transport.ts'

export interface ProbeOptions {
  /** The whole environment of a stdio server, to which its own `env` is added. */
  environment: Readonly<Record<string, string>>
  /** Of a stdio server. */
  cwd: string
  signal?: AbortSignal | undefined
  /** For all of it. Default 10,000. */
  timeoutMs?: number | undefined
}

/** How long a server may take to hear that we go. */
const goodbyeMs = 500
/** No model can be offered more. */
const maxTools = 10_000

/**
 * Asks an MCP server for its tools, as a client that comes and goes. What a stdio server started is ended with it.
 *
 * @throws AgentError `mcp_unavailable`, saying in one line what was wrong, without the server's name, header or variables;
 *   `aborted` when the signal was
 */
export async function listServerTools(
  server: CheckedMcpServer,
  options: ProbeOptions,
): Promise<readonly ListedTool[]> {
  const { signal, timeoutMs = 10_000 } = options
  const probe: Probe = { stage: 'initialize', place: placeOf(server), timeoutMs }
  const stop = new AbortController()
  const abort = () => stop.abort()
  let isOverdue = false
  const timer = setTimeout(() => {
    isOverdue = true
    stop.abort()
  }, timeoutMs)
  if (signal?.aborted) abort()
  signal?.addEventListener('abort', abort)
  try {
    if (server.type === 'http') return await askHttp(server, probe, stop.signal)
    return await askStdio(server, options, probe, stop.signal)
  } catch (error) {
    if (stop.signal.aborted && !isOverdue) {
      throw new AgentError('aborted', 'Asking an MCP server for its tools was aborted.')
    }
    throw new AgentError('mcp_unavailable', isOverdue ? overdue(probe) : whatWentWrong(error, probe), {
      hint: error instanceof OddTool ? 'Correct the tool in the server.' : hints[server.type],
    })
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', abort)
  }
}

function placeOf(server: CheckedMcpServer): string {
  if (server.type === 'stdio') return JSON.stringify(shortened(server.command))
  return URL.canParse(server.url) ? new URL(server.url).host : 'its url'
}

const hints: Readonly<Record<CheckedMcpServer['type'], string>> = {
  stdio: 'Run its command by hand, with the same variables and in the same directory, to see what it says.',
  http: 'Check its url and headers, and that it runs.',
}

async function askStdio(
  { command, args = [], env = {} }: Extract<CheckedMcpServer, { type: 'stdio' }>,
  { environment, cwd }: ProbeOptions,
  probe: Probe,
  stopped: AbortSignal,
): Promise<ListedTool[]> {
  stopped.throwIfAborted()
  const server = await startStdioServer({
    command,
    arguments: args,
    cwd,
    environment: { ...environment, ...env },
  })
  const transport = new StdioTransport(server)
  try {
    return await ask(transport, probe, stopped)
  } catch (error) {
    // As it is now, before it is ended.
    probe.process = { exit: transport.exit, printedOther: transport.printedOther }
    throw error
  } finally {
    await server.end()
    await transport.close()
  }
}

async function askHttp(
  { url, headers = {} }: Extract<CheckedMcpServer, { type: 'http' }>,
  probe: Probe,
  stopped: AbortSignal,
): Promise<ListedTool[]> {
  stopped.throwIfAborted()
  const transport = new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } })
  try {
    return await ask(transport, probe, stopped)
  } finally {
    await within(transport.terminateSession(), goodbyeMs)
    await transport.close()
  }
}

/** Rejects when it is stopped, whatever the server does. */
function ask(transport: Transport, probe: Probe, stopped: AbortSignal): Promise<ListedTool[]> {
  return new Promise((resolve, reject) => {
    stopped.addEventListener('abort', () => reject(stopped.reason), { once: true })
    listAll(transport, probe).then(resolve, reject)
  })
}

/** Its tools are read one by one, so that what is wrong with one has its name. */
const pageSchema = PaginatedResultSchema.extend({ tools: z.array(z.unknown()) })

async function listAll(transport: Transport, probe: Probe): Promise<ListedTool[]> {
  const client = new Client({ name: 'coxswain', version: '0.1.0' })
  // Ours is over before the SDK's.
  const timeout = { timeout: probe.timeoutMs + 1_000 }
  await client.connect(transport, timeout)
  probe.stage = 'tools/list'
  const listed: ListedTool[] = []
  if (!client.getServerCapabilities()?.tools) return listed
  for (let cursor: string | undefined; ; ) {
    const params = cursor === undefined ? {} : { cursor }
    // Not listTools(), which also compiles every output schema.
    const page = await client.request({ method: 'tools/list', params }, pageSchema, timeout)
    for (const tool of page.tools) listed.push(readListedTool(tool, listed.length + 1))
    cursor = page.nextCursor
    if (!cursor) return listed
    if (listed.length > maxTools) throw new EndlessList()
  }
}
