import type { InteractionPayload } from '../../protocol/events.ts'
import { formAnswers } from '../../protocol/form-answers.ts'
import { asObject, asString, asWord, type JsonObject } from '../../protocol/narrow.ts'
import type { Transcript } from '../../protocol/transcript.ts'
import type { WireDecision } from '../../protocol/wire.ts'
import type { ClaudeControl } from './control.ts'
import { permissionOptions, permissionResponse, permissionTitle, planOptions } from './permissions.ts'
import { questionSchema, questionTitle } from './questions.ts'

type Asked = Pick<InteractionPayload, 'kind' | 'title' | 'toolId' | 'options' | 'schema'>

/** The turn that something is asked in. */
export interface AskingTurn {
  readonly transcript: Transcript
  /** This call will not run, whatever words its result finds for that. */
  denied(toolId: string): void
}

interface OpenInteraction {
  requestId: unknown
  asked: Asked
  respond(decision: WireDecision): JsonObject
}

const unattended = 'Nobody is there to answer. Go on without it.'

/** What claude asks a person, until it is answered, withdrawn, or its turn is over. */
export class ClaudeInteractions {
  readonly #control: ClaudeControl
  readonly #open = new Map<string, OpenInteraction>()

  constructor(control: ClaudeControl) {
    this.#control = control
  }

  /** @returns whether it is something that a person can answer */
  static isOne(request: JsonObject): boolean {
    return request.subtype === 'can_use_tool' || request.subtype === 'elicitation'
  }

  /** @param waits false: it is answered at once, with what is safe */
  ask(requestId: unknown, request: JsonObject, turn: AskingTurn, waits: boolean): void {
    const interactionId = asWord(requestId)
    const interaction = interactionOf(requestId, request)
    this.#open.set(interactionId, interaction)
    turn.transcript.interaction({ interactionId, phase: 'request', ...interaction.asked })
    if (waits) return
    this.answer(interactionId, { decision: 'deny', message: unattended }, 'default', turn)
  }

  /** Where no turn is open that could say so. */
  refuse(requestId: unknown, request: JsonObject): void {
    const interaction = interactionOf(requestId, request)
    this.#control.reply(requestId, interaction.respond({ decision: 'deny', message: unattended }))
  }

  /** A late answer, or one to what nobody asked, does nothing. */
  answer(
    interactionId: string,
    decision: WireDecision,
    by: 'host' | 'callback' | 'default',
    turn: AskingTurn,
  ): void {
    const interaction = this.#open.get(interactionId)
    if (!interaction) return
    this.#control.reply(interaction.requestId, interaction.respond(decision))
    this.#resolve(interactionId, interaction, decision.decision, by, turn)
  }

  /** claude says an answer back to those who watch (`--replay-user-messages`): how a recording tells what was decided. */
  heard(response: JsonObject | undefined, turn: AskingTurn): void {
    const interactionId = asWord(response?.request_id)
    const interaction = this.#open.get(interactionId)
    if (!interaction) return
    const said = asObject(response?.response)
    const isAllowed = said?.behavior === 'allow' || said?.action === 'accept'
    const decision = isAllowed ? 'allow' : said?.interrupt === true ? 'cancel' : 'deny'
    this.#resolve(interactionId, interaction, decision, 'host', turn)
  }

  /** claude asks no more. */
  withdraw(requestId: unknown, turn: AskingTurn): void {
    const interactionId = asWord(requestId)
    const interaction = this.#open.get(interactionId)
    if (interaction) this.#resolve(interactionId, interaction, 'cancel', 'cli', turn)
  }

  /** The turn is over, so nothing can be answered any more. */
  settle(turn: AskingTurn): void {
    for (const interactionId of [...this.#open.keys()]) this.withdraw(interactionId, turn)
  }

  #resolve(
    interactionId: string,
    { asked }: OpenInteraction,
    decision: 'allow' | 'deny' | 'cancel',
    by: NonNullable<InteractionPayload['by']>,
    turn: AskingTurn,
  ): void {
    this.#open.delete(interactionId)
    const { kind, title, toolId } = asked
    if (decision !== 'allow' && by !== 'cli' && toolId !== undefined) turn.denied(toolId)
    turn.transcript.interaction({
      interactionId,
      phase: 'resolved',
      kind,
      title,
      ...(toolId !== undefined && { toolId }),
      decision,
      by,
    })
  }
}

function interactionOf(requestId: unknown, request: JsonObject): OpenInteraction {
  if (request.subtype === 'elicitation') {
    const asked = elicitation(request)
    return { requestId, asked, respond: (decision) => elicitationResponse(asObject(asked.schema), decision) }
  }
  return {
    requestId,
    asked: permission(request),
    respond: (decision) => permissionResponse(request, decision),
  }
}

function permission(request: JsonObject): Asked {
  const input = asObject(request.input) ?? {}
  const toolId = asString(request.tool_use_id)
  const about = toolId === undefined ? {} : { toolId }
  if (request.tool_name === 'AskUserQuestion') {
    const title = questionTitle(input) || 'claude has a question.'
    return { kind: 'question', title, ...about, schema: questionSchema(input) }
  }
  if (request.tool_name === 'ExitPlanMode') {
    return { kind: 'plan', title: 'Carry out the plan?', ...about, options: planOptions }
  }
  return {
    kind: 'approval',
    title: permissionTitle(request),
    ...about,
    options: permissionOptions(request),
  }
}

/** A form of an MCP server's; of mode 'url' a page that a person has to visit first. */
function elicitation(request: JsonObject): Asked {
  const server = asString(request.mcp_server_name) ?? 'An MCP server'
  const message = asString(request.message) ?? 'asks for something.'
  const url = asString(request.url)
  const schema = asObject(request.requested_schema)
  return {
    kind: 'form',
    title: `${server}: ${message}${url === undefined ? '' : ` (${url})`}`,
    ...(schema !== undefined && { schema }),
  }
}

function elicitationResponse(schema: JsonObject | undefined, said: WireDecision): JsonObject {
  const { decision, answers = {}, updatedInput } = said
  if (decision !== 'allow') return { action: decision === 'deny' ? 'decline' : 'cancel' }
  return { action: 'accept', content: asObject(updatedInput) ?? formAnswers(answers, schema ?? {}) }
}
