import type { PlanEntry, PlanEntryStatus } from '../../protocol/events.ts'
import { asArray, asObject, asString, type JsonObject, lookUp } from '../../protocol/narrow.ts'

const statuses: Readonly<Record<string, PlanEntryStatus>> = {
  pending: 'pending',
  in_progress: 'in_progress',
  completed: 'completed',
}

interface Todo {
  content: string
  status: string
}

/** The agent's to-do list, kept over the updates that name only what changed (`merge`). */
export class Todos {
  readonly #todos = new Map<string, Todo>()

  /** The whole list after this tool call ended, where the call changed it. A cancelled entry is no longer part of it. */
  after(name: string, input: unknown, result: JsonObject | undefined): PlanEntry[] | undefined {
    if (name !== 'updateTodos' && name !== 'todo' && name !== 'createPlan') return undefined
    const success = asObject(result?.success)
    if (!success) return undefined
    const args = asObject(input)
    const whole = asArray(success.todos)
    const update = whole.length > 0 ? whole : asArray(args?.todos)
    if (update.length === 0) return undefined
    if (whole.length > 0 || args?.merge !== true) this.#todos.clear()
    for (const entry of update) this.#take(asObject(entry))
    return [...this.#todos.values()]
      .filter((todo) => todo.status !== 'cancelled')
      .map((todo) => ({ content: todo.content, status: lookUp(statuses, todo.status) ?? 'pending' }))
  }

  #take(entry: JsonObject | undefined): void {
    if (!entry) return
    const id = asString(entry.id) ?? `unnamed-${this.#todos.size}`
    const before = this.#todos.get(id)
    const content = asString(entry.content) || before?.content
    if (content === undefined) return
    const status = asString(entry.status)
      ?.replace(/^TODO_STATUS_/, '')
      .toLowerCase()
    this.#todos.set(id, { content, status: status ?? before?.status ?? '' })
  }
}
