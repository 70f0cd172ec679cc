import type { JsonObject } from '../protocol/narrow.ts'

/** The APIs that the model server speaks, named as in `TurnOptions.endpoint`. */
export type ModelApiName = 'anthropic' | 'openai-responses' | 'openai-chat'

export interface ToolCall {
  /** A tool's name as the CLI offers it, or 'shell': whichever shell tool this request offers. */
  name: string
  /** For 'shell': `{ command }`, put into the shape that the offered tool wants. A string for a free-form tool. */
  input: JsonObject | string
  /** Of a tool that the request does not offer: 'custom' for a free-form one. Default 'function'. */
  type?: string | undefined
}

/** Tokens of one answer. `inputTokens` counts all prompt tokens, cached and cache-written ones included. */
export interface ReplyUsage {
  inputTokens: number
  outputTokens: number
  cachedInputTokens?: number | undefined
  cacheWriteTokens?: number | undefined
  reasoningTokens?: number | undefined
}

/** What the model does once. In this order: thinking, text, tool calls. */
export interface Reply {
  /** A string is streamed in word-sized deltas; a list is streamed as these very deltas. */
  thinking?: string | readonly string[] | undefined
  text?: string | readonly string[] | undefined
  toolCalls?: readonly ToolCall[] | undefined
  /** Default 'end' (or, with tool calls, that API's word for them). */
  stop?: 'end' | 'max_tokens' | 'refusal' | undefined
  usage?: ReplyUsage | undefined
  /** Answers with this HTTP status and an error body instead. */
  status?: number | undefined
  errorMessage?: string | undefined
  /** Seconds, sent as `retry-after` with an error. */
  retryAfter?: number | undefined
  /** Destroys the connection after so many deltas of a streamed answer; 0: before the response begins. */
  cutAfter?: number | undefined
  /** Goes silent after so many deltas, holding the connection; 0: before the response begins. */
  hangAfter?: number | undefined
  /** Waits so long before it answers, in milliseconds. */
  delayMs?: number | undefined
  /** Waits so long after every delta, in milliseconds. Default 0. */
  paceMs?: number | undefined
  /** What a request without streaming gets instead (claude falls back to one). It never fails by `cutAfter`. */
  unstreamed?: Reply | undefined
}

/** A step that answers differently each time it is asked for; the last reply repeats. */
export interface Attempts {
  attempts: readonly [Reply, ...Reply[]]
}

/**
 * A list: the reply at the number of model answers that the conversation already holds; after the last it starts over, so that
 * a second turn plays the same. A function: called with that number.
 */
export type Scenario = readonly (Reply | Attempts)[] | ((request: ModelRequest, answersHeld: number) => Reply)

export interface OfferedTool {
  name: string
  /** The group that it is offered in: 'mcp__harbour' for the tools of an MCP server, in codex. */
  namespace?: string
  /** 'function', 'custom', 'local_shell', ...: as the API names it. */
  type: string
  /** The JSON Schema of its input, where there is one. */
  schema: JsonObject | undefined
}

/** One request that a CLI made. */
export interface ModelRequest {
  /** 'other': a probe or telemetry. */
  api: ModelApiName | 'other'
  method: string
  /** With its query. */
  path: string
  headers: Readonly<Record<string, string>>
  /** Parsed JSON; the text itself where it is not JSON. */
  body: unknown
  model: string
  /** Whether an answer as SSE was asked for. */
  stream: boolean
  /** Names, in the order offered. */
  offeredTools: readonly string[]
  /** The system prompt: all of its texts, joined with newlines. */
  instructions: string
  /** Every text of every user message, in order. */
  userTexts: readonly string[]
  /** The text of every tool result, in order. */
  toolResults: readonly string[]
  /** How many answers of the model the conversation holds. */
  answersHeld: number
  /** Not a step of the conversation: a title, a quota probe, a token count. Answered trivially. */
  side: boolean
  /** Milliseconds since the epoch. */
  receivedAt: number
}

/** Plays a scenario. The count of attempts is the only thing it remembers. */
export class ScenarioPlayer {
  private readonly scenario: Scenario
  private readonly asked = new Map<number, number>()

  constructor(scenario: Scenario) {
    this.scenario = scenario
  }

  replyTo(request: ModelRequest): Reply {
    const reply = this.stepFor(request)
    return !request.stream && reply.unstreamed ? reply.unstreamed : reply
  }

  private stepFor(request: ModelRequest): Reply {
    if (typeof this.scenario === 'function') return this.scenario(request, request.answersHeld)
    const index = this.scenario.length === 0 ? 0 : request.answersHeld % this.scenario.length
    const step = this.scenario[index]
    if (step === undefined) return { text: 'ok' }
    if (!('attempts' in step)) return step
    const attempt = this.asked.get(index) ?? 0
    this.asked.set(index, attempt + 1)
    return step.attempts[attempt] ?? step.attempts.at(-1) ?? {}
  }
}
