import { shortened } from '../errors.ts'
import { type CallerSchema, readCallerSchema } from '../options/caller-schema.ts'
import { invalid } from '../options/faults.ts'
import { asArray, asObject, asString, type JsonObject } from '../protocol/narrow.ts'
import type { BridgeTool, ToolAnnotations } from './tool.ts'

/** A tool that was looked through, ready to be listed and called. */
export interface ServedTool {
  tool: BridgeTool
  /** As `tools/list` says it. */
  listing: ToolListing
  input: CallerSchema
  output: CallerSchema | undefined
}

export interface ToolListing {
  name: string
  title?: string
  description: string
  inputSchema: { type: 'object'; [key: string]: unknown }
  outputSchema?: { type: 'object'; [key: string]: unknown }
  annotations?: ToolAnnotations
}

/** By name: a map, so that `constructor` is a name like any other. */
export type ServedTools = ReadonlyMap<string, ServedTool>

/** @throws AgentError `invalid_options`, naming the tool and what is wrong with it */
export function readTools(tools: readonly BridgeTool[]): ServedTools {
  const served = new Map<string, ServedTool>()
  /** Claude Code calls a tool `a.b` by the name of `a_b`. */
  const folded = new Map<string, string>()
  for (const [index, tool] of tools.entries()) {
    const name = readName(tool, index)
    const same = folded.get(fold(name))
    if (same !== undefined) {
      throw invalid(`The tools ${index} and "${same}" have the same name`, 'Rename one of them.')
    }
    folded.set(fold(name), name)
    served.set(name, readTool(tool, name))
  }
  return served
}

function readName(tool: BridgeTool, index: number): string {
  const name = asString(asObject(tool)?.name)
  if (name !== undefined && /^[A-Za-z0-9_.-]{1,128}$/.test(name)) return name
  const which = name === undefined ? 'has no name' : `is called ${JSON.stringify(shortened(name))}`
  throw invalid(`The tool ${index} ${which}`, "A name is 1 to 128 letters, digits, '_', '-' and '.'.")
}

function fold(name: string): string {
  return name.replaceAll('.', '_')
}

function readTool(tool: BridgeTool, name: string): ServedTool {
  const { title, description, annotations } = tool
  if (typeof description !== 'string') {
    throw invalid(`The tool "${name}" has no description`, 'The model chooses by it: say what the tool does.')
  }
  if (typeof tool.execute !== 'function') {
    throw invalid(`The tool "${name}" has no execute()`, 'Give the function that it calls.')
  }
  const input = readCallerSchema(tool.input, `input of the tool "${name}"`)
  const output =
    tool.output === undefined
      ? undefined
      : readCallerSchema(tool.output, `output of the tool "${name}"`, 'output')
  if (input.json.type !== undefined && input.json.type !== 'object') {
    throw invalid(
      `The input of the tool "${name}" is no object`,
      'MCP passes arguments by name: put what it takes into an object.',
    )
  }
  const listing: ToolListing = {
    name,
    ...(title !== undefined && { title }),
    description,
    // MCP wants to see the type, which a union of objects does not say.
    inputSchema: { ...input.json, type: 'object' },
    ...(output && isOfObject(output.json) && { outputSchema: { ...output.json, type: 'object' } }),
    ...(annotations && { annotations: { ...annotations } }),
  }
  return { tool, listing, input, output }
}

/** Only an object can be `structuredContent`; what answers with another thing is checked by its schema and said as text. */
function isOfObject(json: JsonObject): boolean {
  if (json.type !== undefined) return json.type === 'object'
  const choices = asArray(json.anyOf ?? json.oneOf)
  return choices.length > 0 && choices.every((choice) => isOfObject(asObject(choice) ?? {}))
}
