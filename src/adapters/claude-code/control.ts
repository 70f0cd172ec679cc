import { asObject, asString, type JsonObject } from '../../protocol/narrow.ts'

/** What a `control_response` of claude's says. */
export interface ControlAnswer {
  /** What was asked for; undefined where it was refused. */
  response: JsonObject | undefined
  /** Why it was refused. */
  error: string | undefined
}

type Answered = (answer: ControlAnswer) => void

interface OpenRequest {
  answered: Answered
  isBarrier: boolean
}

/** The control protocol: requests of ours with what to do with their answers, answers of ours, and what is to be sent. */
export class ClaudeControl {
  readonly #open = new Map<string, OpenRequest>()
  #outbox: object[] = []
  #count = 0

  /** @param isBarrier no prompt may go before the answer: claude handles requests beside its turns */
  ask(request: object, answered: Answered, isBarrier = false): void {
    const id = `coxswain-${++this.#count}`
    this.#open.set(id, { answered, isBarrier })
    this.#outbox.push({ type: 'control_request', request_id: id, request })
  }

  /** @returns whether it answers a request of ours */
  answer(record: JsonObject): boolean {
    const said = asObject(record.response)
    const id = asString(said?.request_id) ?? ''
    const request = this.#open.get(id)
    if (!request) return false
    this.#open.delete(id)
    const isGood = said?.subtype !== 'error'
    request.answered({
      response: isGood ? (asObject(said?.response) ?? {}) : undefined,
      error: isGood ? undefined : (asString(said?.error) ?? 'claude gave no reason.'),
    })
    return true
  }

  get isBarred(): boolean {
    for (const { isBarrier } of this.#open.values()) if (isBarrier) return true
    return false
  }

  reply(requestId: unknown, response: object): void {
    const body = { subtype: 'success', request_id: requestId, response }
    this.#outbox.push({ type: 'control_response', response: body })
  }

  refuse(requestId: unknown, error: string): void {
    const body = { subtype: 'error', request_id: requestId, error }
    this.#outbox.push({ type: 'control_response', response: body })
  }

  send(record: object): void {
    this.#outbox.push(record)
  }

  takeOutbox(): object[] {
    return this.#outbox.splice(0)
  }
}
