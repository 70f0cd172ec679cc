import type { PromptPart } from '../options/turn-options.ts'

/** codex takes a text as it is: what it would expand (mentions, skills) are parts of other kinds. */
export function inputPart(part: PromptPart): object {
  if (part.type === 'text') return { type: 'text', text: part.text, text_elements: [] }
  return { type: 'image', url: `data:${part.mimeType};base64,${part.data}` }
}
