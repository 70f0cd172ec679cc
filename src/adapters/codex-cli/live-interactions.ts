import type { InteractionPayload } from '../../protocol/events.ts'
import type { RequestId } from '../../protocol/json-rpc.ts'
import type { Transcript } from '../../protocol/transcript.ts'
import type { WireDecision } from '../../protocol/wire.ts'
import type { Question, Reply } from './live-requests.ts'

interface Asked {
  requestId: RequestId
  interactionId: string
  question: Question
  toolId: string | undefined
  parentToolId: string | undefined
}

export interface Answered {
  requestId: RequestId
  reply: Reply
}

/** What codex asked and nobody answered yet, in the open turn. */
export class Interactions {
  readonly #open = new Map<string, Asked>()
  #count = 0

  /** @returns the interaction's id, under which it can be answered */
  ask(
    transcript: Transcript,
    requestId: RequestId,
    question: Question,
    parentToolId: string | undefined,
  ): string {
    const interactionId = `interaction-${++this.#count}`
    const { itemId } = question
    const toolId = itemId !== undefined && transcript.tools.isOpen(itemId) ? itemId : undefined
    const asked = { requestId, interactionId, question, toolId, parentToolId }
    this.#open.set(interactionId, asked)
    const { kind, title, options, schema } = question
    transcript.interaction({
      ...base(asked),
      phase: 'request',
      kind,
      title,
      ...(options !== undefined && { options }),
      ...(schema !== undefined && { schema }),
    })
    return interactionId
  }

  /** What to send; undefined for what nobody asks any more. */
  answer(
    transcript: Transcript,
    interactionId: string,
    decision: WireDecision,
    by: NonNullable<InteractionPayload['by']>,
  ): Answered | undefined {
    const asked = this.#open.get(interactionId)
    if (!asked) return undefined
    this.#open.delete(interactionId)
    const reply = asked.question.reply(decision)
    resolve(transcript, asked, reply.decision, by)
    return { requestId: asked.requestId, reply }
  }

  /** codex says that a request is settled: withdrawn, unless we answered it; undefined: nobody can tell from here. */
  withdraw(transcript: Transcript, requestId: unknown, decision: 'cancel' | undefined): void {
    for (const asked of this.#open.values()) {
      if (asked.requestId === requestId) this.#drop(transcript, asked, decision)
    }
  }

  /** The turn is over, and with it what was asked in it. */
  withdrawAll(transcript: Transcript): void {
    for (const asked of this.#open.values()) this.#drop(transcript, asked, 'cancel')
  }

  #drop(transcript: Transcript, asked: Asked, decision: 'cancel' | undefined): void {
    this.#open.delete(asked.interactionId)
    resolve(transcript, asked, decision, 'cli')
  }
}

function resolve(
  transcript: Transcript,
  asked: Asked,
  decision: WireDecision['decision'] | undefined,
  by: NonNullable<InteractionPayload['by']>,
): void {
  const { kind, title } = asked.question
  const how = decision === undefined ? { by } : { decision, by }
  transcript.interaction({ ...base(asked), phase: 'resolved', kind, title, ...how })
}

function base({ interactionId, toolId, parentToolId }: Asked) {
  return {
    interactionId,
    ...(toolId !== undefined && { toolId }),
    ...(parentToolId !== undefined && { parentToolId }),
  }
}
