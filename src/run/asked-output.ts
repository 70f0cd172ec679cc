import type { CheckedOptions } from '../options/check.ts'
import type { JsonSchema } from '../options/schema-types.ts'
import type { PromptPart } from '../protocol/prompt.ts'
import type { TurnNotice } from './turn-notice.ts'

/** How a turn comes to an answer that fits its `outputSchema`. */
export interface OutputPlan {
  /** What the CLI is to hold its model to. Absent: nothing, or it was asked for. */
  schema?: JsonSchema
  /** The prompt as it is sent. */
  ask(prompt: PromptPart[]): PromptPart[]
  notice?: TurnNotice
}

export function planOutput({ adapter, launch, transport }: CheckedOptions, version: string): OutputPlan {
  const { outputSchema: schema } = launch
  if (!schema) return { ask: (prompt) => prompt }
  const ask = (prompt: PromptPart[]) => withRequest(prompt, schema)
  if (adapter.capabilities.outputSchema === 'asked') return { ask }
  const reason = adapter.withoutOutputSchema?.(schema, { version, transport })
  if (reason === undefined) return { schema, ask: (prompt) => prompt }
  const message = `The prompt asks for the outputSchema, for ${adapter.id} ${version} cannot hold its model to it: ${reason}.`
  return { ask, notice: { level: 'warning', code: 'output_asked', message } }
}

/** In the last text, for some CLIs take a prompt of several parts another way. */
function withRequest(prompt: PromptPart[], schema: JsonSchema): PromptPart[] {
  const last = prompt.findLastIndex((part) => part.type === 'text')
  if (last === -1) return [...prompt, { type: 'text', text: request(schema) }]
  return prompt.map((part, index) =>
    index === last && part.type === 'text'
      ? { type: 'text', text: `${part.text}\n\n${request(schema)}` }
      : part,
  )
}

function request(schema: JsonSchema): string {
  return `The last message of your answer must be JSON alone, without a code fence or any other word, that fits this JSON Schema:\n${JSON.stringify(schema)}`
}
