import type { UsageStatement } from '../../protocol/counts.ts'
import { asNumber, asObject, type JsonObject } from '../../protocol/narrow.ts'

/** As codex names them, with the names that we give. */
const counts = {
  inputTokens: 'inputTokens',
  cachedInputTokens: 'cachedInputTokens',
  cacheWriteInputTokens: 'cacheWriteTokens',
  outputTokens: 'outputTokens',
  reasoningOutputTokens: 'reasoningTokens',
} as const

type Counted = keyof typeof counts
type Total = Partial<Record<Counted, number>>

/** codex counts over the whole conversation; a turn's own is what was added since it began. */
export class TokenUsage {
  #total: Total | undefined
  /** The total when the open turn began. undefined: the conversation is older than this process, and nobody said yet. */
  #start: Total | undefined

  /** The conversation is new: nothing was counted yet. */
  startNew(): void {
    this.#total = {}
  }

  beginTurn(): void {
    this.#start = this.#total
  }

  /**
   * @param isOfTurn the model has said something in the open turn. Before that, codex repeats the count of an older turn (0.113)
   * or tells the one of a resumed conversation (0.171).
   * @returns undefined where it says nothing of the open turn
   */
  update(said: JsonObject | undefined, isOfTurn: boolean): UsageStatement | undefined {
    const total = readTotal(asObject(said?.total))
    if (!total) return undefined
    this.#total = total
    if (!isOfTurn) this.#start ??= total
    this.#start ??= before(total, readTotal(asObject(said?.last)))
    if (!this.#start) return { basis: 'conversation', ...renamed(total) }
    const added = difference(this.#start, total)
    return isOfTurn || added.inputTokens ? { basis: 'turn', ...renamed(added) } : undefined
  }
}

function readTotal(said: JsonObject | undefined): Total | undefined {
  if (!said) return undefined
  const total: Total = {}
  for (const name of names) {
    const count = asNumber(said[name])
    if (count !== undefined) total[name] = count
  }
  return total
}

const names = Object.keys(counts) as Counted[]

/** The first count of a turn holds one response. A response that was cut counts as none in `last` (0.171.0). */
function before(total: Total, last: Total | undefined): Total | undefined {
  if (!last?.inputTokens) return undefined
  return difference(last, total)
}

function difference(from: Total, to: Total): Total {
  const added: Total = {}
  for (const name of names) {
    const count = to[name]
    if (count !== undefined) added[name] = count - (from[name] ?? 0)
  }
  return added
}

function renamed(total: Total): Omit<UsageStatement, 'basis'> {
  const statement: Omit<UsageStatement, 'basis'> = {}
  for (const name of names) statement[counts[name]] = total[name]
  return statement
}
