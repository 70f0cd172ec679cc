import { toJson } from '../../protocol/depth.ts'
import type { InteractionOption, InteractionPayload } from '../../protocol/events.ts'
import { asArray, asObject, asString, type JsonObject } from '../../protocol/narrow.ts'
import type { WireDecision } from '../../protocol/wire.ts'
import { formContent, questionSchema } from './live-forms.ts'

/** What is sent for a decision, and what else it takes. */
export interface Reply {
  result: object
  decision: WireDecision['decision']
  /** The decision cancels, and the answer alone does not stop the turn. */
  stops?: boolean
  /** For the model, which the answer has no place for. */
  message?: string | undefined
  /** The decision asked for what codex cannot do. */
  unsupported?: string
}

/** A request of codex's, in terms of an interaction. */
export interface Question extends Pick<InteractionPayload, 'kind' | 'title' | 'options' | 'schema'> {
  /** The item that it is about. */
  itemId?: string | undefined
  reply(decision: WireDecision): Reply
}

/** What the items of the turn tell of those that a request is about. */
export interface ItemLookup {
  /** The files that an `apply_patch` changes. */
  pathsOf(itemId: string | undefined): readonly string[]
  /** The call of a tool of that MCP server that runs: an elicitation does not name it. */
  callOf(server: string | undefined, tool: string | undefined): string | undefined
}

export const nothingKnown: ItemLookup = { pathsOf: () => [], callOf: () => undefined }

/** undefined: not a request that a person could answer. */
export function readQuestion(method: string, params: JsonObject, items: ItemLookup): Question | undefined {
  switch (method) {
    case 'item/commandExecution/requestApproval':
      return commandQuestion(params)
    case 'item/fileChange/requestApproval':
      return changeQuestion(params, items.pathsOf(asString(params.itemId)))
    case 'item/permissions/requestApproval':
      return permissionQuestion(params)
    case 'item/tool/requestUserInput':
      return userQuestion(params)
    case 'mcpServer/elicitation/request':
      return elicitation(params, items)
    default:
      return undefined
  }
}

/** One way to answer an approval: what the consumer sees, and the word that codex wants. */
interface Choice extends InteractionOption {
  answer: unknown
}

function choice(
  kind: InteractionOption['kind'],
  optionId: string,
  name: string,
  answer: unknown = optionId,
): Choice {
  return { optionId, name, kind, answer }
}

const always: readonly Choice[] = [
  choice('allow_once', 'accept', 'Allow'),
  choice('allow_always', 'acceptForSession', 'Allow for this session'),
]
/** codex takes it also where it does not list it (0.113.0, 0.171.0). */
const decline = choice('reject_once', 'decline', 'Deny')
const cancel = choice('reject_once', 'cancel', 'Deny and stop')

function commandQuestion(params: JsonObject): Question {
  const listed = params.availableDecisions === undefined ? always : asArray(params.availableDecisions)
  return approval(commandTitle(params), params, listed.flatMap(readChoice))
}

function commandTitle(params: JsonObject): string {
  const reason = withReason(params)
  const host = asString(asObject(params.networkApprovalContext)?.host)
  if (host !== undefined) return `Allow network access to ${host}?${reason}`
  const parsed = asArray(params.commandActions).flatMap((action) => asString(asObject(action)?.command) ?? [])
  const command = parsed.length > 0 ? parsed.join(' && ') : asString(params.command)
  if (params.kind === 'writeStdin') return `Type into the running command? ${command ?? ''}${reason}`.trim()
  return `Run this command? ${command ?? ''}${reason}`.trim()
}

function withReason(params: JsonObject): string {
  const reason = asString(params.reason)
  return reason ? ` (${reason})` : ''
}

/** A word, or an object with the word as its key and what it amends as its value. */
function readChoice(listed: unknown): Choice[] {
  if (isChoice(listed)) return [listed]
  const word = asString(listed)
  if (word !== undefined) return [always, decline, cancel].flat().filter(({ optionId }) => optionId === word)
  const [key, value] = Object.entries(asObject(listed) ?? {})[0] ?? []
  if (key === 'acceptWithExecpolicyAmendment') {
    const command = asArray(asObject(value)?.execpolicy_amendment).join(' ')
    return [choice('allow_always', key, `Always allow ${command}`, listed)]
  }
  if (key === 'applyNetworkPolicyAmendment') {
    const amendment = asObject(asObject(value)?.network_policy_amendment)
    const allows = amendment?.action === 'allow'
    const name = `Always ${allows ? 'allow' : 'deny'} ${asString(amendment?.host) ?? 'this host'}`
    return [
      choice(
        allows ? 'allow_always' : 'reject_always',
        `${key}:${asString(amendment?.action) ?? ''}`,
        name,
        listed,
      ),
    ]
  }
  return []
}

function isChoice(value: unknown): value is Choice {
  return asObject(value)?.answer !== undefined
}

function changeQuestion(params: JsonObject, paths: readonly string[]): Question {
  const root = asString(params.grantRoot)
  const what = paths.length > 0 ? ` ${paths.join(', ')}` : ''
  const where = root === undefined ? '' : ` Writing below ${root} would be allowed from then on.`
  return approval(`Apply these changes?${what}${withReason(params)}${where}`, params, [...always])
}

