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

/** OpenAI's Responses API, as codex speaks it. */
export const openaiResponses: ModelApi = {
  name: 'openai-responses',
  path: '/v1/responses',
  read,
  stream: (answer) => numbered(frames(answer)),
  whole: (answer) => response(answer, status(answer), outputItems(answer)),
  error: openaiError,
}

function read(body: unknown): Conversation {
  const request = asObject(body) ?? {}
  const answers = new AnswerCount()
  const instructions = [asString(request.instructions) ?? '']
  const userTexts: string[] = []
  const toolResults: string[] = []
  const tools = asArray(request.tools).flatMap((tool) => readTool(tool))
  const input = typeof request.input === 'string' ? [{ role: 'user', content: request.input }] : request.input
  for (const entry of asArray(input)) {
    const item = asObject(entry) ?? {}
    const type = asString(item.type) ?? 'message'
    if (type === 'additional_tools') {
      tools.push(...asArray(item.tools).flatMap((tool) => readTool(tool)))
      continue
    }
    if (type === 'message' ? item.role === 'assistant' : !type.endsWith('_output')) {
      answers.model(asString(item.call_id))
      continue
    }
    answers.other()
    if (type !== 'message') toolResults.push(textOf(item.output))
    else if (item.role === 'user') userTexts.push(textOf(item.content))
    else instructions.push(textOf(item.content))
  }
  return {
    model: asString(request.model) ?? '',
    stream: asBoolean(request.stream) ?? false,
    tools,
    instructions: instructions.join('\n'),
    userTexts,
    toolResults,
    answersHeld: answers.count,
    side: false,
  }
}

/** Built-in tools have a type and no name. codex puts an MCP server's tools into a namespace, its newest models' (gpt-6-sol) too. */
function readTool(entry: unknown, namespace?: string): OfferedTool[] {
  const tool = asObject(entry)
  const type = asString(tool?.type) ?? 'function'
  if (type === 'namespace') {
    return asArray(tool?.tools).flatMap((inner) => readTool(inner, asString(tool?.name)))
  }
  const offered = { name: asString(tool?.name) ?? type, type, schema: asObject(tool?.parameters) }
  return [namespace === undefined ? offered : { ...offered, namespace }]
}

function* numbered(all: Iterable<Frame>): Generator<Frame> {
  let sequence_number = 0
  for (const each of all) {
    yield each.data === '[DONE]' ? each : { ...each, data: { ...each.data, sequence_number } }
    sequence_number++
  }
}

function* frames(answer: Answer): Generator<Frame> {
  yield frame('response.created', { response: response(answer, 'in_progress', []) })
  yield frame('response.in_progress', { response: response(answer, 'in_progress', []) })
  let output_index = 0
  if (answer.thinking.length > 0) yield* reasoningFrames(answer, output_index++)
  if (answer.text.length > 0) yield* messageFrames(answer, output_index++)
  for (const call of answer.calls) yield* callFrames(call, output_index++)
  const last = status(answer)
  yield frame(`response.${last}`, { response: response(answer, last, outputItems(answer)) })
}

function* reasoningFrames(answer: Answer, output_index: number): Generator<Frame> {
  const at = { item_id: reasoningId(answer), output_index, summary_index: 0 }
  const text = answer.thinking.join('')
  yield frame('response.output_item.added', { output_index, item: reasoningItem(answer, []) })
  yield frame('response.reasoning_summary_part.added', { ...at, part: { type: 'summary_text', text: '' } })
  for (const delta of answer.thinking) {
    yield { ...frame('response.reasoning_summary_text.delta', { ...at, delta }), delta: true }
  }
  yield frame('response.reasoning_summary_text.done', { ...at, text })
  yield frame('response.reasoning_summary_part.done', { ...at, part: { type: 'summary_text', text } })
  yield frame('response.output_item.done', {
    output_index,
    item: reasoningItem(answer, [{ type: 'summary_text', text }]),
  })
}

