import { EscapedSecrets, type Sighting } from './escaped-secrets.ts'
import { literalForms, type NamedSecret, shortestSecret, tellingLines } from './secret-forms.ts'

/** What a look at a piece of text yields. */
export interface Scan {
  /** What can be said of the text before `held`, with the secrets replaced. */
  text: string
  /** Where the tail begins that could still become a secret; the text's length if there is none. */
  held: number
}

interface Pattern {
  form: string
  replacement: string
}

/** Where a secret stands in a text. */
export interface Match {
  start: number
  end: number
  replacement: string
}

/** All forms have at least this many characters; their first ones are what the search looks for. */
const headLength = shortestSecret

/** What a text ends with whose end was cut off. */
const cutMark = /(?:…(?: \(\d+ characters\))?)?$/

/**
 * Finds secrets in text that comes in pieces: at the leftmost place the longest form, then on behind it. Because a place is
 * only decided when no longer form can begin there any more, the result does not depend on where the text was cut.
 */
export class SecretMatcher {
  /** Forms by their head, longest first. */
  readonly #patterns = new Map<string, Pattern[]>()
  /** All beginnings of heads that are shorter than a head. */
  readonly #beginnings = new Set<string>()
  /** By the low byte of a character: whether some form begins so. */
  readonly #first = new Uint8Array(256)
  /**
   * By the last two characters of a window: how far the window can move on without missing a head (Wu and Manber's search).
   * Most text is passed over in steps of five.
   */
  readonly #shifts = new Uint8Array(65_536).fill(headLength - 1)
  readonly #escaped: EscapedSecrets
  readonly #replacements = new Map<string, string>()

  /** @param mark what stands in the place of a secret; default `[redacted:NAME]` */
  constructor(secrets: readonly NamedSecret[], mark: (name: string) => string = redactedMark) {
    const forms = new Map<string, string>()
    const add = (form: string, name: string) => {
      if (!forms.has(form)) forms.set(form, name)
    }
    for (const { name, value } of secrets) for (const form of literalForms(value)) add(form, name)
    for (const { name, value } of secrets) for (const line of tellingLines(value)) add(line, name)
    for (const { name } of secrets) this.#replacements.set(name, replacementFor(mark(name), forms))
    for (const [form, name] of forms) this.#add(form, this.#replacementOf(name))
    for (const patterns of this.#patterns.values()) patterns.sort((a, b) => b.form.length - a.form.length)
    this.#escaped = new EscapedSecrets(secrets)
  }

  get isEmpty(): boolean {
    return this.#patterns.size === 0
  }

  #add(form: string, replacement: string): void {
    const head = form.slice(0, headLength)
    const others = this.#patterns.get(head)
    if (others) others.push({ form, replacement })
    else this.#patterns.set(head, [{ form, replacement }])
    this.#first[head.charCodeAt(0) & 255] = 1
    for (let length = 1; length < headLength; length++) this.#beginnings.add(head.slice(0, length))
    for (let index = 0; index < headLength - 1; index++) {
      const block = blockAt(head, index)
      this.#shifts[block] = Math.min(this.#shifts[block] ?? 0, headLength - 2 - index)
    }
  }

  /** The whole text, with its secrets replaced; the same string if there are none. */
  replace(text: string): string {
    return this.scan(text, 0, true).text
  }

  /** Where the secrets stand in a text, from left to right. */
  matches(text: string): Match[] {
    const found: Match[] = []
    this.scan(text, 0, true, (match) => found.push(match))
    return found
  }

