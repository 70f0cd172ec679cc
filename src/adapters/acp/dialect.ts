import type { InteractionPayload } from '../../protocol/events.ts'
import type { JsonObject } from '../../protocol/narrow.ts'
import type { Transcript } from '../../protocol/transcript.ts'
import type { WireDecision } from '../../protocol/wire.ts'

/** What is known of one ACP agent beside the protocol. */
export interface AcpDialect {
  /** As errors call it: 'claude-agent-acp'. */
  readonly agent: string
  /** The way to sign in that is taken before a conversation is opened, where the agent offers it. */
  readonly authMethod?: string | undefined
  /**
   * What `usage` in the answer to a prompt counts. ACP's draft says both "for this turn" and "across session", and opencode
   * 1.18.33 counts the last model call alone: so absent, it is not told.
   */
  readonly usage?: 'turn' | undefined
  /** true: the launch has named the model that the conversation begins with, in words that the conversation itself does not know. */
  readonly modelByLaunch?: boolean
  /** The agent's own requests that a person answers, by method. */
  readonly questions?: Readonly<Record<string, (params: JsonObject) => AcpQuestion>>
  /**
   * The agent's own messages that tell something.
   *
   * @returns what to answer, where it came as a request; undefined: it is none of them
   */
  tell?(method: string, params: JsonObject, transcript: Transcript | undefined): JsonObject | undefined
}

/** Something that a person answers. */
export interface AcpQuestion {
  asked: Pick<InteractionPayload, 'kind' | 'title' | 'toolId' | 'options' | 'schema'>
  /** The tool call that it is about, as far as the request tells of it. */
  toolCall?: JsonObject | undefined
  /** What the agent gets for a decision. */
  answer(decision: WireDecision): AcpReply
}

export interface AcpReply {
  result: JsonObject
  /** What the agent was told in the end: an 'allow' that does not fit the request is a 'deny'. */
  decision: WireDecision['decision']
  /** What of the decision ACP has no place for. */
  lost?: string
}