function* messageFrames(answer: Answer, output_index: number): Generator<Frame> {
  const at = { item_id: messageId(answer), output_index, content_index: 0 }
  const word = answer.stop === 'refusal' ? 'refusal' : 'output_text'
  const text = answer.text.join('')
  yield frame('response.output_item.added', { output_index, item: messageItem(answer, 'in_progress', []) })
  yield frame('response.content_part.added', { ...at, part: contentPart(answer, '') })
  for (const delta of answer.text) yield { ...frame(`response.${word}.delta`, { ...at, delta }), delta: true }
  yield frame(`response.${word}.done`, { ...at, [word === 'refusal' ? 'refusal' : 'text']: text })
  yield frame('response.content_part.done', { ...at, part: contentPart(answer, text) })
  yield frame('response.output_item.done', {
    output_index,
    item: messageItem(answer, 'completed', [contentPart(answer, text)]),
  })
}

function* callFrames(call: AddressedCall, output_index: number): Generator<Frame> {
  const item = callItem(call)
  const field = call.type === 'custom' ? 'input' : 'arguments'
  const event =
    call.type === 'custom' ? 'response.custom_tool_call_input' : 'response.function_call_arguments'
  const text = asString(item[field])
  if (text === undefined) {
    yield frame('response.output_item.added', { output_index, item: { ...item, status: 'in_progress' } })
  } else {
    const at = { item_id: item.id, output_index }
    yield frame('response.output_item.added', {
      output_index,
      item: { ...item, status: 'in_progress', [field]: '' },
    })
    for (const delta of argumentPieces(text)) {
      yield { ...frame(`${event}.delta`, { ...at, delta }), delta: true }
    }
    yield frame(`${event}.done`, { ...at, [field]: text })
  }
  yield frame('response.output_item.done', { output_index, item })
}

function outputItems(answer: Answer): JsonObject[] {
  const items: JsonObject[] = []
  if (answer.thinking.length > 0) {
    items.push(reasoningItem(answer, [{ type: 'summary_text', text: answer.thinking.join('') }]))
  }
  if (answer.text.length > 0) {
    items.push(messageItem(answer, 'completed', [contentPart(answer, answer.text.join(''))]))
  }
  return [...items, ...answer.calls.map(callItem)]
}

function reasoningItem(answer: Answer, summary: JsonObject[]): JsonObject {
  return { id: reasoningId(answer), type: 'reasoning', summary, encrypted_content: null }
}

function messageItem(answer: Answer, state: string, content: JsonObject[]): JsonObject {
  return { id: messageId(answer), type: 'message', role: 'assistant', status: state, content }
}

function contentPart(answer: Answer, text: string): JsonObject {
  if (answer.stop === 'refusal') return { type: 'refusal', refusal: text }
  return { type: 'output_text', text, annotations: [] }
}

function callItem(call: AddressedCall): JsonObject {
  const head = { id: `fc_${call.id}`, call_id: call.id, status: 'completed' }
  if (call.type === 'local_shell') {
    const input = typeof call.input === 'string' ? {} : call.input
    return { ...head, type: 'local_shell_call', action: { type: 'exec', env: {}, ...input } }
  }
  const text = typeof call.input === 'string' ? call.input : JSON.stringify(call.input)
  if (call.type === 'custom') return { ...head, type: 'custom_tool_call', name: call.name, input: text }
  const namespace = call.namespace === undefined ? {} : { namespace: call.namespace }
  return { ...head, type: 'function_call', name: call.name, ...namespace, arguments: text }
}

function response(answer: Answer, state: string, output: JsonObject[]): JsonObject {
  return {
    id: `resp_a${answer.number}`,
    object: 'response',
    created_at: 0,
    status: state,
    model: answer.model,
    output,
    error: null,
    incomplete_details: state === 'incomplete' ? { reason: 'max_output_tokens' } : null,
    usage: state === 'in_progress' ? null : usage(answer.usage),
  }
}

function status(answer: Answer): 'completed' | 'incomplete' {
  return answer.stop === 'max_tokens' ? 'incomplete' : 'completed'
}

function usage(tokens: ReplyUsage): JsonObject {
  return {
    input_tokens: tokens.inputTokens,
    input_tokens_details: { cached_tokens: tokens.cachedInputTokens ?? 0 },
    output_tokens: tokens.outputTokens,
    output_tokens_details: { reasoning_tokens: tokens.reasoningTokens ?? 0 },
    total_tokens: tokens.inputTokens + tokens.outputTokens,
  }
}

const reasoningId = (answer: Answer) => `rs_a${answer.number}`
const messageId = (answer: Answer) => `msg_a${answer.number}`

function frame(event: string, fields: JsonObject): Frame {
  return { event, data: { type: event, ...fields } }
}
