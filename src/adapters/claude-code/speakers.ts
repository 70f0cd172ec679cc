import type { TextRun } from '../../protocol/text-runs.ts'

/** A block that was streamed. It stays open until an `assistant` record says it whole: `content_block_stop` proves nothing. */
export type Block = TextBlock | ToolBlock | SilentBlock
export type TextBlock = { kind: 'text'; run: TextRun; confirmed: boolean }
export type ToolBlock = { kind: 'tool'; id: string; json: string; confirmed: boolean }
/** Nothing of it is taken back. */
export type SilentBlock = { kind: 'thinking' | 'other'; confirmed: boolean }

/** The main loop, or a sub-agent: each streams messages of its own, with indexes of its own. */
export interface Speaker {
  parentToolId: string | undefined
  messageId: string | undefined
  /** The message came as a stream, so that a missing stop reason means that it was cut. */
  streamed: boolean
  stopReason: string | undefined
  saidText: boolean
  blocks: Map<number, Block>
}

export class Speakers {
  readonly #speakers = new Map<string, Speaker>()

  of(parentToolId: string | undefined): Speaker {
    const key = parentToolId ?? ''
    let speaker = this.#speakers.get(key)
    if (!speaker) {
      speaker = {
        parentToolId,
        messageId: undefined,
        streamed: false,
        stopReason: undefined,
        saidText: false,
        blocks: new Map(),
      }
      this.#speakers.set(key, speaker)
    }
    return speaker
  }
}

/** The oldest streamed block that no record has confirmed: records come in the order of the blocks. */
export function oldest<B extends Block>(speaker: Speaker, is: (block: Block) => block is B): B | undefined {
  for (const block of speaker.blocks.values()) if (!block.confirmed && is(block)) return block
  return undefined
}

export function isText(block: Block): block is TextBlock {
  return block.kind === 'text'
}

export function isThinking(block: Block): block is SilentBlock {
  return block.kind === 'thinking'
}

export function hasOpenTool(speaker: Speaker): boolean {
  for (const block of speaker.blocks.values()) if (block.kind === 'tool' && !block.confirmed) return true
  return false
}

/** Its last message met a limit: the CLI makes the model go on with it. */
export function isCutShort({ stopReason }: Speaker): boolean {
  return stopReason === 'max_tokens' || stopReason === 'model_context_window_exceeded'
}
