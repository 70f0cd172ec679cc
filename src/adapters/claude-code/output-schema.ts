import type { JsonSchema } from '../../options/schema-types.ts'
import { asArray, asObject } from '../../protocol/narrow.ts'
import { claudeHas, claudeHasSince } from './versions.ts'

/** Linux takes 128 KiB as one argument. */
const longestArgument = 120_000

/** Why the prompt has to ask for it, in words that end a sentence. */
export function withoutJsonSchema(
  schema: JsonSchema,
  { version, transport }: { version: string; transport: 'structured' | 'live' },
): string | undefined {
  if (claudeHas('jsonSchema', version) === false) {
    return `below ${claudeHasSince('jsonSchema')} it asks a model that does not comply again without end`
  }
  if (transport === 'structured' && Buffer.byteLength(JSON.stringify(schema)) > longestArgument) {
    return "it is too long for claude's command line, which transport: 'live' does without"
  }
  return strangeKeyword(schema)
}

/**
 * claude 2.1.332 checks with ajv, draft-07, in its strict mode: for a keyword that is not of it, `--json-schema` ends the process,
 * and the control protocol leaves the whole schema out without a word.
 */
function strangeKeyword(part: unknown): string | undefined {
  const schema = asObject(part)
  if (!schema) return undefined
  for (const [keyword, value] of Object.entries(schema)) {
    const known = keywords[keyword]
    // The API wants 2020-12, where a list of items is none.
    if (known === undefined || (keyword === 'items' && Array.isArray(value))) {
      return `claude does not know the keyword ${JSON.stringify(keyword)} in this place`
    }
    for (const each of partsOf(known, value)) {
      const strange = strangeKeyword(each)
      if (strange !== undefined) return strange
    }
  }
  return undefined
}

type Holds = 'no schema' | 'a schema' | 'a list' | 'by name'

function partsOf(holds: Holds, value: unknown): readonly unknown[] {
  if (holds === 'a schema') return [value]
  if (holds === 'a list') return asArray(value)
  return holds === 'by name' ? Object.values(asObject(value) ?? {}) : []
}

const keywords: Readonly<Record<string, Holds>> = Object.assign(
  Object.create(null),
  all('no schema', '$id $ref $comment title description default deprecated readOnly writeOnly examples'),
  all('no schema', 'type enum const nullable multipleOf maximum exclusiveMaximum minimum exclusiveMinimum'),
  all('no schema', 'maxLength minLength pattern format maxItems minItems uniqueItems'),
  all('no schema', 'maxProperties minProperties required contentMediaType contentEncoding'),
  all('a schema', 'items contains additionalProperties propertyNames not'),
  all('a list', 'allOf anyOf oneOf'),
  all('by name', 'properties patternProperties $defs definitions'),
)

function all(holds: Holds, words: string): Record<string, Holds> {
  return Object.fromEntries(words.split(' ').map((word) => [word, holds]))
}
