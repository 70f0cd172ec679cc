import { StreamableHTTPError } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { ErrorCode, McpError } from '@modelcontextprotocol/sdk/types.js'
import { isAgentError } from '../errors.ts'
import type { ChildExit } from '../run/child.ts'
import { OddTool } from './listed-tool.ts'

/** How far a server was asked. */
export interface Probe {
  stage: 'initialize' | 'tools/list'
  /** Where it is asked: the program's name, or the host of its address. Never its arguments or its path. */
  place: string
  timeoutMs: number
  /** Of a stdio server. */
  process?: { exit: ChildExit | undefined; printedOther: boolean }
}

/** A list that says of every page that there is another one. */
export class EndlessList extends Error {}

/**
 * In words of our own, as the end of a sentence on the server: what a library or a server says may repeat a header or a
 * variable.
 */
export function whatWentWrong(error: unknown, probe: Probe): string {
  const { stage, place, process } = probe
  if (process?.exit) return ended(process.exit, probe)
  if (isAgentError(error)) return `its command ${place} could not be started: ${errnoOf(error) ?? error.code}`
  if (error instanceof StreamableHTTPError) return answered(error.code ?? 0, stage)
  if (error instanceof OddTool) return error.message
  if (error instanceof EndlessList) return 'its list of tools has no end'
  if (error instanceof McpError) {
    if (error.code === ErrorCode.RequestTimeout) return overdue(probe)
    if (error.code === ErrorCode.ConnectionClosed)
      return `it closed the connection before it answered ${stage}`
    return `it answered ${stage} with the error ${error.code}`
  }
  if (error instanceof TypeError) {
    const code = errnoOf(error)
    if (code !== undefined) return `it cannot be reached at ${place}: ${code}`
    return isBlockedPort(error)
      ? `it cannot be asked: Node's fetch refuses the port of ${place}`
      : 'it cannot be asked: check its url and headers'
  }
  if (error instanceof Error && /protocol version/.test(error.message)) {
    return 'it speaks a version of MCP that is not known here'
  }
  return `it does not speak MCP: its answer to ${stage} is of another form`
}

export function overdue(probe: Probe): string {
  const { stage, timeoutMs, process } = probe
  if (process?.exit) return ended(process.exit, probe)
  const other = process?.printedOther ? ', but printed what is no MCP' : ''
  return `it did not answer ${stage} within ${timeoutMs} ms${other}`
}

function ended({ exitCode, signal }: ChildExit, { stage, place }: Probe): string {
  const how = signal === null ? `exit code ${exitCode}` : signal
  return `its process ${place} ended (${how}) before it answered ${stage}`
}

function answered(status: number, stage: Probe['stage']): string {
  if (status <= 0) return `it does not speak MCP: its answer to ${stage} is neither JSON nor an event stream`
  const meanings: Readonly<Record<number, string>> = {
    401: ': its `headers` have no credential, or one that it does not accept',
    403: ': its `headers` have a credential that may not do this',
    404: ': there is no MCP at its url',
    405: ': there is no streamable HTTP at its url',
  }
  const meaning = meanings[status] ?? (status >= 300 && status < 400 ? redirected : '')
  return `it answered ${stage} with ${status}${meaning}`
}

/** Its headers are for the address that they were given for. */
const redirected = ': it is somewhere else now, and nothing is sent there; give its own url'

/** Some ports are no server's to the fetch standard: 1, 22, 6000. */
function isBlockedPort({ cause }: Error): boolean {
  return cause instanceof Error && cause.message === 'bad port'
}

/** The system's own word, from however deep. */
function errnoOf(error: Error): string | undefined {
  const { cause } = error
  if (typeof cause !== 'object' || cause === null) return undefined
  const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : undefined
  return code ?? (cause instanceof Error ? errnoOf(cause) : undefined)
}
