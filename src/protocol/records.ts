import { asObject, type JsonObject } from './narrow.ts'

/** What one line of stdout holds: a record, several of them, or none. `not_object` is JSON, but no object. */
export type Line = JsonObject | JsonObject[] | 'blank' | 'not_object' | 'invalid'

/** CSI and OSC sequences that a shell's start-up or a hook glues to the front of a line. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences are what it is about
const leadingEscapes = /^(?:\uFEFF|\u001b\[[0-9;?]*[ -/]*[@-~]|\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\))+/

export function parseLine(line: string): Line {
  const first = line.charCodeAt(0)
  const text = first === 0x1b || first === 0xfeff ? line.replace(leadingEscapes, '') : line
  if (text.length < 2 && text.trim() === '') return line === text ? 'blank' : 'invalid'
  try {
    return asObject(JSON.parse(text)) ?? 'not_object'
  } catch {
    if (text.trim() === '') return line === text ? 'blank' : 'invalid'
    return gluedObjects(text) ?? 'invalid'
  }
}

/** Several objects on one line (seen of cursor around a retry): all of them, or nothing if anything else is on it. */
function gluedObjects(text: string): JsonObject[] | undefined {
  const records: JsonObject[] = []
  let depth = 0
  let start = 0
  let inString = false
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (inString) {
      if (code === 0x5c) index++
      else if (code === 0x22) inString = false
    } else if (code === 0x22) {
      if (depth === 0) return undefined
      inString = true
    } else if (code === 0x7b || code === 0x5b) {
      if (depth++ === 0) start = index
    } else if (code === 0x7d || code === 0x5d) {
      if (--depth < 0) return undefined
      if (depth === 0) {
        const record = parseObject(text.slice(start, index + 1))
        if (!record) return undefined
        records.push(record)
      }
    } else if (depth === 0 && text.slice(index, index + 1).trim() !== '') {
      return undefined
    }
  }
  return depth === 0 && records.length > 1 ? records : undefined
}

function parseObject(text: string): JsonObject | undefined {
  try {
    return asObject(JSON.parse(text))
  } catch {
    return undefined
  }
}
