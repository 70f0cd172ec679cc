import { asArray, asContent, asNumber, asObject, asString, type JsonObject } from '../../protocol/narrow.ts'
import type { TextRun } from '../../protocol/text-runs.ts'
import type { Transcript } from '../../protocol/transcript.ts'
import type { PiToolNames } from './tool-names.ts'
import { describeTool } from './tools.ts'

type Block = TextBlock | ThinkingBlock | ToolBlock

interface TextBlock {
  kind: 'text'
  run: TextRun
  /** What pi says that the block's text is, once it says so. */
  whole: string | undefined
}

interface ThinkingBlock {
  kind: 'thinking'
  streamed: string
}

interface ToolBlock {
  kind: 'tool'
  /** Known when the call's name is. */
  id: string | undefined
  /** Fragments of the input that came before. */
  held: string[]
}

/**
 * One answer of the model as it streams. The deltas are what was said: `message`, `partial` and the content of `message_start`
 * only repeat it (pi 0.73 repeats all of it in each record), so nothing reads them but for a tool call's name.
 */
export class AssistantMessage {
  readonly #transcript: Transcript
  readonly #names: PiToolNames
  readonly #blocks: Block[] = []
  readonly #byIndex = new Map<number, Block>()
  #calledTools = false

  constructor(transcript: Transcript, names: PiToolNames) {
    this.#transcript = transcript
    this.#names = names
    transcript.endThinking()
  }

  get calledTools(): boolean {
    return this.#calledTools
  }

  /** An `assistantMessageEvent`. */
  update(event: JsonObject): void {
    const index = asNumber(event.contentIndex) ?? 0
    switch (event.type) {
      case 'text_delta':
        this.#transcript.text.append(this.#text(index).run, asString(event.delta) ?? '')
        break
      case 'thinking_delta':
        this.#think(this.#thinking(index), asString(event.delta) ?? '')
        break
      case 'toolcall_delta':
        this.#inputDelta(this.#tool(index), event, index)
        break
      case 'text_start':
        this.#text(index)
        break
      case 'text_end':
        this.#text(index).whole = asString(event.content)
        break
      case 'thinking_start':
        this.#transcript.endThinking()
        this.#thinking(index)
        break
      case 'thinking_end':
        this.#catchUpThinking(this.#thinking(index), asString(event.content))
        break
      case 'toolcall_start':
        this.#name(this.#tool(index), event, index)
        break
      case 'toolcall_end':
        this.#call(asObject(event.toolCall), this.#tool(index))
        break
      case 'start':
      case 'done':
      case 'error':
        break
      default:
        this.#transcript.unknown(`the message update "${asString(event.type) ?? typeof event.type}"`)
    }
  }

  /** The final `message`: says what was not streamed of it. Blocks are matched by kind and order. */
  catchUp(message: JsonObject): void {
    const texts = this.#textBlocks()
    const thoughts = this.#blocks.filter((block) => block.kind === 'thinking')
    for (const part of asContent(message.content) ?? []) {
      const content = asObject(part)
      const text = asString(content?.text)
      switch (content?.type) {
        case 'text':
          if (text) this.#catchUpText(texts.shift() ?? this.#add(this.#newText()), text)
          break
        case 'thinking': {
          const thought = thoughts.shift()
          this.#catchUpThinking(thought ?? { kind: 'thinking', streamed: '' }, asString(content.thinking))
          break
        }
        case 'toolCall':
          this.#call(content)
          break
        default:
          this.#transcript.unknown(`a message part "${asString(content?.type) ?? typeof part}"`)
      }
    }
    const responseId = asString(message.responseId)
    if (responseId !== undefined) {
      for (const { run } of this.#textBlocks()) run.providerMessageId = responseId
    }
    this.#transcript.endThinking()
  }

  complete(): void {
    for (const { run, whole } of this.#textBlocks()) this.#transcript.text.complete(run, whole)
  }

  interrupt(): void {
    for (const { run } of this.#textBlocks()) this.#transcript.text.interrupt(run)
    this.#endTools('interrupted')
  }

  /** pi threw it away: a retry says it anew. */
  retract(): void {
    for (const { run } of this.#textBlocks()) this.#transcript.text.retract(run)
    this.#endTools('retracted')
  }

  #textBlocks(): TextBlock[] {
    return this.#blocks.filter((block) => block.kind === 'text')
  }

  #text(index: number): TextBlock {
    const block = this.#byIndex.get(index)
    return block?.kind === 'text' ? block : this.#add(this.#newText(), index)
  }

  #thinking(index: number): ThinkingBlock {
    const block = this.#byIndex.get(index)
    return block?.kind === 'thinking' ? block : this.#add({ kind: 'thinking', streamed: '' }, index)
  }

  #tool(index: number): ToolBlock {
    const block = this.#byIndex.get(index)
    return block?.kind === 'tool' ? block : this.#add({ kind: 'tool', id: undefined, held: [] }, index)
  }

