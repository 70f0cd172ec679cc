import { ToolSchema } from '@modelcontextprotocol/sdk/types.js'
import { z } from 'zod'
import { shortened } from '../errors.ts'
import type { ToolAnnotations } from '../options/bridge-tool.ts'
import { present } from '../options/present.ts'
import { asObject, asString } from '../protocol/narrow.ts'

export interface ListedTool {
  name: string
  description?: string
  annotations?: ToolAnnotations
}

/** A tool that is not as MCP has tools, in words that end a sentence on its server. */
export class OddTool extends Error {}

/** Without what no CLI minds: an `outputSchema` of another type, a property that is `true` (claude 2.1.332, codex 0.171.0, pi 1.6.0). */
const schema = ToolSchema.omit({ outputSchema: true }).extend({
  inputSchema: z.looseObject({
    type: z.literal('object'),
    properties: z.record(z.string(), z.unknown()).optional(),
    required: z.array(z.string()).optional(),
  }),
})

/**
 * A tool as a server lists it. At one that is odd claude goes on without any of that server's (2.1.332), and codex does not begin.
 *
 * @param place which of its list it is, from 1
 * @throws OddTool
 */
export function readListedTool(value: unknown, place: number): ListedTool {
  const said = asString(asObject(value)?.name)
  if (said === undefined || said === '') throw new OddTool(`its tool ${place} has no name`)
  const result = schema.safeParse(value)
  if (!result.success) {
    const [issue] = result.error.issues
    const where = shortened(issue?.path.map(String).join('.') ?? '')
    const what = issue?.message.replace(/^Invalid \w+: /, '')
    throw new OddTool(
      `its tool ${JSON.stringify(shortened(said))} is not as MCP has tools: ${where}: ${what}`,
    )
  }
  const { name, description, annotations } = result.data
  return {
    name,
    ...(description !== undefined && { description }),
    ...(annotations && { annotations: present(annotations) }),
  }
}
