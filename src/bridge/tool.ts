import type { BridgeTool } from '../options/bridge-tool.ts'
import type { Schema } from '../options/schema-types.ts'

/** Gives a tool back as it is, with the input of `execute` typed by the tool's schema. */
export function defineTool<Input extends Schema, Output extends Schema = never>(
  tool: BridgeTool<Input, Output>,
): BridgeTool<Input, Output> {
  return tool
}
