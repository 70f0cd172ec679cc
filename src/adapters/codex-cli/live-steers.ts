import { asArray, asObject, asString, type JsonObject } from '../../protocol/narrow.ts'
import type { Steered } from '../../protocol/wire.ts'

interface Steer {
  id: string
  text: string
}

/** Steers of the open turn whose fate is open. codex shows that it took one in by repeating it as an item of the turn. */
export class Steers {
  /** Given before codex had named its turn. */
  #waiting: Steer[] = []
  #sent: Steer[] = []

  wait(steer: Steer): void {
    this.#waiting.push(steer)
  }

  takeWaiting(): Steer[] {
    const waiting = this.#waiting
    this.#waiting = []
    return waiting
  }

  send(steer: Steer): void {
    this.#sent.push(steer)
  }

  /** @param item a `userMessage`. Versions without `clientId` (0.113) are known by the text. */
  receive(item: JsonObject): Steered[] {
    if (this.#sent.length === 0) return []
    const clientId = asString(item.clientId)
    const text = textOf(item)
    const steer = this.#sent.find((sent) =>
      clientId === undefined ? sent.text === text : sent.id === clientId,
    )
    return steer ? [this.#settle(steer.id, 'delivered')] : []
  }

  reject(id: string, reason: string): Steered[] {
    return this.#sent.some((steer) => steer.id === id) ? [this.#settle(id, 'rejected', reason)] : []
  }

  rejectAll(reason: string): Steered[] {
    const open = [...this.takeWaiting(), ...this.#sent]
    return open.map(({ id }) => this.#settle(id, 'rejected', reason))
  }

  #settle(id: string, outcome: Steered['outcome'], reason?: string): Steered {
    this.#sent = this.#sent.filter((steer) => steer.id !== id)
    return { id, outcome, ...(reason !== undefined && { reason }) }
  }
}

function textOf(item: JsonObject): string {
  return asArray(item.content)
    .flatMap((part) => asString(asObject(part)?.text) ?? [])
    .join('\n\n')
}
