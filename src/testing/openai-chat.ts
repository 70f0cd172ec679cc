import { asArray, asBoolean, asObject, asString, type JsonObject } from '../protocol/narrow.ts'
import {
  type AddressedCall,
  type Answer,
  AnswerCount,
  argumentPieces,
  type Conversation,
  type Frame,
  type ModelApi,
  textOf,
} from './model-api.ts'
import { openaiError } from './openai-error.ts'
import type { OfferedTool, ReplyUsage } from './scenario.ts'

/** OpenAI's Chat Completions API, as pi speaks it. */
export const openaiChat: ModelApi = {
  name: 'openai-chat',
  path: '/v1/chat/completions',
  read,
  stream,
  whole,
  error: openaiError,
}

function read(body: unknown): Conversation {
  const request = asObject(body) ?? {}
  const answers = new AnswerCount()
  const instructions: string[] = []
  const userTexts: string[] = []
  const toolResults: string[] = []
  for (const entry of asArray(request.messages)) {
    const message = asObject(entry)
    const text = textOf(message?.content)
    if (message?.role === 'assistant') {
      answers.model(asString(asObject(asArray(message.tool_calls)[0])?.id))
      continue
    }
    answers.other()
    if (message?.role === 'system' || message?.role === 'developer') instructions.push(text)
    if (message?.role === 'user') userTexts.push(text)
    if (message?.role === 'tool') toolResults.push(text)
  }
  return {
    model: asString(request.model) ?? '',
    stream: asBoolean(request.stream) ?? false,
    tools: asArray(request.tools).map(readTool),
    instructions: instructions.join('\n'),
    userTexts,
    toolResults,
    answersHeld: answers.count,
    side: false,
  }
}

function readTool(entry: unknown): OfferedTool {
  const tool = asObject(entry)
  const declared = asObject(tool?.function)
  return {
    name: asString(declared?.name) ?? '',
    type: asString(tool?.type) ?? 'function',
    schema: asObject(declared?.parameters),
  }
}

function* stream(answer: Answer, body: unknown): Generator<Frame> {
  yield chunk(answer, { role: 'assistant', content: '' })
  for (const reasoning_content of answer.thinking) {
    yield { ...chunk(answer, { reasoning_content }), delta: true }
  }
  for (const content of answer.text) yield { ...chunk(answer, { content }), delta: true }
  for (const [index, call] of answer.calls.entries()) {
    yield chunk(answer, { tool_calls: [{ index, ...toolCall(call, '') }] })
    for (const piece of argumentPieces(argumentsOf(call))) {
      yield { ...chunk(answer, { tool_calls: [{ index, function: { arguments: piece } }] }), delta: true }
    }
  }
  yield chunk(answer, {}, finishReason(answer))
  if (asObject(asObject(body)?.stream_options)?.include_usage === true) {
    yield { data: { ...head(answer, 'chat.completion.chunk'), choices: [], usage: usage(answer.usage) } }
  }
  yield { data: '[DONE]' }
}

function whole(answer: Answer): JsonObject {
  const message: JsonObject = { role: 'assistant', content: answer.text.join('') }
  if (answer.thinking.length > 0) message.reasoning_content = answer.thinking.join('')
  if (answer.calls.length > 0) {
    message.tool_calls = answer.calls.map((call) => toolCall(call, argumentsOf(call)))
  }
  return {
    ...head(answer, 'chat.completion'),
    choices: [{ index: 0, message, finish_reason: finishReason(answer) }],
    usage: usage(answer.usage),
  }
}

function chunk(answer: Answer, delta: JsonObject, finish: string | null = null): Frame {
  const choices = [{ index: 0, delta, finish_reason: finish }]
  return { data: { ...head(answer, 'chat.completion.chunk'), choices } }
}

function head(answer: Answer, object: string): JsonObject {
  return { id: `chatcmpl-a${answer.number}`, object, created: 0, model: answer.model }
}

function toolCall(call: AddressedCall, text: string): JsonObject {
  return { id: call.id, type: 'function', function: { name: call.name, arguments: text } }
}

function argumentsOf(call: AddressedCall): string {
  return typeof call.input === 'string' ? call.input : JSON.stringify(call.input)
}

function finishReason(answer: Answer): string {
  if (answer.stop === 'max_tokens') return 'length'
  if (answer.stop === 'refusal') return 'content_filter'
  return answer.calls.length > 0 ? 'tool_calls' : 'stop'
}

function usage(tokens: ReplyUsage): JsonObject {
  return {
    prompt_tokens: tokens.inputTokens,
    completion_tokens: tokens.outputTokens,
    total_tokens: tokens.inputTokens + tokens.outputTokens,
    prompt_tokens_details: { cached_tokens: tokens.cachedInputTokens ?? 0 },
    completion_tokens_details: { reasoning_tokens: tokens.reasoningTokens ?? 0 },
  }
}
