import type { PromptPart } from '../options/turn-options.ts'
import { claudeHas } from './claude-code.versions.ts'

/** A prompt in the form in which claude leaves it alone. */
export interface LiteralPrompt {
  parts: PromptPart[]
  /** What has to be set for it. */
  environment: Record<string, string>
}

/** A file, an agent or a resource that claude would look up: an @ at the start of a word. */
const mention = /(?:^|\s)@\S*\w/g

/**
 * Keeps claude from expanding `@path` and from running `/command`, without changing what the model reads but for one leading
 * space before a slash.
 *
 * A command is only a slash as the very first character. For mentions 2.1.332 has a switch of its own, 2.0.72 one that also
 * turns off claude's reminders in this turn. 1.0.124 has none, but looks only into the last part of a prompt, and only if that is
 * a text: there it is cut in two behind its last mention.
 */
export function literalPrompt(prompt: readonly PromptPart[], version: string): LiteralPrompt {
  const parts = prompt.map(
    (part): PromptPart =>
      part.type === 'text' && part.text.startsWith('/') ? { type: 'text', text: ` ${part.text}` } : part,
  )
  const environment = { CLAUDE_CODE_DISABLE_FILE_MENTIONS: '1' }
  const last = parts.at(-1)
  if (claudeHas('fileMentionsSwitch', version) || last?.type !== 'text') return { parts, environment }
  const found = [...last.text.matchAll(mention)].at(-1)
  if (!found) return { parts, environment }
  if (claudeHas('attachmentsSwitch', version) !== false) {
    return { parts, environment: { ...environment, CLAUDE_CODE_DISABLE_ATTACHMENTS: '1' } }
  }
  const cut = placeToCut(last.text, found.index + found[0].length)
  const pieces = [last.text.slice(0, cut), last.text.slice(cut)]
  return {
    parts: [...parts.slice(0, -1), ...pieces.map((text): PromptPart => ({ type: 'text', text }))],
    environment,
  }
}

/** Behind the mention that ends at `end`; in its last letter, if only space follows it: the API refuses a blank text. */
function placeToCut(text: string, end: number): number {
  const space = text.slice(end).search(/\s/)
  const isLast = space === -1 || text.slice(end + space).trim() === ''
  return isLast ? end - 1 : end + space
}
