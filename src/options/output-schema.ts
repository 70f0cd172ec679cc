import type { Adapter } from '../adapters/adapter.ts'
import { type CallerSchema, readCallerSchema } from './caller-schema.ts'
import { invalid } from './faults.ts'

/**
 * Reads the option `outputSchema`.
 *
 * @throws AgentError `invalid_options` for what is no schema, and for what this CLI cannot hold its model to
 */
export function readOutputSchema(schema: unknown, { id, capabilities }: Adapter): CallerSchema {
  const read = readCallerSchema(schema, 'outputSchema')
  if (capabilities.outputSchema === 'native' && read.json.type !== 'object') {
    throw invalid(
      `${id} takes an \`outputSchema\` only of an object`,
      'Put it into one: z.object({ result: ... }), or { type: "object", properties: { result: ... } }.',
    )
  }
  return read
}
