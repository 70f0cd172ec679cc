import type { ToolKind, ToolLocation } from '../../protocol/events.ts'
import { asLine, asObject, asString, type JsonObject } from '../../protocol/narrow.ts'
import type { ToolDescription } from '../../protocol/tool-calls.ts'

type ServerTools = Readonly<Record<string, readonly string[]>>

/** One `tool_call` record, read. */
export interface CursorToolCall {
  id: string
  description: ToolDescription
  /** undefined: not in this record (a rejected call's `completed` leaves it out). */
  input: unknown
  /** A oneof object: one of 'success', 'failure', 'error', 'rejected', ... */
  result: JsonObject | undefined
}

/** The tools of 2026.10.01 and the few that only older builds have. What is not listed is of kind 'other'. */
const namesByKind: readonly (readonly [ToolKind, string])[] = [
  [
    'read',
    'read ls readLints readTodos listMcpResources readMcpResource getMcpTools blameByFilePath readCanvas',
  ],
  ['read', 'getPrCodeTour readAgentTranscript getAgentStatus fetchCloudAgentData piRead piLs'],
  ['edit', 'edit write applyAgentDiff writeCanvas updatePrCodeTour piEdit piWrite'],
  ['delete', 'delete'],
  ['search', 'glob grep semSearch searchConversations webSearch piGrep piFind'],
  ['execute', 'shell writeShellStdin setupVmEnvironment computerUse piBash'],
  ['think', 'updateTodos todo createPlan task reflect createGoal updateGoal createAgent'],
  ['think', 'startGrindPlanning startGrindExecution'],
  ['fetch', 'webFetch fetch'],
  ['switch_mode', 'switchMode'],
]

const kindByName: ReadonlyMap<string, ToolKind> = new Map(
  namesByKind.flatMap(([kind, names]) => names.split(' ').map((name) => [name, kind] as const)),
)

/**
 * Reads what a `tool_call` record says of its call; undefined when it names no tool.
 *
 * @param servers the tools of this turn's MCP servers, by server
 */
export function readToolCall(record: JsonObject, servers: ServerTools = {}): CursorToolCall | undefined {
  const call = asObject(record.tool_call)
  if (!call) return undefined
  const found = toolOf(call)
  if (!found) return undefined
  const { name, body } = found
  const args = asObject(body.args)
  // The id is opaque: it may hold a newline ("call_...\nfc_...").
  const id = asString(record.call_id) ?? asString(call.toolCallId) ?? asString(args?.toolCallId) ?? name
  const result = asObject(body.result)
  if (name === 'mcp') return { id, description: mcpDescription(args, servers), input: args?.args, result }
  const kind = kindByName.get(name) ?? 'other'
  return {
    id,
    description: { name, kind, locations: locationsOf(args) },
    input: found.input ?? body.args,
    result,
  }
}

/** The one key that ends in 'ToolCall'; its siblings (`toolCallId`, `startedAtMs`, ...) are no tools. */
function toolOf(call: JsonObject): { name: string; body: JsonObject; input?: unknown } | undefined {
  for (const key of Object.keys(call)) {
    if (!key.endsWith('ToolCall')) continue
    return { name: key.slice(0, -'ToolCall'.length), body: asObject(call[key]) ?? {} }
  }
  // Documented as the form of a tool without a name of its own; no recording has it.
  const custom = asObject(call.function)
  const name = asString(custom?.name)
  if (!custom || name === undefined) return undefined
  return { name, body: call, input: parsed(custom.arguments) }
}

/**
 * No recording has an MCP call: notes tell of two fields for its server, and nobody says which is as mcp.json has it; and of a `name`
 * that is both in one ("server-tool").
 */
function mcpDescription(args: JsonObject | undefined, servers: ServerTools): ToolDescription {
  const inOne = asString(args?.name)
  const both = Object.entries(servers).flatMap(([server, tools]) =>
    tools.filter((tool) => inOne === `${server}-${tool}`).map((name) => ({ server, name })),
  )
  const [only] = both
  if (args?.toolName === undefined && only && both.length === 1) return { ...only, kind: 'other' }
  const name = asString(args?.toolName) ?? inOne ?? 'mcp'
  const identifiers = [args?.serverIdentifier, args?.providerIdentifier].map(asString)
  const known = Object.entries(servers).flatMap(([server, tools]) => (tools.includes(name) ? [server] : []))
  const server =
    known.find((each) => identifiers.includes(each)) ??
    known.find((each) => identifiers.some((identifier) => identifier?.endsWith(`-${each}`)))
  return { name, kind: 'other', server: server ?? identifiers.find((each) => each !== undefined) }
}

function locationsOf(args: JsonObject | undefined): ToolLocation[] | undefined {
  const path = asString(args?.path) ?? asString(args?.targetDirectory)
  if (path === undefined || path === '') return undefined
  const line = asLine(args?.offset)
  return [line === undefined ? { path } : { path, line }]
}

function parsed(json: unknown): unknown {
  if (typeof json !== 'string') return json
  try {
    return JSON.parse(json)
  } catch {
    return json
  }
}
