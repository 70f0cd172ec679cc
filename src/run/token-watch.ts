import type { CompletionStatement, NoticePayload, WireEvent } from '../protocol/events.ts'
import type { TurnPlan } from './plan-turn.ts'
import type { PreparedTurn } from './prepare.ts'
import { findTokens } from './token-leaks.ts'

type Said = Exclude<WireEvent, CompletionStatement>

/**
 * Looks for the session's token where it should not be, in a turn whose shell was given it: in what the CLI says (where
 * redaction hides it) and in the files of the workspace.
 */
export class TokenWatch {
  readonly #tokens: readonly string[]
  readonly #workspace: string
  readonly #since = Date.now()
  /** By stream of fragments: its last characters. */
  readonly #tails = new Map<string, string>()
  readonly #seenIn = new Set<string>()

  constructor(tokens: readonly string[], workspace: string) {
    this.#tokens = tokens
    this.#workspace = workspace
  }

  hear(event: Said): void {
    switch (event.type) {
      case 'delta':
      case 'thinking':
        this.#follow(event.messageId, event.text, event.type === 'delta' ? 'an answer' : 'its thinking')
        break
      case 'tool':
        this.#look(JSON.stringify(event), `the tool ${event.name}`)
        break
      case 'message':
        this.#look(event.text, 'an answer')
        break
      default:
        this.#look(JSON.stringify(event), `an event of type ${event.type}`)
    }
  }

  /** To be said before the completion. */
  async report(): Promise<NoticePayload[]> {
    const { files, cutShort } = await findTokens(this.#workspace, this.#tokens, this.#since)
    const told = [...this.#seenIn].map((where) => notice(`The session's token was said in ${where}.`))
    const left = files.map((file) =>
      notice(`The session's token stands in the file ${file} of the workspace.`),
    )
    const unseen = cutShort
      ? [notice("The workspace is too large to be looked through for the session's token to the end.")]
      : []
    return [...told, ...left, ...unseen]
  }

  #follow(stream: string, text: string, where: string): void {
    const whole = (this.#tails.get(stream) ?? '') + text
    this.#look(whole, where)
    this.#tails.set(stream, whole.slice(-Math.max(...this.#tokens.map((token) => token.length))))
  }

  #look(text: string, where: string): void {
    if (this.#tokens.some((token) => text.includes(token))) this.#seenIn.add(where)
  }
}

function notice(message: string): NoticePayload {
  return { type: 'notice', level: 'warning', code: 'token_exposed', message }
}

/** undefined: the turn's shell was given none. */
export function tokenWatchOf({ checked }: TurnPlan, { environment }: PreparedTurn): TokenWatch | undefined {
  if (checked.apiTransport !== 'native_shell') return undefined
  const bare = environment.MCP_AUTH?.replace(/^[^\s:]+:\s*(?:[A-Za-z][\w-]*\s+(?=\S))?/, '').trim()
  const tokens = [...new Set([environment.MCP_API_TOKEN, bare])].filter(
    (token) => token !== undefined && token !== '',
  )
  return tokens.length === 0
    ? undefined
    : new TokenWatch(
        tokens.flatMap((token) => token ?? []),
        checked.launch.cwd,
      )
}
