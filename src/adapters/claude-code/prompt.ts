import type { PromptPart } from '../../protocol/prompt.ts'
import { claudeHas } from './versions.ts'

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
  const parts = prompt.map((part) => withoutCommand(part, ' '))
  const environment = { CLAUDE_CODE_DISABLE_FILE_MENTIONS: '1' }
  const isShut = claudeHas('fileMentionsSwitch', version) === true
  if (isShut || lastMention(parts) === undefined) return { parts, environment }
  if (claudeHas('attachmentsSwitch', version) !== false) {
    return { parts, environment: { ...environment, CLAUDE_CODE_DISABLE_ATTACHMENTS: '1' } }
  }
  return { parts: cutBehindMentions(parts), environment }
}

/** The same for a process whose environment knows of no prompt yet. The cut keeps 2.0.72 from looking, too. */
export function literalParts(prompt: readonly PromptPart[], version: string): PromptPart[] {
  const parts = prompt.map((part) => withoutCommand(part, ' '))
  return claudeHas('fileMentionsSwitch', version) ? parts : cutBehindMentions(parts)
}

/** The same for a message to a running turn. 2.1.332 does not hand on what begins with a slash behind any white space. */
export function literalSteer(text: string, version: string): PromptPart[] {
  const parts = [withoutCommand({ type: 'text', text }, '\u200b')]
  return claudeHas('fileMentionsSwitch', version) ? parts : cutBehindMentions(parts)
}

function withoutCommand(part: PromptPart, prefix: string): PromptPart {
  if (part.type !== 'text') return part
  const isCommand = prefix === ' ' ? part.text.startsWith('/') : part.text.trimStart().startsWith('/')
  return isCommand ? { type: 'text', text: `${prefix}${part.text}` } : part
}

function cutBehindMentions(parts: PromptPart[]): PromptPart[] {
  const last = parts.at(-1)
  const end = lastMention(parts)
  if (last?.type !== 'text' || end === undefined) return parts
  const cut = placeToCut(last.text, end)
  const pieces = [last.text.slice(0, cut), last.text.slice(cut)]
  return [...parts.slice(0, -1), ...pieces.map((text): PromptPart => ({ type: 'text', text }))]
}

/** Where the last mention of the last part ends. */
function lastMention(parts: readonly PromptPart[]): number | undefined {
  const last = parts.at(-1)
  const found = last?.type === 'text' ? [...last.text.matchAll(mention)].at(-1) : undefined
  return found && found.index + found[0].length
}

/** Behind the mention that ends at `end`; in its last letter, if only space follows it: the API refuses a blank text. */
function placeToCut(text: string, end: number): number {
  const space = text.slice(end).search(/\s/)
  const isLast = space === -1 || text.slice(end + space).trim() === ''
  return isLast ? end - 1 : end + space
}

/** A prompt as a record of `--input-format stream-json`: the only form that takes images. */
export function userRecord(parts: readonly PromptPart[], uuid?: string): object {
  const content = parts.map((part) =>
    part.type === 'text'
      ? { type: 'text', text: part.text }
      : { type: 'image', source: { type: 'base64', media_type: part.mimeType, data: part.data } },
  )
  return {
    type: 'user',
    message: { role: 'user', content },
    parent_tool_use_id: null,
    session_id: '',
    ...(uuid !== undefined && { uuid }),
  }
}
