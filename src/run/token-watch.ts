import type { NoticePayload, WireEvent } from '../protocol/events.ts'
import type { CompletionStatement } from '../protocol/outcome.ts'
import { SecretMatcher } from '../protocol/secret-matcher.ts'
import { fragmentOf, isStreamed, type StreamedEvent, streamKey } from '../protocol/streamed-text.ts'
import type { TurnPlan } from './plan-turn.ts'
import type { PreparedTurn } from './prepare.ts'
import { TokenSearch } from './token-leaks.ts'

type Said = Exclude<WireEvent, CompletionStatement>

/** File systems date what is written by a clock that lags behind ours. */
const clockLagMs = 20

/** What a turn ended with. */
export interface TurnEnding {
  statement: CompletionStatement | undefined
  stderr: string
}

/**
 * Looks for the session's token where it should not be, in a turn whose shell was given it: in what the CLI says (where
 * redaction hides it) and in the files of the workspace; in every form in which redaction knows it.
 */
export class TokenWatch {
  readonly #matcher: SecretMatcher
  readonly #workspace: string
  readonly #since = Date.now() - clockLagMs
  /** By stream of fragments: its end, as far as a token may begin there. */
  readonly #tails = new Map<string, string>()
  readonly #seenIn = new Set<string>()

  constructor(tokens: readonly string[], workspace: string) {
    this.#matcher = new SecretMatcher(
      tokens.map((value) => ({ name: 'token', value })),
      () => '[token]',
    )
    this.#workspace = workspace
  }

  hear(event: Said): void {
    if (isStreamed(event)) this.#follow(event)
    else if (event.type === 'message') this.#look(event.text, 'an answer')
    else this.#look(JSON.stringify(event), placeOf(event))
  }

  /** To be said before the completion. */
  async report({ statement, stderr }: TurnEnding): Promise<NoticePayload[]> {
    if (statement) {
      const { text, ...rest } = statement
      this.#look(text, 'an answer')
      this.#look(JSON.stringify(rest), 'the completion')
    }
    this.#look(stderr, 'stderr')
    const search = new TokenSearch(this.#matcher, this.#since)
    const { files, names, isCutShort } = await search.through(this.#workspace)
    const told = [...this.#seenIn].map((where) => notice(`The session's token was said in ${where}.`))
    const left = files.map((file) =>
      notice(`The session's token stands in the file ${file} of the workspace.`),
    )
    const named = names.map((name) =>
      notice(`The session's token stands in the name of ${name} in the workspace.`),
    )
    const unseen = isCutShort
      ? [notice("The workspace is too large to be looked through for the session's token to the end.")]
      : []
    return [...told, ...left, ...named, ...unseen]
  }

  #follow(event: StreamedEvent): void {
    const key = streamOf(event)
    const whole = (this.#tails.get(key) ?? '') + fragmentOf(event)
    let isFound = false
    const { held } = this.#matcher.scan(whole, 0, false, () => {
      isFound = true
    })
    if (isFound) this.#seenIn.add(placeOf(event))
    this.#tails.set(key, whole.slice(held))
  }

  #look(text: string, where: string): void {
    if (this.#matcher.matches(text).length > 0) this.#seenIn.add(where)
  }
}

/** A token may begin in one message and end in the next, which carries it on. */
function streamOf(event: StreamedEvent): string {
  return event.type === 'tool' ? streamKey(event) : `${event.type} ${event.parentToolId ?? ''}`
}

function placeOf(event: Said): string {
  switch (event.type) {
    case 'delta':
      return 'an answer'
    case 'thinking':
      return 'its thinking'
    case 'tool':
      return `the tool ${event.name}`
    default:
      return `an event of type ${event.type}`
  }
}

function notice(message: string): NoticePayload {
  return { type: 'notice', level: 'warning', code: 'token_exposed', message }
}

/** undefined: the turn's shell was given none. */
export function tokenWatchOf({ checked }: TurnPlan, { environment }: PreparedTurn): TokenWatch | undefined {
  if (checked.apiTransport !== 'native_shell') return undefined
  const bare = environment.MCP_AUTH?.replace(/^[^\s:]+:\s*(?:[A-Za-z][\w-]*\s+(?=\S))?/, '').trim()
  const tokens = [...new Set([environment.MCP_API_TOKEN, bare])].flatMap((token) => token || [])
  return tokens.length === 0 ? undefined : new TokenWatch(tokens, checked.launch.cwd)
}
