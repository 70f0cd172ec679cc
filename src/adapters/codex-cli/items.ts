import type { PlanEntry } from '../../protocol/events.ts'
import { asArray, asBoolean, asObject, asString, type JsonObject } from '../../protocol/narrow.ts'
import type { Transcript } from '../../protocol/transcript.ts'
import { Messages } from './messages.ts'
import { type ItemPhase, readTool, tellTool } from './tools.ts'

/** 0.113 under load: "in-process app-server event stream lagged; dropped 46 events", the last answer among them. */
const lagged = /event stream lagged/

/** The items of an exec stream. Many come only as `item.completed`. */
export class Items {
  readonly messages: Messages
  readonly #transcript: Transcript
  #plan = ''
  /** codex's own word that it dropped events, until a message says that the answer was not among them. */
  lost: string | undefined

  constructor(transcript: Transcript) {
    this.#transcript = transcript
    this.messages = new Messages(transcript.text)
  }

  receive(phase: ItemPhase, item: JsonObject): void {
    const type = asString(item.type) ?? asString(item.item_type) ?? ''
    switch (type) {
      case 'agent_message':
      case 'assistant_message':
        this.lost = undefined
        this.messages.receive(asString(item.id) ?? '', asString(item.text) ?? '', phase === 'completed')
        return
      case 'reasoning':
        if (phase === 'completed') this.#transcript.thinking(asString(item.text) ?? '', false)
        return
      case 'error':
        this.messages.settle()
        if (lagged.test(asString(item.message) ?? '')) this.lost = asString(item.message)
        // What our own launch asked for, with the project's configuration.
        if (asString(item.message)?.startsWith('`--dangerously-bypass-hook-trust` is enabled')) return
        if (phase === 'completed')
          this.#transcript.notice(
            'warning',
            'cli_warning',
            asString(item.message) || 'codex warns, without a word.',
          )
        return
      case 'todo_list':
        this.messages.settle()
        this.#receivePlan(asArray(item.items))
        return
    }
    this.messages.settle()
    const tool = readTool(type, item, phase)
    if (tool) tellTool(this.#transcript.tools, phase, item, tool)
    else this.#transcript.unknown(`the item type "${type}"`)
  }

  #receivePlan(items: readonly unknown[]): void {
    const entries: PlanEntry[] = items.map((value) => {
      const item = asObject(value)
      const isDone = asBoolean(item?.completed) === true
      return { content: asString(item?.text) ?? '', status: isDone ? 'completed' : 'pending' }
    })
    // The end of the turn repeats the last list.
    const plan = JSON.stringify(entries)
    if (plan === this.#plan) return
    this.#plan = plan
    this.#transcript.plan(entries)
  }
}
