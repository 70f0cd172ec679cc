import type { CallerSchema } from '../options/caller-schema.ts'
import type { AgentEvent, CompletionEvent } from '../protocol/events.ts'
import type { CompletionStatement } from '../protocol/outcome.ts'
import type { Redactor } from '../protocol/redact.ts'
import { judgeOutput } from './judge-output.ts'

/** Holds the completions of a replay against the caller's schema, as a turn's is: on what was said before it was redacted. */
export class RecordedOutput {
  readonly #schema: CallerSchema
  readonly #redactor: Redactor | undefined
  readonly #statements: (CompletionStatement | undefined)[] = []

  constructor(schema: CallerSchema, redactor: Redactor | undefined) {
    this.#schema = schema
    this.#redactor = redactor
  }

  /** What the wire states of the next completion. */
  hear(statement: CompletionStatement | undefined): void {
    this.#statements.push(statement)
  }

  async judge(events: readonly AgentEvent[]): Promise<AgentEvent[]> {
    const judged: AgentEvent[] = []
    for (const event of events) judged.push(event.type === 'completion' ? await this.#judge(event) : event)
    return judged
  }

  async #judge(event: CompletionEvent): Promise<CompletionEvent> {
    const statement = this.#statements.shift()
    if (!statement || event.status !== 'success') return event
    const judged = await judgeOutput(statement, this.#schema)
    const { evidence } = judged
    if (judged.status === 'success') {
      return { ...event, ...this.#redacted({ structuredOutput: judged.structuredOutput, evidence }) }
    }
    const { structuredOutput: _, ...rest } = event
    return { ...rest, ...this.#redacted({ status: judged.status, error: judged.error, evidence }) }
  }

  #redacted<Found extends object>(found: Found): Found {
    return this.#redactor ? this.#redactor.fields(found) : found
  }
}
