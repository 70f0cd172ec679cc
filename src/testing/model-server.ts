import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { AgentError, wordsOf } from '../errors.ts'
import type { Endpoint } from '../options/option-parts.ts'
import { anthropicMessages } from './anthropic-messages.ts'
import { checkScenario } from './check-scenario.ts'
import { type Answer, type Conversation, fragments, type ModelApi } from './model-api.ts'
import { openaiChat } from './openai-chat.ts'
import { openaiResponses } from './openai-responses.ts'
import {
  type ModelApiName,
  type ModelRequest,
  type Reply,
  type Scenario,
  ScenarioPlayer,
} from './scenario.ts'
import { scenarios } from './scenarios.ts'
import { addressCalls } from './tools-offered.ts'

export interface ModelServerOptions {
  /** Default: `scenarios.text`. */
  scenario?: Scenario | undefined
  /** Default: any free one. */
  port?: number | undefined
}

/** A model on 127.0.0.1 that says what a scenario says. */
export interface ModelServer extends AsyncDisposable {
  /** Without a path: 'http://127.0.0.1:49152'. */
  readonly url: string
  /** Every request so far, probes included, in the order of arrival. */
  readonly requests: readonly ModelRequest[]
  /** For `TurnOptions.endpoint`, with a credential that is good for nothing. */
  endpointFor(api: ModelApiName): Endpoint & { api: ModelApiName; credential: string }
  /**
   * Plays another scenario from now on. A list counts the answers that a conversation holds, as ever: a session that has heard three
   * gets the fourth reply. For a list that begins with the next request, open a new conversation, or give a function.
   */
  play(scenario: Scenario): void
  /** Ends every connection. */
  close(): Promise<void>
}

const apis: readonly ModelApi[] = [anthropicMessages, openaiResponses, openaiChat]

/**
 * Starts a model server for tests and demos: Anthropic Messages, OpenAI Responses and OpenAI Chat Completions, streamed or not.
 * It needs no account and listens on the loopback address only.
 */
export async function startModelServer(options: ModelServerOptions = {}): Promise<ModelServer> {
  const requests: ModelRequest[] = []
  const { scenario = scenarios.text } = options
  checkScenario(scenario)
  let player = new ScenarioPlayer(scenario)
  let answers = 0

  const server = createServer((incoming, response) => {
    response.on('error', () => {}) // a CLI that goes away in mid-answer is no fault of ours
    serve(incoming, response).catch(() => response.destroy())
  })

  async function serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const receivedAt = Date.now()
    const body = await readBody(incoming)
    const path = incoming.url ?? '/'
    const pathname = path.split('?', 1)[0] ?? path
    const api = incoming.method === 'POST' ? apis.find((each) => each.path === pathname) : undefined
    const conversation = api?.read(body) ?? noConversation
    const request = toRequest(incoming, path, body, api, conversation, receivedAt)
    requests.push(request)
    if (!api) return answerOther(incoming.method, pathname, response)
    const reply: Reply = request.side ? { text: 'ok' } : player.replyTo(request)
    if (reply.delayMs) await wait(reply.delayMs)
    if (reply.hangAfter === 0) return
    if (reply.status !== undefined) return answerError(api, reply, reply.status, response)
    const answer = toAnswer(reply, conversation, ++answers, api)
    if (!request.stream) return answerJson(response, 200, api.whole(answer))
    await answerStream(api, reply, answer, body, response)
  }

  server.listen(checkedPort(options.port), '127.0.0.1')
  try {
    await once(server, 'listening')
  } catch (error) {
    throw new AgentError('invalid_options', `startModelServer cannot listen: ${wordsOf(error)}.`, {
      hint: 'Give another `port`, or leave it out for any free one.',
      cause: error,
    })
  }
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The model server has no port.')
  const url = `http://127.0.0.1:${address.port}`

  async function close(): Promise<void> {
    if (!server.listening) return
    const closed = once(server, 'close')
    server.close()
    server.closeAllConnections()
    await closed
  }

  return {
    url,
    requests,
    endpointFor: (api) => ({ url: api === 'anthropic' ? url : `${url}/v1`, api, credential: 'loopback' }),
    play(scenario) {
      checkScenario(scenario)
      player = new ScenarioPlayer(scenario)
    },
    close,
    [Symbol.asyncDispose]: close,
  }
}