  #newText(): TextBlock {
    return { kind: 'text', run: this.#transcript.text.open(), whole: undefined }
  }

  #add<Kind extends Block>(block: Kind, index?: number): Kind {
    this.#blocks.push(block)
    if (index !== undefined) this.#byIndex.set(index, block)
    return block
  }

  #catchUpText(block: TextBlock, text: string): void {
    block.whole = text
    const { run } = block
    if (text.length > run.text.length && text.startsWith(run.text)) {
      this.#transcript.text.append(run, text.slice(run.text.length), run.text !== '')
    }
  }

  #think(block: ThinkingBlock, text: string): void {
    block.streamed += text
    this.#transcript.thinking(text, true)
  }

  #catchUpThinking(block: ThinkingBlock, whole: string | undefined): void {
    if (!whole || whole.length <= block.streamed.length || !whole.startsWith(block.streamed)) return
    const missing = whole.slice(block.streamed.length)
    this.#transcript.thinking(missing, block.streamed !== '')
    block.streamed = whole
  }

  /** Since 0.84.3 a start names its call; before that a call that is nowhere repeated has its name at its end. */
  #name(block: ToolBlock, event: JsonObject, index: number): void {
    const partial = event.id === undefined ? asObject(event.partial) : undefined
    const call = partial ? asObject(asArray(partial.content)[index]) : event
    const id = asString(call?.id)
    const name = asString(partial ? call?.name : call?.toolName)
    if (id && name) this.#start(block, id, name)
  }

  #inputDelta(block: ToolBlock, event: JsonObject, index: number): void {
    const delta = asString(event.delta) ?? ''
    if (block.id === undefined) this.#name(block, event, index)
    if (block.id === undefined) block.held.push(delta)
    else this.#transcript.tools.inputDelta(block.id, delta)
  }

  #start(block: ToolBlock, id: string, name: string): void {
    block.id = id
    this.#calledTools = true
    const { tools } = this.#transcript
    tools.start(id, describeTool(this.#names, name))
    for (const delta of block.held) tools.inputDelta(id, delta)
    block.held = []
  }

  /** The whole call, from its end or from the final message. */
  #call(call: JsonObject | undefined, block?: ToolBlock): void {
    const id = asString(call?.id)
    if (!call || !id) return
    const name = asString(call.name) ?? 'unknown'
    const known = this.#blocks.find((each) => each.kind === 'tool' && each.id === id)
    if (!known) this.#start(this.#blockFor(block), id, name)
    const { tools } = this.#transcript
    if (call.arguments !== undefined)
      tools.input(id, call.arguments, describeTool(this.#names, name, call.arguments).locations)
  }

  /** The block that streamed the call, unless it began under another id: that call was never made. */
  #blockFor(block: ToolBlock | undefined): ToolBlock {
    const free = block ?? this.#blocks.find((each) => each.kind === 'tool' && each.id === undefined)
    if (free?.kind === 'tool') {
      if (free.id !== undefined) this.#transcript.tools.end(free.id, { status: 'retracted' })
      return free
    }
    return this.#add({ kind: 'tool', id: undefined, held: [] })
  }

  #endTools(status: 'interrupted' | 'retracted'): void {
    const { tools } = this.#transcript
    for (const block of this.#blocks) {
      if (block.kind === 'tool' && block.id !== undefined && tools.isOpen(block.id))
        tools.end(block.id, { status })
    }
  }
}
