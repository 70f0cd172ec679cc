import type {
  AgentEvent,
  CompletionEvent,
  DeltaEvent,
  MessageEvent,
  NoticeEvent,
  ToolEvent,
} from '../protocol/events.ts'
import type { Usage } from '../protocol/outcome.ts'
import { inFlags } from './flag-words.ts'
import { excerpt, harmless, type Output } from './output.ts'

export interface RenderOptions {
  /** Also what is only good to know. */
  verbose: boolean
}

/**
 * Shows a turn to a person. On a terminal text appears as it streams, among thinking and tools. Elsewhere stdout gets the
 * answer's messages alone, each when it is final, so that nothing withdrawn is in it; the rest goes to stderr.
 */
export class TurnRenderer {
  readonly #out: Output
  readonly #aside: Output
  readonly #live: boolean
  readonly #verbose: boolean
  /** The run of text that the cursor stands in. */
  #run: string | undefined
  #lastMessage: string | undefined
  /** Tools that were shown, so that each has one line. */
  readonly #tools = new Set<string>()

  constructor(out: Output, err: Output, options: RenderOptions) {
    this.#out = out
    this.#live = out.isTerminal
    this.#aside = this.#live ? out : err
    this.#verbose = options.verbose
  }

  async render(event: AgentEvent): Promise<void> {
    switch (event.type) {
      case 'session': {
        const { adapter, cliVersion, model, sessionId, origin } = event
        const who = [adapter, cliVersion, model, `${origin} session ${sessionId}`]
        const known = who.flatMap((each) => (each === undefined ? [] : excerpt(each, 200)))
        return this.#say(this.#aside.style.dim(known.join(' · ')))
      }
      case 'thinking':
        return this.#fragment(event.messageId, this.#aside, this.#aside.style.dim(harmless(event.text)))
      case 'delta':
        return this.#delta(event)
      case 'message':
        return this.#message(event)
      case 'tool':
        return this.#tool(event)
      case 'plan':
        for (const { status, content } of event.entries) {
          const box = status === 'completed' ? '[x]' : status === 'in_progress' ? '[>]' : '[ ]'
          await this.#say(`  ${box} ${excerpt(content, 100)}`)
        }
        return
      case 'interaction':
        return this.#say(`? ${excerpt(event.title, 120)}${event.decision ? `: ${event.decision}` : ''}`)
      case 'notice':
        return this.#notice(event)
      case 'usage':
        return
      case 'completion':
        return this.#completion(event)
    }
  }

  async #delta(event: DeltaEvent): Promise<void> {
    if (!this.#live && event.parentToolId === undefined) return
    const text = harmless(event.text)
    const output = this.#live ? this.#out : this.#aside
    await this.#fragment(
      event.messageId,
      output,
      event.parentToolId === undefined ? text : output.style.dim(text),
    )
  }

  async #message({ messageId, text, status, continues, parentToolId }: MessageEvent): Promise<void> {
    if (status === 'retracted') {
      await this.#say(this.#aside.style.dim('(the CLI has withdrawn the text above)'), this.#live)
      return
    }
    if (this.#live || parentToolId !== undefined || text.trim() === '') return
    const goesOn = continues !== undefined && continues === this.#lastMessage
    if (!goesOn && this.#lastMessage !== undefined) await this.#out.write(this.#out.midLine ? '\n\n' : '\n')
    await this.#out.write(text)
    this.#lastMessage = messageId
  }

  async #tool(event: ToolEvent): Promise<void> {
    const { style } = this.#aside
    const name = excerpt(event.server === undefined ? event.name : `${event.server}/${event.name}`, 100)
    if (
      !this.#tools.has(event.toolId) &&
      (event.phase === 'end' || (event.phase === 'input' && 'input' in event))
    ) {
      this.#tools.add(event.toolId)
      const input = event.phase === 'input' ? inputLine(event.input) : ''
      await this.#say(`${style.cyan('▸')} ${style.bold(name)} ${input}`.trimEnd())
    }
    if (event.phase === 'end' && event.status !== 'completed') {
      const exit = event.exitCode === undefined ? '' : ` (exit ${event.exitCode})`
      const output = event.output === undefined ? '' : `: ${excerpt(event.output, 100)}`
      await this.#say(`${style.red('✗')} ${name} ${event.status}${exit}${output}`)
    }
  }

  async #notice({ level, code, message }: NoticeEvent): Promise<void> {
    if (level === 'info' && !this.#verbose) return
    const { style } = this.#aside
    const mark = level === 'error' ? style.red('!') : style.yellow('!')
    await this.#say(`${mark} ${code}: ${inFlags(excerpt(message, 300))}`)
  }

  async #completion(completion: CompletionEvent): Promise<void> {
    const { style } = this.#aside
    const { status, error, durationMs, usage, costUsd } = completion
    if (this.#out.midLine) await this.#out.write('\n')
    if (error) {
      const what = status === error.code ? status : `${status} ${error.code}`
      await this.#say(`${style.red(what)}: ${excerpt(error.message, 500)}`)
      if (error.hint !== undefined) await this.#say(`  ${inFlags(harmless(error.hint))}`)
    }
    // Nothing was started: there is no more to tell than what was wrong.
    if (completion.evidence.by === 'spawn') return
    const facts = [
      status,
      durationMs > 0 ? `${(durationMs / 1_000).toFixed(1)} s` : undefined,
      usage && usageLine(usage),
      costUsd === undefined ? undefined : `$${costUsd.toFixed(4)}`,
    ]
    const known = facts.filter((each) => each !== undefined)
    // What went wrong stands above: its status alone would only say so again.
    if (known.length > 1 || !error) await this.#say(style.dim(known.join(' · ')))
  }

  /** A piece of a run of text: the first one begins a new line. */
  async #fragment(messageId: string, output: Output, text: string): Promise<void> {
    if (this.#run !== messageId && output.midLine) await output.write('\n')
    this.#run = messageId
    await output.write(text)
  }

  async #say(line: string, when = true): Promise<void> {
    if (!when) return
    this.#run = undefined
    await this.#aside.line(line)
  }
}

function inputLine(input: unknown): string {
  if (typeof input !== 'object' || input === null) return excerpt(String(input), 120)
  const entries = Object.entries(input)
  const [only] = entries
  // Most tools take one text that says it all, and a shell's command does so beside others.
  if ('command' in input && typeof input.command === 'string') return excerpt(input.command, 120)
  if (entries.length === 1 && only && typeof only[1] === 'string') return excerpt(only[1], 120)
  return excerpt(JSON.stringify(input), 120)
}

function usageLine({ inputTokens, outputTokens, basis }: Usage): string {
  const counts = `${inputTokens ?? '?'} tokens in, ${outputTokens ?? '?'} out`
  return basis === 'turn' ? counts : `${counts} (whole conversation)`
}
