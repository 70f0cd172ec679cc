import { type CallToolResult, CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js'
import { wordsOf } from '../errors.ts'
import { issueAt } from '../options/issues.ts'
import { asArray, asObject, asString } from '../protocol/narrow.ts'
import { issueLine } from './issue-line.ts'
import type { ServedTool } from './served-tools.ts'
import { wellFormed } from './well-formed.ts'

export type { CallToolResult }

/** What a function returned, as MCP says it; or what is wrong with it. */
export type ReadResult = { result: CallToolResult } | { fault: string }

/** A model's context holds a small part of it, and the clients that we drive have the same text several times in memory. */
const mostCharacters = 16 * 1024 * 1024

export async function readResult(returned: unknown, served: ServedTool): Promise<ReadResult> {
  const read = await asResult(returned, served)
  if ('fault' in read) return read
  if (lengthOf(read.result.content) <= mostCharacters) return { result: readable(read.result) }
  return { fault: `is longer than ${mostCharacters} characters` }
}

function readable(result: CallToolResult): CallToolResult {
  const json = JSON.stringify(result)
  // What is well-formed is not escaped there.
  if (!json.includes('\\ud')) return result
  return CallToolResultSchema.parse(
    JSON.parse(json, (_, value) => (typeof value === 'string' ? wellFormed(value) : value)),
  )
}

/** Of all texts in it. */
function lengthOf(value: unknown): number {
  if (typeof value === 'string') return value.length
  if (typeof value !== 'object' || value === null) return 0
  return Object.values(value).reduce<number>((sum, part) => sum + lengthOf(part), 0)
}

async function asResult(returned: unknown, { output, listing }: ServedTool): Promise<ReadResult> {
  if (!output) return asContent(returned)
  const checked = await output.check(returned)
  if ('issues' in checked) return { fault: `does not fit its output schema: ${issueLine(checked.issues)}` }
  const written = asJson(checked.value)
  if ('fault' in written) return written
  const structured = listing.outputSchema && asObject(JSON.parse(written.json))
  return { result: { content: textOf(written.json), ...(structured && { structuredContent: structured }) } }
}

/** Text as it is, MCP content as it is, and anything else as JSON. */
function asContent(returned: unknown): ReadResult {
  if (typeof returned === 'string') return { result: { content: textOf(returned) } }
  const content = contentOf(returned)
  if (!content) {
    const written = asJson(returned)
    return 'fault' in written ? written : { result: { content: textOf(written.json) } }
  }
  const parsed = CallToolResultSchema.safeParse(content)
  if (parsed.success) return { result: parsed.data }
  const issues = parsed.error.issues.map(({ path, message }) => issueAt(path.map(String), message))
  return { fault: `is no MCP content: ${issueLine(issues)}` }
}

/** A whole result, a list of blocks or a single block; undefined: something else. */
function contentOf(returned: unknown): object | undefined {
  if (Array.isArray(returned)) {
    return returned.length > 0 && returned.every(isBlock) ? { content: returned } : undefined
  }
  if (isBlock(returned)) return { content: [returned] }
  const whole = asObject(returned)
  return whole && Array.isArray(whole.content) && asArray(whole.content).every(isBlock) ? whole : undefined
}

/** What each kind of block is made of. */
const blocks: ReadonlyMap<string, string> = new Map([
  ['text', 'text'],
  ['image', 'data'],
  ['audio', 'data'],
  ['resource', 'resource'],
  ['resource_link', 'uri'],
])

function isBlock(value: unknown): boolean {
  const block = asObject(value)
  const part = blocks.get(asString(block?.type) ?? '')
  return block !== undefined && part !== undefined && part in block
}

function asJson(value: unknown): { json: string } | { fault: string } {
  if (typeof value === 'function' || typeof value === 'symbol') {
    return { fault: `cannot be said as JSON: it is a ${typeof value}` }
  }
  try {
    return { json: JSON.stringify(value) ?? '' }
  } catch (error) {
    return { fault: `cannot be said as JSON: ${wordsOf(error)}` }
  }
}

/** Never an empty one: the model's API refuses it. */
function textOf(text: string): CallToolResult['content'] {
  return [{ type: 'text', text: text === '' ? '(no output)' : text }]
}

export function errorResult(message: string): CallToolResult {
  return { isError: true, content: textOf(wellFormed(message)) }
}
