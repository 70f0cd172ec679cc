import type { InteractionPayload } from '../../protocol/events.ts'
import { asArray, asObject, asString, type JsonObject } from '../../protocol/narrow.ts'

type Interaction = Omit<InteractionPayload, 'type'>

/**
 * Reads an `interaction_query` record. In every recording the CLI answers its own query within a millisecond, so both halves
 * are news, not a question to us: `by` is 'cli'.
 *
 * @param asked the request that a response belongs to, where it was seen
 */
export function readInteraction(record: JsonObject, asked: Interaction | undefined): Interaction | undefined {
  const queryType = asString(record.query_type)
  if (queryType === undefined) return undefined
  if (record.subtype === 'request') return readRequest(queryType, asObject(record.query) ?? {})
  if (record.subtype !== 'response') return undefined
  const response = asObject(record.response) ?? {}
  const decision = decisionOf(response)
  const request = asked ?? readRequest(queryType, { id: response.id })
  return { ...request, phase: 'resolved', by: 'cli', ...(decision !== undefined && { decision }) }
}

/** `query.id` counts from 0 in every run. */
export function interactionId(record: JsonObject): string {
  const id = asObject(record.query)?.id ?? asObject(record.response)?.id
  return `query-${typeof id === 'number' || typeof id === 'string' ? id : 'unnumbered'}`
}

function readRequest(queryType: string, query: JsonObject): Interaction {
  const body = asObject(query[queryType])
  const args = asObject(body?.args)
  const toolId = asString(body?.toolCallId) ?? asString(args?.toolCallId)
  const kind = kindOf(queryType)
  return {
    interactionId: interactionId({ query }),
    phase: 'request',
    kind,
    title: titleOf(kind, queryType, args),
    ...(toolId !== undefined && { toolId }),
  }
}

function kindOf(queryType: string): Interaction['kind'] {
  if (queryType.startsWith('askQuestion')) return 'question'
  if (queryType.startsWith('createPlan')) return 'plan'
  return 'approval'
}

/** `webFetchRequestQuery` becomes `webFetch https://...`. */
function titleOf(kind: Interaction['kind'], queryType: string, args: JsonObject | undefined): string {
  const name = queryType.replace(/(?:Request|Interaction)?Query$/, '')
  if (kind === 'question') {
    return asString(args?.title) || asString(asObject(asArray(args?.questions)[0])?.prompt) || name
  }
  if (kind === 'plan') return asString(args?.name) || name
  const what =
    asString(args?.url) ?? asString(args?.searchTerm) ?? asString(args?.command) ?? asString(args?.path)
  return what === undefined ? name : `${name} ${what}`
}

/** The body of the response is a oneof, sometimes inside `result`. A question that nobody answered was skipped. */
function decisionOf(response: JsonObject): Interaction['decision'] {
  const [key, body] = Object.entries(response).find(([name]) => name.endsWith('Response')) ?? []
  const told = asObject(body)
  const outcome = asObject(told?.result) ?? told
  if (!outcome) return undefined
  if ('approved' in outcome || 'success' in outcome) return 'allow'
  if ('rejected' in outcome) return key?.startsWith('askQuestion') ? 'cancel' : 'deny'
  return undefined
}
