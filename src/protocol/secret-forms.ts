/** Shorter values are not hidden: they would turn up in ordinary text. */
export const shortestSecret = 6

/** What is to be hidden, and the name that stands in its place. */
export interface NamedSecret {
  name: string
  value: string
}

/**
 * A value as some encoder writes it: one list of spellings per piece, of which none begins another. A piece is a character that
 * has several spellings, or a stretch of those that have one.
 */
export type EscapedForm = readonly (readonly string[])[]

/** The value itself and its base64, which are spelled in one way only. */
export function literalForms(value: string): string[] {
  if (value.length < shortestSecret) return []
  return [...new Set([value, ...base64Forms(value)])]
}

/**
 * Base64 at each of the three places where a value can begin within a group of bytes, in both alphabets: what is the value's
 * own alone, so that it is found inside of a longer encoded text.
 */
export function base64Forms(value: string): string[] {
  const forms = [0, 1, 2].flatMap((before) => {
    const base64 = inBase64(value, before)
    return [base64, base64.replaceAll('+', '-').replaceAll('/', '_')]
  })
  return [...new Set(forms)].filter((form) => form.length >= shortestSecret)
}

/**
 * Inside JSON, up to four times over, and in an address. None for a value of letters and digits, which reads the same there:
 * no encoder escapes those.
 */
export function escapedForms(value: string): EscapedForm[] {
  if (value.length < shortestSecret || /^[\w.~-]*$/.test(value)) return []
  // Only a backslash is spelled differently at each depth; the other lists hold those of the depths above.
  const depths = value.includes('\\') ? [1, 2, 3, deepestJson] : [deepestJson]
  return [
    ...depths.map((depth) => formOf(value.split(''), (unit) => jsonSpellings(unit, depth))),
    formOf([...value], addressSpellings),
  ]
}

/**
 * The lines of a private key and of the like, each of which tells as much as the whole: a log has them one by one. Lines with
 * spaces, and headings such as "-----BEGIN", say nothing.
 */
export function tellingLines(value: string): string[] {
  if (!/[\r\n]/.test(value)) return []
  return value.split(/[\r\n]+/).filter((line) => /^[\w+/=.~][\w+/=.~-]{15,}$/.test(line))
}

const deepestJson = 4

function formOf(units: readonly string[], spellings: (unit: string) => Iterable<string>): EscapedForm {
  const form: string[][] = []
  const known = new Map<string, string[]>()
  let stretch = ''
  const close = () => {
    if (stretch !== '') form.push([stretch])
    stretch = ''
  }
  for (const unit of units) {
    if (/^[\w.~-]$/.test(unit)) {
      stretch += unit
      continue
    }
    close()
    const all = known.get(unit) ?? [...spellings(unit)]
    known.set(unit, all)
    form.push(all)
  }
  close()
  return form
}

const shortEscapes: Readonly<Record<string, string>> = {
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '"': '\\"',
  "'": "\\'",
  '/': '\\/',
  '\\': '\\\\',
}

/** How encoders write a UTF-16 unit inside of so many JSON texts, from not at all (but for a backslash) to all of them escaping it. */
function jsonSpellings(unit: string, depth: number): Set<string> {
  const code = unit.charCodeAt(0).toString(16).padStart(4, '0')
  const escapes = [shortEscapes[unit], `\\u${code}`, `\\u${code.toUpperCase()}`].flatMap((each) => each ?? [])
  const outermost = unit === '\\' ? escapes : [unit, ...escapes]
  let spellings = new Set(outermost)
  for (let level = 1; level < depth; level++) {
    const deeper = [...spellings].filter((spelling) => spelling !== unit).flatMap(inJson)
    spellings = new Set(unit === '\\' ? deeper : [...outermost, ...deeper])
  }
  return spellings
}

/** An escape inside of one more JSON text; some encoders escape the slash there, too. */
function inJson(escaped: string): string[] {
  const inner = escaped.replaceAll('\\', '\\\\').replaceAll('"', '\\"')
  return inner.endsWith('/') ? [inner, `${inner.slice(0, -1)}\\/`] : [inner]
}

/** A space is "+" in a form. A bare "%" would read as the beginning of a code. */
function addressSpellings(character: string): string[] {
  const code = [...Buffer.from(character, 'utf8')]
    .map((byte) => `%${byte.toString(16).padStart(2, '0')}`)
    .join('')
  return [
    ...(character === '%' ? [] : [character]),
    ...(character === ' ' ? ['+'] : []),
    ...new Set([code, code.toUpperCase()]),
  ]
}

/** The characters that are the value's own alone, when so many bytes stand before it in its group of three. */
function inBase64(value: string, before: number): string {
  const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(value, 'utf8')])
  return bytes.toString('base64').slice(Math.ceil((before * 8) / 6), Math.floor((bytes.length * 8) / 6))
}
