import { asObject, asString, type JsonObject } from '../../protocol/narrow.ts'

/** What runs in codex's threads, whichever turn began it: an interrupt alone stops neither sub-agents nor commands. */
export class Threads {
  /** Turns by thread. */
  readonly #turns = new Map<string, string>()
  /** Commands by thread. */
  readonly #commands = new Map<string, Set<string>>()

  note(method: string, params: JsonObject): void {
    const threadId = asString(params.threadId)
    if (threadId === undefined) return
    switch (method) {
      case 'turn/started':
        this.#turns.set(threadId, asString(asObject(params.turn)?.id) ?? '')
        return
      case 'turn/completed':
        this.#turns.delete(threadId)
        return
      case 'item/started':
      case 'item/completed':
        this.#noteItem(threadId, method === 'item/started', asObject(params.item))
    }
  }

  /** Turns of sub-agents. */
  others(mainThreadId: string | undefined): { threadId: string; turnId: string }[] {
    const all = [...this.#turns].map(([threadId, turnId]) => ({ threadId, turnId }))
    return all.filter(({ threadId }) => threadId !== mainThreadId)
  }

  get areBusy(): boolean {
    return this.#commands.size > 0
  }

  /** Threads in which a command runs, which then count as cleaned. */
  takeBusy(): string[] {
    const busy = [...this.#commands.keys()]
    this.#commands.clear()
    return busy
  }

  #noteItem(threadId: string, isStart: boolean, item: JsonObject | undefined): void {
    if (item?.type !== 'commandExecution') return
    const id = asString(item.id) ?? ''
    const commands = this.#commands.get(threadId) ?? new Set()
    if (isStart) commands.add(id)
    else commands.delete(id)
    if (commands.size > 0) this.#commands.set(threadId, commands)
    else this.#commands.delete(threadId)
  }
}
