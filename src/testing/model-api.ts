import { asArray, asObject, asString, type JsonObject } from '../protocol/narrow.ts'
import type { ModelApiName, OfferedTool, ReplyUsage } from './scenario.ts'

/** What an API's request says, in terms that all three share. */
export interface Conversation {
  model: string
  stream: boolean
  tools: readonly OfferedTool[]
  instructions: string
  userTexts: readonly string[]
  toolResults: readonly string[]
  answersHeld: number
  side: boolean
}

/** A tool call addressed to a tool that the request offers. */
export interface AddressedCall {
  /** Unique on the server, and tells which answer it belongs to: `answerOf` reads it back. */
  id: string
  name: string
  namespace?: string
  /** The offered tool's type: 'function', 'custom', 'local_shell'. */
  type: string
  input: JsonObject | string
}

/** A reply, ready to be written in one API's words. */
export interface Answer {
  /** Counts the server's answers from 1. */
  number: number
  model: string
  thinking: readonly string[]
  text: readonly string[]
  calls: readonly AddressedCall[]
  stop: 'end' | 'max_tokens' | 'refusal'
  usage: ReplyUsage
}

/** One server-sent event. `delta`: it carries a fragment, so that `cutAfter` counts it. */
export interface Frame {
  event?: string
  data: JsonObject | '[DONE]'
  delta?: boolean
}

export interface ModelApi {
  name: ModelApiName
  /** The path that a POST asks for an answer at. */
  path: string
  read(body: unknown): Conversation
  stream(answer: Answer, body: unknown): Iterable<Frame>
  /** The answer to a request without streaming. */
  whole(answer: Answer): JsonObject
  error(status: number, message: string): JsonObject
}

const idPattern = /_a(\d+)_\d+$/

export function callId(prefix: string, answer: number, position: number): string {
  return `${prefix}_a${answer}_${position}`
}

/**
 * Counts the answers in a conversation, fed with its items in order. Model items with nothing between them are one answer, and so
 * are calls whose ids say so: codex and claude may put results between the calls of one answer.
 */
export class AnswerCount {
  count = 0
  private open = false
  private readonly seen = new Set<string>()

  /** An item that the model made; `id` where it is a tool call. */
  model(id?: string): void {
    const answer = id === undefined ? undefined : idPattern.exec(id)?.[1]
    if (!this.open && (answer === undefined || !this.seen.has(answer))) this.count++
    this.open = true
    if (answer !== undefined) this.seen.add(answer)
  }

  /** Anything else. */
  other(): void {
    this.open = false
  }
}

/** Cuts text as a tokenizer would: words with the space before them, long ones in pieces. */
export function fragments(text: string | readonly string[] | undefined): readonly string[] {
  if (text === undefined) return []
  if (typeof text !== 'string') return text
  return text.match(/\s*\S{1,8}|\s+/gu) ?? []
}

/** Cuts a tool call's arguments, as JSON text, into the pieces that they are streamed in. */
export function argumentPieces(text: string): readonly string[] {
  return text.match(/.{1,8}/gsu) ?? []
}

/** The text of a message: a string, or the texts of its parts. */
export function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  return asArray(content)
    .map((part) => asString(asObject(part)?.text) ?? '')
    .join('\n')
}
