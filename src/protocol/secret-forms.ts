/** Shorter values are not hidden: they would turn up in ordinary text. */
export const shortestSecret = 6

/**
 * The ways in which a value turns up in what a CLI prints: as it is, inside JSON (once and twice), in an address, and in
 * base64 at each of the three places where it can begin within a group of bytes. Base64 that is broken into lines and other
 * encodings are not found: this guards against a paste, not against an agent that wants to tell.
 */
export function secretForms(value: string): string[] {
  if (value.length < shortestSecret) return []
  const json = inJson(value)
  const address = inAddress(value)
  const forms = new Set([
    value,
    json,
    inJson(json),
    asciiOnly(json),
    address,
    address.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()),
    address.replace(/%20/g, '+'),
    // encodeURIComponent leaves these five alone, others do not.
    address.replace(/[!'()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`),
  ])
  for (const before of [0, 1, 2]) {
    const base64 = inBase64(value, before)
    forms.add(base64)
    forms.add(base64.replaceAll('+', '-').replaceAll('/', '_'))
  }
  return [...forms].filter((form) => form.length >= shortestSecret)
}

function inJson(text: string): string {
  return JSON.stringify(text).slice(1, -1)
}

/** As encoders write it that print nothing but ASCII. */
function asciiOnly(json: string): string {
  return json.replace(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

function inAddress(text: string): string {
  // By way of UTF-8, because encodeURIComponent throws on a lone surrogate.
  return encodeURIComponent(Buffer.from(text, 'utf8').toString('utf8'))
}

/** The characters that are the value's own alone, when so many bytes stand before it in its group of three. */
function inBase64(value: string, before: number): string {
  const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(value, 'utf8')])
  return bytes.toString('base64').slice(Math.ceil((before * 8) / 6), Math.floor((bytes.length * 8) / 6))
}
