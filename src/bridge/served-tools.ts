import { shortened } from '../errors.ts'
import type { BridgeTool, ToolAnnotations, ToolContext } from '../options/bridge-tool.ts'
import { type CallerSchema, readCallerSchema } from '../options/caller-schema.ts'
import { invalid } from '../options/faults.ts'
import { guarded, readPlainData } from '../options/plain-data.ts'
import { asArray, asObject, asString, type JsonObject } from '../protocol/narrow.ts'
import { wellFormed } from './well-formed.ts'

type Execute = (input: unknown, context: ToolContext) => unknown

/** A tool that was looked through, ready to be listed and called. */
export interface ServedTool {
  execute: Execute
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
  for (const [index, given] of tools.entries()) {
    const tool = readFields(given, index)
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

/** Each of its fields, once: a tool may be an instance of a class, with getters. */
interface ToolFields extends Readonly<Partial<Record<Exclude<keyof BridgeTool, 'execute'>, unknown>>> {
  execute: Execute | undefined
}

function readFields(tool: BridgeTool, index: number): ToolFields {
  const fields = guarded((): ToolFields | undefined => {
    if (asObject(tool) === undefined) return undefined
    const { name, title, description, input, output, annotations, execute } = tool
    return { name, title, description, input, output, annotations, execute: bound(execute, tool) }
  })
  if (fields) return fields
  throw invalid(
    `The tool ${index} cannot be read, or is none`,
    'Give { name, description, input, execute }, of which no getter throws.',
  )
}

/** A function of a caller's, as a method of whatever it belongs to. */
function bound(execute: unknown, tool: BridgeTool): Execute | undefined {
  if (typeof execute !== 'function') return undefined
  return (input, context): unknown => Reflect.apply(execute, tool, [input, context])
}

function readName({ name: given }: ToolFields, index: number): string {
  const name = asString(given)
  if (name !== undefined && /^[A-Za-z0-9_.-]{1,128}$/.test(name)) return name
  const which = name === undefined ? 'has no name' : `is called ${JSON.stringify(shortened(name))}`
  throw invalid(`The tool ${index} ${which}`, "A name is 1 to 128 letters, digits, '_', '-' and '.'.")
}

function fold(name: string): string {
  return name.replaceAll('.', '_')
}

function readTool(tool: ToolFields, name: string): ServedTool {
  const { title, description, execute } = tool
  if (title !== undefined && typeof title !== 'string') {
    throw invalid(`The title of the tool "${name}" is no text`, 'Give a text, or leave it out.')
  }
  if (typeof description !== 'string') {
    throw invalid(`The tool "${name}" has no description`, 'The model chooses by it: say what the tool does.')
  }
  if (!execute) {
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
    description: wellFormed(description),
    // MCP wants to see the type, which a union of objects does not say.
    inputSchema: { ...input.json, type: 'object' },
    ...(output && isOfObject(output.json) && { outputSchema: { ...output.json, type: 'object' } }),
    ...(tool.annotations !== undefined && { annotations: readAnnotations(tool.annotations, name) }),
  }
  return { execute, listing, input, output }
}

const hints = ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'] as const

/** A client turns a whole list of tools away for one hint that MCP does not know so. */
function readAnnotations(given: unknown, name: string): ToolAnnotations {
  const { value, issues } = readPlainData(given)
  const read = asObject(value)
  const { title, ...rest } = read ?? {}
  const isKnown = ([key, hint]: [string, unknown]) =>
    hints.some((each) => each === key) && (hint === undefined || typeof hint === 'boolean')
  const isSound = (title === undefined || typeof title === 'string') && Object.entries(rest).every(isKnown)
  if (!read || issues.length > 0 || !isSound) {
    throw invalid(
      `The annotations of the tool "${name}" are no hints of MCP`,
      `Give { title?: a text, ${hints.join('?, ')}?: true or false }.`,
    )
  }
  return read
}

/** Only an object can be `structuredContent`; what answers with another thing is checked by its schema and said as text. */
function isOfObject(json: JsonObject): boolean {
  if (json.type !== undefined) return json.type === 'object'
  const choices = asArray(json.anyOf ?? json.oneOf)
  return choices.length > 0 && choices.every((choice) => isOfObject(asObject(choice) ?? {}))
}
