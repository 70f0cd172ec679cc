import { toJson } from '../../protocol/depth.ts'
import type { ContentBlock, ToolStatus } from '../../protocol/events.ts'
import { asArray, asNumber, asObject, asString, type JsonObject, lookUp } from '../../protocol/narrow.ts'
import type { ToolResult } from '../../protocol/tool-calls.ts'

const statusByOutcome: Readonly<Record<string, ToolStatus>> = {
  success: 'completed',
  failure: 'failed',
  error: 'failed',
  spawnError: 'failed',
  timeout: 'failed',
  rejected: 'rejected',
  permissionDenied: 'rejected',
}
const knownOutcomes = Object.keys(statusByOutcome)

/** What a call's `result` says. A result that is no success is never a completed call, whatever its name. */
export function readToolResult(result: JsonObject | undefined): ToolResult {
  if (!result) return { status: 'completed' }
  const outcome = outcomeOf(result)
  if (outcome === undefined) return { status: 'failed' }
  const told = result[outcome]
  const body = asObject(told)
  if (!body) return { status: lookUp(statusByOutcome, outcome) ?? 'failed', output: asString(told) }
  const status = body.isError === true ? 'failed' : (lookUp(statusByOutcome, outcome) ?? 'failed')
  return {
    status,
    output: status === 'rejected' ? reasonOf(body) : outputOf(body),
    content: contentOf(body),
    exitCode: asNumber(body.exitCode),
  }
}

function outcomeOf(result: JsonObject): string | undefined {
  for (const name of knownOutcomes) if (name in result) return name
  return Object.keys(result).find((name) => asObject(result[name]) !== undefined)
}

/** What a sub-agent said, from the result of its `task` call: the stream itself has nothing of it. */
export function conversationSteps(result: JsonObject | undefined): { text?: string; thinking?: string }[] {
  return asArray(asObject(result?.success)?.conversationSteps).map((step) => {
    const text = asString(asObject(asObject(step)?.assistantMessage)?.text)
    const thinking = asString(asObject(asObject(step)?.thinkingMessage)?.text)
    return { ...(text !== undefined && { text }), ...(thinking !== undefined && { thinking }) }
  })
}

function reasonOf(body: JsonObject): string | undefined {
  return firstText(body, ['reason', 'error', 'message']) || undefined
}

/** By shape, not by tool: what a new tool says in a known field is understood too. */
function outputOf(body: JsonObject): string | undefined {
  const shell = shellOutput(body)
  if (shell !== undefined) return shell
  if (imageOf(body)) return undefined
  if (Array.isArray(body.content)) return joined(body.content.map((block) => blockText(asObject(block))))
  if (Array.isArray(body.references)) return references(body.references)
  if (Array.isArray(body.conversationSteps)) {
    return conversationSteps({ success: body }).findLast((step) => step.text !== undefined)?.text
  }
  const matches = asObject(body.workspaceResults)
  if (matches) return grepOutput(matches)
  if (Array.isArray(body.files)) return joined(body.files.map(asString))
  return firstText(body, textFields) ?? (Object.keys(body).length > 0 ? toJson(body) : undefined)
}

const textFields = [
  'content',
  'markdown',
  'diffString',
  'output',
  'text',
  'message',
  'resultForModel',
  'error',
  'errorMessage',
  'reason',
]

/** The first of these fields that has a text; an empty one only where no other has any. */
function firstText(body: JsonObject, fields: readonly string[]): string | undefined {
  let first: string | undefined
  for (const field of fields) {
    const text = asString(body[field])
    if (text) return text
    first ??= text
  }
  return first
}

function shellOutput(body: JsonObject): string | undefined {
  const stdout = asString(body.stdout)
  const stderr = asString(body.stderr)
  const interleaved = asString(body.interleavedOutput)
  if (interleaved || (stdout === undefined && stderr === undefined)) return interleaved
  const apart = stdout && stderr && !stdout.endsWith('\n') ? '\n' : ''
  return `${stdout ?? ''}${apart}${stderr ?? ''}`
}

function references(list: readonly unknown[]): string {
  return list
    .map(asObject)
    .map((entry) => joined([entry?.title, entry?.url, entry?.chunk].map(asString)))
    .join('\n\n')
}

/** `file:line:text` for contents, else one file (and its count) per line. */
function grepOutput(workspaces: JsonObject): string {
  const lines: (string | undefined)[] = []
  for (const workspace of Object.values(workspaces)) {
    const { content, files, count } = asObject(workspace) ?? {}
    for (const match of asArray(asObject(content)?.matches).map(asObject)) {
      for (const found of asArray(match?.matches).map(asObject)) {
        lines.push(
          `${asString(match?.file)}:${asNumber(found?.lineNumber)}:${asString(found?.content) ?? ''}`,
        )
      }
    }
    lines.push(...asArray(asObject(files)?.files).map(asString))
    for (const counted of asArray(asObject(count)?.counts).map(asObject)) {
      lines.push(`${asString(counted?.file)}:${asNumber(counted?.count)}`)
    }
  }
  return joined(lines)
}

function joined(texts: readonly (string | undefined)[]): string {
  return texts.filter((text) => text !== undefined).join('\n')
}

function contentOf(body: JsonObject): ContentBlock[] | undefined {
  const image = imageOf(body)
  if (image) return [image]
  const blocks = asArray(body.content).map(asObject)
  if (!blocks.some((block) => blockImage(block) !== undefined)) return undefined
  return blocks.flatMap((block) => {
    const text = blockText(block)
    const blockContent =
      blockImage(block) ?? (text === undefined ? undefined : { type: 'text' as const, text })
    return blockContent ? [blockContent] : []
  })
}

/** MCP content as the CLI prints it, `{text:{text}}`, and as MCP itself has it, `{type:'text',text}`. */
function blockText(block: JsonObject | undefined): string | undefined {
  return asString(asObject(block?.text)?.text) ?? asString(block?.text)
}

function blockImage(block: JsonObject | undefined): ContentBlock | undefined {
  return imageOf(asObject(block?.image) ?? block ?? {})
}

/** The first characters of the base64 of a picture. */
const pictures: readonly (readonly [string, string])[] = [
  ['iVBORw0KGgo', 'image/png'],
  ['/9j/', 'image/jpeg'],
  ['R0lGOD', 'image/gif'],
  ['UklGR', 'image/webp'],
]

function imageOf(body: JsonObject): ContentBlock | undefined {
  const data = asString(body.data)
  if (data === undefined) return undefined
  const mimeType = asString(body.mimeType) ?? pictures.find(([beginning]) => data.startsWith(beginning))?.[1]
  return mimeType?.startsWith('image/') ? { type: 'image', mimeType, data } : undefined
}