  /** The same for a text whose beginning was cut off, perhaps within a secret. */
  replaceTail(text: string): string {
    let cut = 0
    let replacement = ''
    for (const pattern of [...this.#patterns.values()].flat()) {
      const length = commonLength(pattern.form, text)
      if (length <= cut) continue
      cut = length
      replacement = pattern.replacement
    }
    return replacement + this.replace(text.slice(cut))
  }

  /** The same for a text whose end may have been cut off within a secret, with or without a mark of that. */
  replaceCut(text: string): string {
    const { index } = cutMark.exec(text) ?? { index: text.length }
    const kept = text.slice(0, index)
    const { held } = this.scan(kept, 0, false)
    // What is shorter cannot be told from other text.
    if (index - held < headLength) return this.replace(text)
    const rest = kept.slice(held)
    const literal = this.#patterns.get(rest.slice(0, headLength))?.find(({ form }) => form.startsWith(rest))
    const sighting = this.#escaped.find(rest).find((each) => each.index === 0)
    const replacement = literal?.replacement ?? this.#replacementOf(sighting?.name ?? '')
    return this.replace(text.slice(0, held)) + replacement + text.slice(index)
  }

  /**
   * Looks at a piece. The first `context` characters were said before and are only looked at: what of a secret goes beyond
   * them is replaced. With `final` nothing more follows, so nothing is held.
   */
  scan(text: string, context: number, final: boolean, report?: (match: Match) => void): Scan {
    const end = text.length
    let said = ''
    let from = 0
    const passed = (until: number) => text.slice(Math.max(from, context), Math.max(until, context))
    const escaped = this.#escaped.find(text)
    let passedBy = 0
    const next = (after: number) => {
      while ((escaped[passedBy]?.index ?? end) < after) passedBy++
      return Math.min(this.#nextHead(text, after), escaped[passedBy]?.index ?? end)
    }
    let index = next(0)
    while (index < end) {
      const found = this.#longestAt(text, index, final, escaped, passedBy)
      if (found === 'open') {
        const held = Math.min(index, this.#beginningIn(text, Math.max(from, end - headLength + 1)))
        return { text: said + passed(held), held }
      }
      if (found) {
        report?.(found)
        said += passed(index)
        from = found.end
        if (from > context) said += found.replacement
      }
      index = next(found ? from : index + 1)
    }
    const held = final ? end : this.#beginningIn(text, Math.max(from, end - headLength + 1))
    if (from === 0 && context === 0 && held === end) return { text, held }
    return { text: said + passed(held), held }
  }

  /** The next place at or after `from` where some head stands; the text's length if there is none. */
  #nextHead(text: string, from: number): number {
    const last = text.length - headLength
    for (let index = from; index <= last; ) {
      const shift = this.#shifts[blockAt(text, index + headLength - 2)] ?? 0
      if (shift > 0) index += shift
      else if (this.#patterns.has(text.slice(index, index + headLength))) return index
      else index += 1
    }
    return text.length
  }

  /** The longest form that stands at a place; 'open' while a longer one can still come about. */
  #longestAt(
    text: string,
    index: number,
    final: boolean,
    escaped: readonly Sighting[],
    first: number,
  ): Match | 'open' | undefined {
    let longest = this.#literalAt(text, index, final)
    if (longest === 'open') return longest
    for (let place = first; place < escaped.length; place++) {
      const sighting = escaped[place]
      if (sighting?.index !== index) break
      if (sighting.end === 'open') {
        if (!final) return 'open'
      } else if (sighting.end > (longest?.end ?? 0)) {
        longest = { start: index, end: sighting.end, replacement: this.#replacementOf(sighting.name) }
      }
    }
    return longest
  }

  #literalAt(text: string, index: number, final: boolean): Match | 'open' | undefined {
    const left = text.length - index
    for (const { form, replacement } of this.#patterns.get(text.slice(index, index + headLength)) ?? []) {
      if (form.length <= left) {
        if (text.startsWith(form, index)) return { start: index, end: index + form.length, replacement }
      } else if (!final && form.startsWith(text.slice(index))) return 'open'
    }
    return undefined
  }

  #replacementOf(name: string): string {
    return this.#replacements.get(name) ?? '***'
  }

  /** Where a beginning that is shorter than a head stands at the text's end. */
  #beginningIn(text: string, from: number): number {
    for (let index = from; index < text.length; index++) {
      if (this.#first[text.charCodeAt(index) & 255] === 1 && this.#beginnings.has(text.slice(index)))
        return index
    }
    return text.length
  }
}

/** How long the longest end of a form is that the text begins with; 0 where it is too short to be told from other text. */
function commonLength(form: string, text: string): number {
  for (let length = Math.min(form.length, text.length); length >= headLength; length--) {
    if (text.startsWith(form.slice(-length))) return length
  }
  return 0
}

function blockAt(text: string, index: number): number {
  return ((text.charCodeAt(index) & 255) << 8) | (text.charCodeAt(index + 1) & 255)
}

function redactedMark(name: string): string {
  return `[redacted:${name}]`
}

/** What stands in a secret's place: never something that holds a secret itself, nor what JSON would have to escape. */
function replacementFor(mark: string, forms: ReadonlyMap<string, string>): string {
  const candidates = [mark.replace(/[^\w.:[\]-]/g, '_'), '[redacted]']
  const isClean = (candidate: string) => ![...forms.keys()].some((form) => candidate.includes(form))
  return candidates.find(isClean) ?? '***'
}
