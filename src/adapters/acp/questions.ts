import type { InteractionOption } from '../../protocol/events.ts'
import { type Answers, formAnswers } from '../../protocol/form-answers.ts'
import { asArray, asObject, asString, asWord, type JsonObject, lookUp } from '../../protocol/narrow.ts'
import type { WireDecision } from '../../protocol/wire.ts'
import type { AcpQuestion, AcpReply } from './dialect.ts'

const optionKinds: Readonly<Record<InteractionOption['kind'], InteractionOption['kind']>> = {
  allow_once: 'allow_once',
  allow_always: 'allow_always',
  reject_once: 'reject_once',
  reject_always: 'reject_always',
}

/** What ACP itself lets an agent ask a person, by method. */
export const acpQuestions: Readonly<Record<string, (params: JsonObject) => AcpQuestion>> = {
  'session/request_permission': permission,
  'elicitation/create': elicitation,
}

function permission(params: JsonObject): AcpQuestion {
  const toolCall = asObject(params.toolCall) ?? {}
  const toolId = asString(toolCall.toolCallId)
  const options = asArray(params.options).flatMap(optionOf)
  const isPlan = toolCall.kind === 'switch_mode'
  return {
    asked: {
      kind: isPlan ? 'plan' : 'approval',
      title: asString(toolCall.title) || asString(toolCall.name) || 'The agent asks for permission.',
      ...(toolId !== undefined && { toolId }),
      options,
    },
    toolCall,
    answer: (decision) => permissionReply(options, decision),
  }
}

function permissionReply(options: readonly InteractionOption[], said: WireDecision): AcpReply {
  const cancelled = { outcome: { outcome: 'cancelled' } }
  if (said.decision === 'cancel') return { result: cancelled, decision: 'cancel' }
  const lost = lostOf(said)
  // To let a call run with another input than was approved would be worse than not to let it run.
  const isAllowed = said.decision === 'allow' && said.updatedInput === undefined
  const wanted = isAllowed ? ['allow_once', 'allow_always'] : ['reject_once', 'reject_always']
  const option = chosen(options, said.optionId, wanted) ?? first(options, wanted)
  const decision = isAllowed && option ? 'allow' : 'deny'
  const refusal = option ?? first(options, ['reject_once', 'reject_always'])
  const result = refusal ? { outcome: { outcome: 'selected', optionId: refusal.optionId } } : cancelled
  return { result, decision, ...(lost !== undefined && { lost }) }
}

function lostOf({ decision, updatedInput, message }: WireDecision): string | undefined {
  if (decision === 'allow' && updatedInput !== undefined) {
    return 'ACP cannot change the input of a tool call, so the call was denied.'
  }
  return decision === 'deny' && message ? 'ACP has no place for the reason of a denial.' : undefined
}

function chosen(options: readonly InteractionOption[], optionId: string | undefined, kinds: string[]) {
  return options.find((option) => option.optionId === optionId && kinds.includes(option.kind))
}

function first(options: readonly InteractionOption[], kinds: string[]) {
  return kinds.flatMap((kind) => options.find((option) => option.kind === kind) ?? [])[0]
}

function optionOf(value: unknown): InteractionOption[] {
  const option = asObject(value)
  const optionId = asString(option?.optionId)
  const kind = lookUp(optionKinds, asString(option?.kind))
  if (optionId === undefined || kind === undefined) return []
  return [{ optionId, kind, name: asString(option?.name) ?? optionId }]
}

/** A form: of an MCP server's, or a question of the agent's own. */
function elicitation(params: JsonObject): AcpQuestion {
  const schema = asObject(params.requestedSchema) ?? { type: 'object', properties: {} }
  const toolId = asString(params.toolCallId)
  const url = params.mode === 'url' ? asString(params.url) : undefined
  const message = asString(params.message) || 'The agent asks for something.'
  return {
    asked: {
      kind: 'form',
      title: url === undefined ? message : `${message} (${url})`,
      ...(toolId !== undefined && { toolId }),
      schema,
    },
    answer: (decision) => elicitationReply(schema, decision),
  }
}

function elicitationReply(schema: JsonObject, { decision, updatedInput, answers }: WireDecision): AcpReply {
  if (decision === 'cancel') return { result: { action: 'cancel' }, decision }
  const content = asObject(updatedInput) ?? answersInShape(answers ?? {}, schema)
  const isWhole = asArray(schema.required).every((name) => Object.hasOwn(content, asWord(name)))
  // Without an answer that fits, nothing was allowed.
  if (decision === 'deny' || !isWhole) return { result: { action: 'decline' }, decision: 'deny' }
  return { result: { action: 'accept', content }, decision }
}

/** Without what the form does not ask. */
function answersInShape(answers: Answers, schema: JsonObject): JsonObject {
  const properties = asObject(schema.properties) ?? {}
  const given = Object.entries(answers).filter(([name]) => Object.hasOwn(properties, name))
  return formAnswers(Object.fromEntries(given), schema)
}
