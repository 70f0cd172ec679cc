import { isAgentError } from '../errors.ts'
import type { Schema } from '../options/schema-types.ts'
import type { SessionOptions } from '../options/turn-options.ts'
import type { AgentEvent, InteractionEvent } from '../protocol/events.ts'
import { openSession, type Session } from '../run/session.ts'
import type { Turn } from '../run/turn-interface.ts'
import { askPerson, type Person } from './ask-person.ts'
import { killedByInterrupt } from './follow-turn.ts'
import { exitCodes, type Screen } from './io.ts'
import { Keyboard } from './keyboard.ts'
import { excerpt, harmless } from './output.ts'
import { TurnRenderer } from './render.ts'

export interface ChatOptions {
  verbose: boolean
}

/** Talks with a CLI over one session, on a terminal. Resolves with the exit code. */
export async function chat(options: SessionOptions, screen: Screen, more: ChatOptions): Promise<number> {
  const conversation = new Conversation(screen, more)
  const { io, out } = screen
  const release = io.onInterrupt((signal) =>
    signal === 'SIGINT' ? conversation.interrupt() : conversation.leave(exitCodes.interrupted),
  )
  out.onGone(() => conversation.leave(exitCodes.interrupted))
  try {
    return await conversation.run(options)
  } finally {
    release()
  }
}

class Conversation {
  readonly #screen: Screen
  readonly #verbose: boolean
  readonly #keyboard: Keyboard
  /** Aborted when the person leaves. */
  readonly #left = new AbortController()
  #code: number = exitCodes.success
  #session: Session | undefined
  #turn: Turn<Schema> | undefined
  #isStopping = false
  /** What is asked now, and how to stop asking it. */
  #asking: { interactionId: string; stop: AbortController } | undefined
  #shownSession: string | undefined

