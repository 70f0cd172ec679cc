import type { IncomingMessage, ServerResponse } from 'node:http'
import { isBearer, refusedSource } from './admission.ts'
import { answer, refuse } from './answer.ts'
import { readBody } from './body.ts'
import type { BridgeLog } from './bridge-log.ts'
import { rpcError } from './mcp-clients.ts'
import type { CallOutcome } from './open-calls.ts'
import { methodsOf, readTarget } from './route.ts'
import type { ServedSession } from './session.ts'

export interface Served {
  port: number
  maxBodyBytes: number
  sessions: ReadonlyMap<string, ServedSession>
  log: BridgeLog
}

/** One request, from the door to its answer. */
export async function handleRequest(
  request: IncomingMessage,
  response: ServerResponse,
  { port, maxBodyBytes, sessions, log }: Served,
): Promise<void> {
  const turnAway = (status: number, why: string, body: object, headers = {}) => {
    log.warn(`refused a request with ${status}: ${why}.`)
    refuse(request, response, status, body, headers)
  }
  const fault = refusedSource(request.headersDistinct, port)
  if (fault !== undefined) return turnAway(403, fault, { error: `Refused: ${fault}.` })
  const target = readTarget(request.url ?? '')
  if (!target) return turnAway(404, "the path is no session's", { error: 'Nothing is served here.' })

  const session = sessions.get(target.sessionId)
  const demandToken = () => {
    if (isBearer(request.headersDistinct, session?.digest) && session?.isOpen) return true
    const which = session ? `the session "${session.sessionId}"` : 'an unknown or ended session'
    const given = request.headers.authorization === undefined ? 'no' : 'a wrong'
    turnAway(
      401,
      `${given} token for ${which}`,
      { error: 'This address needs the token of its session.' },
      challenge,
    )
    return false
  }
  if (!demandToken() || !session) return

  const { route } = target
  const methods = methodsOf(route)
  if (!methods)
    return refuse(request, response, 404, {
      error: 'Nothing is served here; GET the address of the session, $MCP_API_URL, to see what is.',
    })
  if (!methods.includes(request.method ?? '')) {
    const error = `Use ${methods.join(' or ')} here.`
    return refuse(request, response, 405, { error }, { Allow: methods.join(', ') })
  }
  if (route.to === 'index') return answer(response, 200, indexOf(session))
  if (route.to === 'list') return answer(response, 200, { tools: listOf(session) })

  let body: unknown
  if (request.method === 'POST') {
    const { 'content-encoding': encoding = 'identity' } = request.headers
    if (encoding.toLowerCase() !== 'identity') {
      const error = 'Send the body as it is, without a Content-Encoding.'
      const said = route.to === 'mcp' ? rpcError(-32000, error) : { error }
      return turnAway(415, 'the body is encoded', said)
    }
    const text = await readBody(request, response, maxBodyBytes)
    if (text === undefined) {
      const error = `The body is longer than ${maxBodyBytes} bytes.`
      return turnAway(
        413,
        `the body is longer than ${maxBodyBytes} bytes`,
        route.to === 'mcp' ? rpcError(-32000, error) : { error },
      )
    }
    try {
      body = JSON.parse(route.to === 'call' && text.trim() === '' ? '{}' : text)
    } catch {
      const error = 'The body is no JSON.'
      return answer(response, 400, route.to === 'mcp' ? rpcError(-32700, error) : { error })
    }
    // It may have ended while the body was coming.
    if (!demandToken()) return
  }
  if (request.method !== 'GET') session.hold(response)
  if (route.to === 'mcp') return session.clients.handle(request, response, body)
  if (route.to === 'call') return call(session, route.name, body, response)
}

const challenge = { 'WWW-Authenticate': 'Bearer' }

/** What there is to call, by names; where, by the variables that hold it. Never the token. */
function indexOf({ sessionId, tools, variables }: ServedSession) {
  const { MCP_MCP, MCP_CUSTOM, MCP_VIRTUAL } = variables
  return { sessionId, routes: { MCP_MCP, MCP_CUSTOM, MCP_VIRTUAL }, tools: [...tools.keys()] }
}

function listOf(session: ServedSession) {
  return [...session.tools.values()].map(({ listing }) => listing)
}

const statuses: Readonly<Record<CallOutcome['status'], number>> = {
  answered: 200,
  invalid_input: 422,
  failed: 500,
  timeout: 504,
  ended: 503,
}

/** A call from a shell: who hangs up does not want the answer. */
async function call(
  session: ServedSession,
  name: string,
  input: unknown,
  response: ServerResponse,
): Promise<void> {
  const served = session.find(name)
  if (!served)
    return answer(response, 404, {
      error: 'There is no such tool in this session.',
      tools: [...session.tools.keys()],
    })
  const hangUp = new AbortController()
  response.once('close', () => hangUp.abort())
  const { status, result } = await session.calls.run(served, input, {
    signal: hangUp.signal,
    progress: () => {},
  })
  answer(response, status === 'answered' && result.isError ? 500 : statuses[status], result)
}