/** Node says `options.port should be >= 0 and < 65536` of it, and not whose option that is. */
function checkedPort(port = 0): number {
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port
  throw new AgentError('invalid_options', `startModelServer: \`port\` is no port: ${String(port)}.`, {
    hint: 'Give a whole number from 0 to 65535, or leave it out for any free one.',
  })
}

const noConversation: Conversation = {
  model: '',
  stream: false,
  tools: [],
  instructions: '',
  userTexts: [],
  toolResults: [],
  answersHeld: 0,
  side: true,
}

async function readBody(incoming: IncomingMessage): Promise<unknown> {
  const chunks: Uint8Array[] = []
  for await (const chunk of incoming) chunks.push(chunk)
  const text = Buffer.concat(chunks).toString('utf8')
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function toRequest(
  incoming: IncomingMessage,
  path: string,
  body: unknown,
  api: ModelApi | undefined,
  conversation: Conversation,
  receivedAt: number,
): ModelRequest {
  const { tools, ...rest } = conversation
  const headers = Object.entries(incoming.headers).map(([name, value]) => [name, String(value ?? '')])
  return {
    ...rest,
    api: api?.name ?? 'other',
    method: incoming.method ?? 'GET',
    path,
    headers: Object.fromEntries(headers),
    body,
    offeredTools: tools.map((tool) => tool.name),
    receivedAt,
  }
}

function toAnswer(reply: Reply, conversation: Conversation, number: number, api: ModelApi): Answer {
  const prefix = api.name === 'anthropic' ? 'toolu' : 'call'
  return {
    number,
    model: conversation.model,
    thinking: fragments(reply.thinking),
    text: fragments(reply.text),
    calls: addressCalls(reply.toolCalls ?? [], conversation.tools, number, prefix),
    stop: reply.stop ?? 'end',
    usage: reply.usage ?? { inputTokens: 120, cachedInputTokens: 20, outputTokens: 40 },
  }
}

function answerOther(method: string | undefined, pathname: string, response: ServerResponse): void {
  if (method === 'HEAD') response.writeHead(200).end()
  else if (pathname.endsWith('/count_tokens')) answerJson(response, 200, { input_tokens: 120 })
  else if (pathname.endsWith('/models')) answerJson(response, 200, { object: 'list', data: [] })
  else answerJson(response, 200, {})
}

function answerJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

function answerError(api: ModelApi, reply: Reply, status: number, response: ServerResponse): void {
  if (reply.retryAfter !== undefined) response.setHeader('retry-after', String(reply.retryAfter))
  answerJson(
    response,
    status,
    api.error(status, reply.errorMessage ?? errorMessages[status] ?? `status ${status}`),
  )
}

const errorMessages: Readonly<Record<number, string>> = {
  400: 'the request is not valid',
  401: 'invalid api key',
  403: 'this key may not use this model',
  404: 'the model does not exist',
  429: 'rate limit reached, try again later',
  500: 'internal server error',
  503: 'service unavailable',
  529: 'overloaded',
}

/** One write per event, so that a CLI sees the answer grow; waits for a reader that is slower. */
/**
 * So many fragments come at a pace that no model reaches but every CLI can follow: at the pace of the loopback, codex 0.113
 * drops events of its own ("in-process app-server event stream lagged"). A longer answer goes on as fast as it is read.
 */
const unhurried = 400

async function answerStream(
  api: ModelApi,
  reply: Reply,
  answer: Answer,
  body: unknown,
  response: ServerResponse,
): Promise<void> {
  if (reply.cutAfter === 0) return void response.destroy()
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' })
  let deltas = 0
  for (const frame of api.stream(answer, body)) {
    if (response.destroyed) return
    const data = frame.data === '[DONE]' ? '[DONE]' : JSON.stringify(frame.data)
    const head = frame.event === undefined ? '' : `event: ${frame.event}\n`
    if (!response.write(`${head}data: ${data}\n\n`)) {
      await drained(response)
    }
    if (!frame.delta) continue
    deltas++
    if (reply.paceMs) await wait(reply.paceMs)
    else if (deltas < unhurried && deltas % 4 === 0) await wait(2)
    if (deltas === reply.hangAfter) return
    if (deltas === reply.cutAfter) return cut(response)
  }
  response.end()
}

/** Waits until what was written has left, so that the CLI gets exactly those deltas before the cut. */
function cut(response: ServerResponse): void {
  response.write(': cut\n\n', () => response.destroy())
}

/** Until there is room again, or nobody reads any more. */
function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      response.off('drain', done).off('close', done)
      resolve()
    }
    response.on('drain', done).on('close', done)
  })
}