  constructor(screen: Screen, { verbose }: ChatOptions) {
    this.#screen = screen
    this.#verbose = verbose
    this.#keyboard = new Keyboard(screen.io, screen.out, {
      escape: () => (this.#turn ? this.#stopTurn() : this.#keyboard.clear()),
      interrupt: () => this.interrupt(),
      leave: (isGone) => this.leave(isGone ? exitCodes.interrupted : exitCodes.success),
    })
  }

  async run(options: SessionOptions): Promise<number> {
    try {
      await this.#say(dim(this.#screen, howTo))
      const session = await openSession({ ...options, signal: this.#left.signal })
      this.#session = session
      void session.closed.then((error) => error && this.#lose(error.message, error.hint))
      await this.#converse(session)
    } catch (error) {
      if (!this.#left.signal.aborted) throw error
    } finally {
      await this.#session?.close()
      this.#keyboard.close()
    }
    const id = this.#session?.id
    if (id !== undefined && options.conversations !== 'discard') {
      await this.#screen.out.line(dim(this.#screen, `To go on with it: --resume ${excerpt(id, 200)}`))
    }
    return this.#code
  }

  /** Ctrl-C: stops what runs; leaves where nothing does, or where that takes too long. */
  interrupt(): void {
    if (this.#left.signal.aborted) {
      this.#keyboard.close()
      this.#screen.io.exit(killedByInterrupt)
    } else if (this.#turn && !this.#isStopping) this.#stopTurn()
    else if (!this.#turn && this.#keyboard.hasText) this.#keyboard.clear()
    else this.leave(exitCodes.success)
  }

  /** Ends what runs, and the session. */
  leave(code: number): void {
    if (this.#left.signal.aborted) return
    this.#code = code
    this.#keyboard.hide()
    this.#left.abort()
    void this.#session?.close()
  }

  #stopTurn(): void {
    this.#isStopping = true
    this.#keyboard.hide()
    this.#asking?.stop.abort()
    void this.#turn?.interrupt()
  }

  #lose(message: string, hint: string | undefined): void {
    if (this.#left.signal.aborted) return
    this.leave(exitCodes.error)
    void this.#say(`${this.#screen.out.style.red('gone')}: ${excerpt(message, 500)}`)
    if (hint !== undefined) void this.#say(`  ${harmless(hint)}`)
  }

  async #converse(session: Session): Promise<void> {
    const { style } = this.#screen.out
    while (!this.#left.signal.aborted) {
      const prompt = await this.#keyboard.read(style.bold('› '), { signal: this.#left.signal })
      if (prompt === undefined) return
      if (prompt.trim() === '') continue
      try {
        await this.#play(session.send(prompt))
      } catch (error) {
        if (!isAgentError(error)) throw error
        await this.#say(`${style.red(error.code)}: ${excerpt(error.message, 500)}`)
      }
    }
  }

  /** A turn, and those that what was typed meanwhile became. */
  async #play(first: Turn<Schema>): Promise<void> {
    const turns = new Set([first])
    for (const turn of turns) await this.#follow(turn, (next) => turns.add(next))
  }

  async #follow(turn: Turn<Schema>, queue: (next: Turn<Schema>) => void): Promise<void> {
    const { out, err } = this.#screen
    const renderer = new TurnRenderer(out, err, { verbose: this.#verbose })
    const steers: Promise<void>[] = []
    const resolved = new Set<string>()
    const inputs = new Map<string, unknown>()
    this.#turn = turn
    this.#isStopping = false
    const hear = () =>
      this.#keyboard.listen(out.style.cyan('» '), (text) => {
        if (text.trim() !== '') steers.push(this.#steer(turn, text, queue))
      })
    let deafen = hear()
    // At once, not in its turn: what nobody asks any more must not keep the person.
    turn.on('interaction', ({ interactionId, phase }) => {
      if (phase !== 'resolved') return
      resolved.add(interactionId)
      if (this.#asking?.interactionId === interactionId) this.#asking.stop.abort()
    })
    for await (const event of turn) {
      await this.#keyboard.quiet()
      if (event.type === 'tool' && event.phase === 'input') inputs.set(event.toolId, event.input)
      if (event.type !== 'interaction') {
        if (!this.#isKnown(event)) await renderer.render(event)
      } else if (event.phase === 'resolved') await this.#tellResolved(event)
      else if (!resolved.has(event.interactionId)) {
        // What is typed now is an answer.
        deafen()
        await this.#ask(turn, event, inputs.get(event.toolId ?? ''))
        deafen = hear()
      }
    }
    deafen()
    this.#turn = undefined
    await Promise.all(steers)
  }

  /** Every turn says whose it is: once is enough. */
  #isKnown(event: AgentEvent): boolean {
    if (event.type !== 'session') return false
    const known = this.#shownSession === event.sessionId
    this.#shownSession = event.sessionId
    return known
  }

  async #steer(turn: Turn<Schema>, text: string, queue: (next: Turn<Schema>) => void): Promise<void> {
    const { outcome, turn: next, reason } = await turn.steer(text)
    if (next) queue(next)
    const said = {
      delivered: 'delivered: it works with that',
      queued: 'queued: it came too late for this turn, and is the next one',
      rejected: `rejected: ${excerpt(reason ?? 'the CLI did not take it', 200)} (the Up key brings it back)`,
    }
    await this.#say(dim(this.#screen, `↳ ${said[outcome]}`))
  }

  async #tellResolved({ decision, by }: InteractionEvent): Promise<void> {
    const whose = by === 'cli' ? ' (the CLI asks no more)' : by === 'default' ? ' (nobody answered)' : ''
    await this.#say(dim(this.#screen, `  ${decision ?? 'settled'}${whose}`))
  }

  async #ask(turn: Turn<Schema>, event: InteractionEvent, input: unknown): Promise<void> {
    if (this.#isStopping || this.#left.signal.aborted) return
    const { interactionId } = event
    const stop = new AbortController()
    this.#asking = { interactionId, stop }
    const signal = AbortSignal.any([stop.signal, this.#left.signal])
    const answer = await askPerson(event, this.#person(signal), input)
    this.#asking = undefined
    if (answer !== undefined) await turn.answer(interactionId, answer)
  }

  #person(signal: AbortSignal): Person {
    const { out } = this.#screen
    return {
      style: out.style,
      say: (line) => out.line(line),
      read: (label, isSecret = false) => this.#keyboard.read(label, { isSecret, signal }),
    }
  }

  /** Once nobody is typing. */
  async #say(line: string): Promise<void> {
    await this.#keyboard.quiet()
    await this.#screen.out.line(line)
  }
}

const howTo =
  'Type to talk, also while it works. Esc or Ctrl-C interrupts; Ctrl-D, or Ctrl-C with nothing running, leaves.'

function dim({ out }: Screen, text: string): string {
  return out.style.dim(text)
}
