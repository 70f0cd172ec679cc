// One conversation with one CLI: a session, all that was said in it, and the pages that watch.
import { openSession } from 'coxswain'

/** A page that was closed takes its CLI with it, after this long: it may only be reloading. */
const unwatchedMs = 30_000

/** A page that is further behind is cut off; it comes back and is told the rest. */
const behindBytes = 8 * 1024 * 1024

/** What a page that comes back can be told. */
const longestLog = 20_000

export class Chat {
  /** Resolves when the CLI is gone. */
  closed
  #session
  /** Numbered from 0: a page that lost its connection says up to where it knows. */
  #log = []
  #count = 0
  #watchers = new Set()
  #leaving
  /** Turns that are told of, or will be. */
  #known = new WeakSet()
  #told = Promise.resolve()

  static async open(options) {
    return new Chat(await openSession({ ...options, approvals: 'host' }))
  }

  constructor(session) {
    this.#session = session
    this.closed = session.closed.then((error) => {
      this.#tell({ type: 'closed', ...(error && { message: error.message, hint: error.hint }) })
      for (const watcher of this.#watchers) watcher.end()
      clearTimeout(this.#leaving)
    })
    this.#expectWatchers()
  }

  prompt(text) {
    this.#follow(this.#session.send(text, { busy: 'refuse' }))
  }

  /** @returns what became of it: 'delivered', 'queued' (a turn of its own, which is followed) or 'rejected' */
  async steer(text) {
    const { outcome, reason, turn } = await this.#session.steer(text)
    if (turn) this.#follow(turn)
    return { outcome, reason }
  }

  async interrupt() {
    await this.#session.interrupt()
  }

  async answer(interactionId, decision) {
    await this.#session.answer(interactionId, decision)
  }

  async close() {
    await this.#session.close()
    await this.closed
  }

  /** Sends everything after `known` to this page, and what comes from now on. */
  watch(response, known = -1) {
    clearTimeout(this.#leaving)
    this.#watchers.add(response)
    for (const { id, data } of this.#log) if (id > known) send(response, id, data)
    response.on('close', () => {
      this.#watchers.delete(response)
      if (this.#watchers.size === 0) this.#expectWatchers()
    })
  }

  /** Several that were said too late may have become one turn; it is told when the one before it is over. */
  #follow(turn) {
    if (this.#known.has(turn)) return
    this.#known.add(turn)
    this.#told = this.#told.then(async () => {
      for await (const event of turn) this.#tell({ type: 'event', event })
    })
  }

  #tell(data) {
    const id = this.#count++
    this.#log.push({ id, data })
    if (this.#log.length > longestLog) this.#log.shift()
    for (const watcher of this.#watchers) send(watcher, id, data)
  }

  #expectWatchers() {
    this.#leaving = setTimeout(() => this.close(), unwatchedMs)
    this.#leaving.unref()
  }
}

function send(response, id, data) {
  if (response.writableLength > behindBytes) response.destroy()
  else response.write(`id: ${id}\ndata: ${JSON.stringify(data)}\n\n`)
}
