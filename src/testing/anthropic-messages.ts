import { asArray, asBoolean, asNumber, asObject, asString, type JsonObject } from '../protocol/narrow.ts'
import {
  type Answer,
  AnswerCount,
  argumentPieces,
  type Conversation,
  type Frame,
  type ModelApi,
} from './model-api.ts'
import type { OfferedTool, ReplyUsage } from './scenario.ts'

/** Anthropic's Messages API, as claude speaks it. */
export const anthropicMessages: ModelApi = {
  name: 'anthropic',
  path: '/v1/messages',
  read,
  stream,
  whole,
  error: (status, message) => ({
    type: 'error',
    error: { type: errorTypes[status] ?? 'api_error', message },
    request_id: 'req_loopback',
  }),
}

const errorTypes: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  500: 'api_error',
  529: 'overloaded_error',
}

function read(body: unknown): Conversation {
  const request = asObject(body) ?? {}
  const answers = new AnswerCount()
  const userTexts: string[] = []
  const toolResults: string[] = []
  for (const entry of asArray(request.messages)) {
    const message = asObject(entry)
    const blocks = asBlocks(message?.content)
    if (message?.role === 'assistant') {
      answers.model(blocks.map((block) => asString(block.id)).find((id) => id !== undefined))
      continue
    }
    answers.other()
    for (const block of blocks) {
      if (block.type === 'text') userTexts.push(asString(block.text) ?? '')
      if (block.type === 'tool_result') toolResults.push(textOf(block.content))
    }
  }
  const instructions = textOf(request.system)
  return {
    model: asString(request.model) ?? '',
    stream: asBoolean(request.stream) ?? false,
    tools: asArray(request.tools).map(readTool),
    instructions,
    userTexts,
    toolResults,
    answersHeld: answers.count,
    side: isSide(request, instructions, userTexts),
  }
}

/** claude probes its quota with one token, warms its sub-agents up, and asks for a title, a topic, a path, or the files of the project's git history. */
function isSide(request: JsonObject, instructions: string, userTexts: readonly string[]): boolean {
  if ((asNumber(request.max_tokens) ?? Number.POSITIVE_INFINITY) <= 1) return true
  if (asArray(request.tools).length > 0) return false
  return userTexts[0] === 'Warmup' || sideInstructions.test(instructions)
}

const sideInstructions =
  /\btitle\b.*(session|conversation|coding)|new conversation topic|process Bash commands|Extract any file paths|summarize this coding|analyzing git history/is

function readTool(entry: unknown): OfferedTool {
  const tool = asObject(entry)
  return {
    name: asString(tool?.name) ?? '',
    type: asString(tool?.type) ?? 'function',
    schema: asObject(tool?.input_schema),
  }
}

function asBlocks(content: unknown): JsonObject[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  return asArray(content)
    .map(asObject)
    .filter((block) => block !== undefined)
}

function textOf(content: unknown): string {
  return asBlocks(content)
    .map((block) => asString(block.text) ?? '')
    .join('\n')
}

function* stream(answer: Answer): Generator<Frame> {
  const blank = { ...head(answer), content: [], stop_reason: null, usage: usage(answer.usage, 1) }
  yield frame('message_start', { message: blank })
  yield frame('ping', {})
  let index = 0
  if (answer.thinking.length > 0) {
    yield start(index, { type: 'thinking', thinking: '', signature: '' })
    for (const thinking of answer.thinking) yield delta(index, { type: 'thinking_delta', thinking })
    yield frame('content_block_delta', { index, delta: { type: 'signature_delta', signature } })
    yield frame('content_block_stop', { index: index++ })
  }
  if (answer.text.length > 0) {
    yield start(index, { type: 'text', text: '' })
    for (const text of answer.text) yield delta(index, { type: 'text_delta', text })
    yield frame('content_block_stop', { index: index++ })
  }
  for (const call of answer.calls) {
    yield start(index, { type: 'tool_use', id: call.id, name: call.name, input: {} })
    for (const piece of argumentPieces(JSON.stringify(call.input))) {
      yield delta(index, { type: 'input_json_delta', partial_json: piece })
    }
    yield frame('content_block_stop', { index: index++ })
  }
  yield frame('message_delta', {
    delta: { stop_reason: stopReason(answer), stop_sequence: null },
    usage: usage(answer.usage, answer.usage.outputTokens),
  })
  yield frame('message_stop', {})
}

/** Not a real one: only the provider checks it. */
const signature = 'bG9vcGJhY2s='

function whole(answer: Answer): JsonObject {
  const content: JsonObject[] = []
  if (answer.thinking.length > 0)
    content.push({ type: 'thinking', thinking: answer.thinking.join(''), signature })
  if (answer.text.length > 0) content.push({ type: 'text', text: answer.text.join('') })
  for (const call of answer.calls) {
    content.push({ type: 'tool_use', id: call.id, name: call.name, input: call.input })
  }
  return {
    ...head(answer),
    content,
    stop_reason: stopReason(answer),
    usage: usage(answer.usage, answer.usage.outputTokens),
  }
}

function head(answer: Answer): JsonObject {
  return {
    id: `msg_a${answer.number}`,
    type: 'message',
    role: 'assistant',
    model: answer.model,
    stop_sequence: null,
  }
}

function stopReason(answer: Answer): string {
  if (answer.stop !== 'end') return answer.stop
  return answer.calls.length > 0 ? 'tool_use' : 'end_turn'
}

function usage(tokens: ReplyUsage, outputTokens: number): JsonObject {
  const cached = tokens.cachedInputTokens ?? 0
  const written = tokens.cacheWriteTokens ?? 0
  return {
    input_tokens: tokens.inputTokens - cached - written,
    cache_creation_input_tokens: written,
    cache_read_input_tokens: cached,
    output_tokens: outputTokens,
  }
}

function frame(event: string, fields: JsonObject): Frame {
  return { event, data: { type: event, ...fields } }
}

function start(index: number, block: JsonObject): Frame {
  return frame('content_block_start', { index, content_block: block })
}

function delta(index: number, fields: JsonObject): Frame {
  return { ...frame('content_block_delta', { index, delta: fields }), delta: true }
}
