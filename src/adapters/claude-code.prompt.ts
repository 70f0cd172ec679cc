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
 * A command is only a slash as the very first character. For mentions 2.1.332 has a switch; versions before it look only into
 * the last part of a prompt, and only if that is a text: there the text is cut behind its last mention.
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
  const before = parts.slice(0, -1)
  const cut = endOfWord(last.text, found.index + found[0].indexOf('@'))
  if (cut === undefined && claudeHas('attachmentsSwitch', version)) {
    // Costs claude's own reminders in this turn, but leaves the prompt in one piece.
    return { parts, environment: { ...environment, CLAUDE_CODE_DISABLE_ATTACHMENTS: '1' } }
  }
  const at = cut ?? found.index + found[0].length - 1
  const pieces = [last.text.slice(0, at), last.text.slice(at)]
  return { parts: [...before, ...pieces.map((text): PromptPart => ({ type: 'text', text }))], environment }
}

/** Where the word ends that begins at `start`; undefined if nothing but space follows it: the API refuses a blank text. */
function endOfWord(text: string, start: number): number | undefined {
  const rest = text.slice(start)
  const space = rest.search(/\s/)
  return space === -1 || rest.slice(space).trim() === '' ? undefined : start + space
}
