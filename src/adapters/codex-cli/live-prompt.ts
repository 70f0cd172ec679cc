import type { PromptPart } from '../../protocol/prompt.ts'
import type { WireStart } from '../../protocol/wire.ts'
import type { Conversation } from './live-conversation.ts'

/** What `turn/start` takes. */
export function turnStartOf(
  { threadId, wantedModel: model }: Conversation,
  prompt: readonly PromptPart[],
  { outputSchema }: NonNullable<WireStart['opening']> = {},
): Readonly<Record<string, unknown>> {
  return {
    threadId,
    input: prompt.map(inputPart),
    ...(model !== undefined && { model }),
    ...(outputSchema !== undefined && { outputSchema }),
  }
}

/** codex takes a text as it is: what it would expand (mentions, skills) are parts of other kinds. */
export function inputPart(part: PromptPart): object {
  if (part.type === 'text') return { type: 'text', text: part.text, text_elements: [] }
  return { type: 'image', url: `data:${part.mimeType};base64,${part.data}` }
}
