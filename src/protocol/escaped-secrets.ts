import { base64Forms, type EscapedForm, escapedForms, type NamedSecret } from './secret-forms.ts'

/** A place where a secret stands whose spelling varies. */
export interface Sighting {
  index: number
  /** Where it ends; 'open' where the text ends before it does. */
  end: number | 'open'
  name: string
}

const none: readonly Sighting[] = []

/**
 * Finds the secrets that are spelled in more ways than could be listed: with escapes of JSON and of addresses, and in base64
 * that is broken into lines. Texts without a backslash, a percent sign or a line break have none but what reads as it is.
 */
export class EscapedSecrets {
  /** By the first character of a spelling. */
  readonly #escaped = new Map<string, { form: EscapedForm; name: string }[]>()
  /** By the low bytes of two characters: whether some spelling begins so. */
  readonly #escapedHeads = new Uint8Array(65_536)
  #marks = /[\\%]/
  /** By the first two characters. */
  readonly #base64 = new Map<string, { form: string; name: string }[]>()
  readonly #base64Heads = new Uint8Array(65_536)
  #longestBase64 = 0

  constructor(secrets: readonly NamedSecret[]) {
    for (const { name, value } of secrets) {
      for (const form of escapedForms(value)) this.#addEscaped(form, name)
      if (this.#escaped.size > 0 && value.includes(' ')) this.#marks = /[\\%+]/
      for (const form of base64Forms(value)) {
        entry(this.#base64, form.slice(0, shortestLine)).push({ form, name })
        this.#base64Heads[head(form.charCodeAt(0), form.charCodeAt(1))] = 1
        this.#longestBase64 = Math.max(this.#longestBase64, form.length)
      }
    }
  }

  /** In the order of their places. */
  find(text: string): readonly Sighting[] {
    const escaped = this.#escaped.size > 0 && this.#marks.test(text) ? this.#findEscaped(text) : none
    const broken = this.#longestBase64 > 0 && lineBreakMark.test(text) ? this.#findBroken(text) : none
    if (broken.length === 0) return escaped
    return [...escaped, ...broken].sort((a, b) => a.index - b.index)
  }

  #addEscaped(form: EscapedForm, name: string): void {
    const heads = headsOf(form)
    for (const first of new Set(heads.map((each) => each.charAt(0)))) {
      entry(this.#escaped, first).push({ form, name })
    }
    for (const each of heads) this.#escapedHeads[head(each.charCodeAt(0), each.charCodeAt(1))] = 1
  }

  #findEscaped(text: string): Sighting[] {
    const found: Sighting[] = []
    const heads = this.#escapedHeads
    const last = text.length - 1
    let code = text.charCodeAt(0)
    for (let index = 0; index <= last; index++) {
      const next = text.charCodeAt(index + 1)
      // The last character has no other beside it: whatever begins so can follow.
      if (index === last || heads[head(code, next)] === 1) this.#lookForEscaped(text, index, found)
      code = next
    }
    return found
  }

  #lookForEscaped(text: string, index: number, found: Sighting[]): void {
    for (const { form, name } of this.#escaped.get(text.charAt(index)) ?? []) {
      const end = endOfEscaped(text, index, form)
      if (end !== undefined) found.push({ index, end, name })
    }
  }

  /** Looks at what stands before each line break. */
  #findBroken(text: string): Sighting[] {
    const found: Sighting[] = []
    let code = text.charCodeAt(0)
    for (let place = 1; place < text.length; place++) {
      const before = code
      code = text.charCodeAt(place)
      if (beginsBreak(code) && isBase64(before)) this.#lookForBroken(text, place, found)
    }
    return found
  }

  /** Whether a form stands around the break at `place`. */
  #lookForBroken(text: string, place: number, found: Sighting[]): void {
    const earliest = Math.max(0, place - this.#longestBase64)
    for (let index = place - shortestLine; index >= earliest; index--) {
      const code = text.charCodeAt(index)
      if (!isBase64(code)) return
      if (this.#base64Heads[head(code, text.charCodeAt(index + 1))] === 0) continue
      for (const { form, name } of this.#base64.get(text.slice(index, index + shortestLine)) ?? []) {
        const end = endOfBroken(text, index, form)
        if (end !== undefined) found.push({ index, end, name })
      }
    }
  }
}

/** The first two characters of all that a form can begin with. */
function headsOf([first = [], second = []]: EscapedForm): string[] {
  return first.flatMap((spelling) =>
    spelling.length > 1 ? [spelling.slice(0, 2)] : second.map((next) => spelling + next.charAt(0)),
  )
}

function head(first: number, second: number): number {
  return ((first & 255) << 8) | (second & 255)
}

function beginsBreak(code: number): boolean {
  return code === 0x0a || code === 0x0d || code === 0x5c
}

/** Where a form ends that begins at `start`; 'open' where the text ends within it; undefined where it does not stand there. */
function endOfEscaped(text: string, start: number, form: EscapedForm): number | 'open' | undefined {
  let at = start
  for (const spellings of form) {
    const length = lengthOfSpelling(text, at, spellings)
    if (length > 0) {
      at += length
      continue
    }
    const rest = text.length - at
    return spellings.some((each) => each.length > rest && each.startsWith(text.slice(at)))
      ? 'open'
      : undefined
  }
  return at
}

function lengthOfSpelling(text: string, at: number, spellings: readonly string[]): number {
  for (const spelling of spellings) if (text.startsWith(spelling, at)) return spelling.length
  return 0
}

/** A form is looked for across a break only from here on: nearly every line ends in a character that some form begins with. */
const shortestLine = 2

const lineBreakMark = /[\r\n\\]/

/** As it is, or as JSON has it, with what indents the next line. */
const lineBreak = /(?:\r?\n|(?:\\+r)?\\+n)[ \t]*/y
const lineBreakBegun = /(?:\r|\\+(?:r\\*)?)$/y

/** The same for base64 that may be broken into lines. */
function endOfBroken(text: string, start: number, form: string): number | 'open' | undefined {
  let at = start
  for (let length = 0; length < form.length; ) {
    if (at >= text.length) return 'open'
    if (text.charAt(at) === form.charAt(length)) {
      length++
      at++
      continue
    }
    if (length < shortestLine) return undefined
    lineBreak.lastIndex = at
    if (!lineBreak.test(text)) {
      lineBreakBegun.lastIndex = at
      return lineBreakBegun.test(text) ? 'open' : undefined
    }
    at = lineBreak.lastIndex
  }
  return at
}

function isBase64(code: number): boolean {
  const isDigit = code >= 0x30 && code <= 0x39
  const isLetter = ((code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a) || code === 0x5f
  return isDigit || isLetter || code === 0x2b || code === 0x2f || code === 0x2d
}

function entry<Value>(map: Map<string, Value[]>, key: string): Value[] {
  const known = map.get(key)
  if (known) return known
  const made: Value[] = []
  map.set(key, made)
  return made
}