function approval(title: string, params: JsonObject, listed: readonly Choice[]): Question {
  const choices = [
    ...listed.filter(({ answer }) => answer !== 'decline' && answer !== 'cancel'),
    decline,
    cancel,
  ]
  return {
    kind: 'approval',
    title,
    itemId: asString(params.itemId),
    options: choices.map(({ optionId, name, kind }) => ({ optionId, name, kind })),
    reply(decision) {
      if (decision.updatedInput !== undefined) {
        const unsupported = 'codex cannot run something else than it asked for: it was denied.'
        return { result: { decision: 'decline' }, decision: 'deny', message: decision.message, unsupported }
      }
      const chosen = chosenOf(choices, decision)
      if (decision.decision === 'allow') {
        return { result: { decision: chosen?.answer ?? 'accept' }, decision: 'allow' }
      }
      if (decision.decision === 'cancel') return { result: { decision: 'cancel' }, decision: 'cancel' }
      return {
        result: { decision: chosen?.answer ?? 'decline' },
        decision: 'deny',
        message: decision.message,
      }
    },
  }
}

/** The decision's `optionId` takes one of several ways to say the same word. */
function chosenOf<Option extends InteractionOption>(
  options: readonly Option[],
  { decision, optionId: wanted }: WireDecision,
): Option | undefined {
  const allows = decision === 'allow'
  return options.find(({ optionId, kind }) => optionId === wanted && kind.startsWith('allow') === allows)
}

const permissionOptions: readonly InteractionOption[] = [
  { optionId: 'turn', name: 'Allow for this turn', kind: 'allow_once' },
  { optionId: 'session', name: 'Allow for this session', kind: 'allow_always' },
  { optionId: 'decline', name: 'Deny', kind: 'reject_once' },
]

function permissionQuestion(params: JsonObject): Question {
  const wanted = Object.entries(asObject(params.permissions) ?? {}).filter(([, value]) => value !== null)
  const what = wanted.map(([name, value]) => `${name}: ${toJson(value)}`).join(', ')
  return {
    kind: 'approval',
    title: `Grant these permissions? ${what}${withReason(params)}`,
    itemId: asString(params.itemId),
    options: [...permissionOptions],
    reply(decision) {
      const scope = chosenOf(permissionOptions, decision)?.optionId === 'session' ? 'session' : 'turn'
      const granted = decision.decision === 'allow' ? Object.fromEntries(wanted) : {}
      return {
        result: { permissions: granted, scope },
        decision: decision.decision,
        stops: decision.decision === 'cancel',
        message: decision.message,
      }
    },
  }
}

function userQuestion(params: JsonObject): Question {
  const questions = asArray(params.questions).flatMap((value): JsonObject[] => {
    const question = asObject(value)
    return question ? [question] : []
  })
  return {
    kind: 'question',
    title:
      questions.map((question) => asString(question.question) ?? '').join(' ') || 'codex asks something.',
    itemId: asString(params.itemId),
    schema: questionSchema(questions),
    reply(decision) {
      const given = decision.decision === 'allow' ? Object.entries(decision.answers ?? {}) : []
      const answers = given.map(([id, answer]) => [id, { answers: [answer].flat() }])
      return {
        result: { answers: Object.fromEntries(answers) },
        decision: decision.decision,
        stops: decision.decision === 'cancel',
        message: decision.message,
      }
    },
  }
}

const actions = { allow: 'accept', deny: 'decline', cancel: 'cancel' } as const

/** What an MCP server asks of a person; and whether one of its tools may run, which comes in the same form. */
function elicitation(params: JsonObject, items: ItemLookup): Question {
  const asks = asObject(params._meta)
  const isApproval = asString(asks?.codex_approval_kind) !== undefined
  const schema = asObject(params.requestedSchema)
  const persists = asArray(asks?.persist).includes('session')
  const options: InteractionOption[] = [
    { optionId: 'accept', name: 'Allow', kind: 'allow_once' },
    ...(persists
      ? [{ optionId: 'session', name: 'Allow for this session', kind: 'allow_always' } as const]
      : []),
    { optionId: 'decline', name: 'Deny', kind: 'reject_once' },
  ]
  const url = asString(params.url)
  const title =
    asString(params.message) || `${asString(params.serverName) ?? 'An MCP server'} asks something.`
  return {
    kind: isApproval ? 'approval' : 'form',
    itemId: items.callOf(asString(params.serverName), asString(asks?.tool_name)),
    title: url === undefined ? title : `${title} ${url}`,
    ...(isApproval || !schema ? { options } : { schema }),
    reply(decision) {
      const allows = decision.decision === 'allow'
      const persist = allows && chosenOf(options, decision)?.kind === 'allow_always' ? 'session' : undefined
      return {
        result: {
          action: actions[decision.decision],
          content: allows && !isApproval && schema ? formContent(schema, decision) : null,
          _meta: persist === undefined ? null : { persist },
        },
        decision: decision.decision,
        stops: decision.decision === 'cancel',
        message: decision.message,
      }
    },
  }
}
