import type { InteractionPayload } from '../../protocol/events.ts'
import type { RequestId } from '../../protocol/json-rpc.ts'
import type { WireDecision } from '../../protocol/wire.ts'
import type { AcpConnection } from './connection.ts'
import type { AcpQuestion } from './dialect.ts'
import type { AcpTurn } from './turn.ts'

type By = NonNullable<InteractionPayload['by']>

interface OpenInteraction {
  interactionId: string
  requestId: RequestId
  question: AcpQuestion
}

/** What the agent asks a person, until it is answered, withdrawn, or its turn is over. */
export class AcpInteractions {
  readonly #connection: AcpConnection
  #open: OpenInteraction[] = []
  #count = 0

  constructor(connection: AcpConnection) {
    this.#connection = connection
  }

  /** @param atOnce the answer, where nobody is asked */
  ask(
    requestId: RequestId,
    question: AcpQuestion,
    turn: AcpTurn | undefined,
    atOnce: WireDecision | undefined,
  ): void {
    if (!turn) {
      this.#connection.reply(requestId, question.answer({ decision: 'cancel' }).result)
      return
    }
    if (question.toolCall) turn.tools.ask(question.toolCall)
    // The agent's own ids come again in its next process, and may be 0.
    const interactionId = `interaction-${++this.#count}`
    this.#open.push({ interactionId, requestId, question })
    turn.transcript.interaction({ interactionId, phase: 'request', ...question.asked })
    if (atOnce) this.answer(interactionId, atOnce, 'default', turn)
  }

  /** @returns whether anybody waited for it: a late answer, or one to what nobody asked, does nothing */
  answer(interactionId: string, decision: WireDecision, by: By, turn: AcpTurn): boolean {
    const interaction = this.#open.find((each) => each.interactionId === interactionId)
    if (interaction) this.#resolve(interaction, decision, by, turn)
    return interaction !== undefined
  }

  /** The agent asks no more. */
  withdraw(requestId: unknown, turn: AcpTurn): void {
    const interaction = this.#open.find((each) => each.requestId === requestId)
    if (interaction) this.#resolve(interaction, { decision: 'cancel' }, 'cli', turn)
  }

  /** Nothing can be answered any more. */
  settle(by: By, turn: AcpTurn): void {
    for (const interaction of this.#open) this.#resolve(interaction, { decision: 'cancel' }, by, turn)
  }

  #resolve(interaction: OpenInteraction, said: WireDecision, by: By, { tools, transcript }: AcpTurn): void {
    const { interactionId, requestId, question } = interaction
    this.#open = this.#open.filter((each) => each !== interaction)
    const { result, decision, lost } = question.answer(said)
    this.#connection.reply(requestId, result)
    const { kind, title, toolId } = question.asked
    const about = toolId === undefined ? {} : { toolId }
    if (decision !== 'allow' && by !== 'cli' && toolId !== undefined) tools.deny(toolId)
    transcript.interaction({ interactionId, phase: 'resolved', kind, title, ...about, decision, by })
    if (lost !== undefined) transcript.notice('warning', 'decision_reduced', lost)
  }
}
