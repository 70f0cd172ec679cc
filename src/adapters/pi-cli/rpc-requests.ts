import { asString, type JsonObject } from '../../protocol/narrow.ts'

type Then = (response: JsonObject) => void

/** What goes to pi, and which response belongs to what. The ids are the same whenever the same is asked in the same order. */
export class PiRequests {
  readonly #counts = new Map<string, number>()
  readonly #waiting = new Map<string, Then>()
  #records: object[] = []

  send(record: object): void {
    this.#records.push(record)
  }

  ask(command: { type: string } & JsonObject, then: Then): void {
    const count = (this.#counts.get(command.type) ?? 0) + 1
    this.#counts.set(command.type, count)
    const id = `${command.type}-${count}`
    if (command.type === 'prompt') this.#waiting.delete(`prompt-${count - 1}`)
    this.#waiting.set(id, then)
    this.#records.push({ id, ...command })
  }

  /** @returns false for a response to what was not asked here */
  answer(response: JsonObject): boolean {
    const id = asString(response.id)
    const then = id === undefined ? undefined : this.#waiting.get(id)
    if (id === undefined || !then) return false
    // Before 0.80 a prompt is first accepted, and then may fail all the same.
    if (response.command !== 'prompt' || response.success === false) this.#waiting.delete(id)
    then(response)
    return true
  }

  /** The records since the last call. */
  take(): object[] | undefined {
    if (this.#records.length === 0) return undefined
    const records = this.#records
    this.#records = []
    return records
  }
}
