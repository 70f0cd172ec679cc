import { asObject, type JsonObject, lookUp } from '../protocol/narrow.ts'
import type { JsonSchema } from './schema-types.ts'

/**
 * The same schema with what its references name in their place. zod gives a schema that has an id a `$ref` at its root, where claude
 * and codex want an object; and codex 0.113 tells its model of each reference in a tool's input as a text. What leads to itself stays a
 * reference, as does what is not plainly `#/$defs/...` or `#/definitions/...`.
 */
export function withoutReferences(schema: JsonSchema): JsonSchema {
  const inlining = new Inlining(schema)
  const inlined = inlining.inline(schema, [])
  if (inlining.parts > mostParts) return schema
  const { $defs, definitions, ...rest } = inlined
  const text = JSON.stringify(rest)
  if (text.length > longest) return schema
  return /"\$(?:dynamic|recursive)?ref":/i.test(text) ? inlined : rest
}

/** References to references can make a book of a page. */
const mostParts = 4_000
const longest = 128 * 1024

/** Keywords that hold schemas, one or a list of them: what stands elsewhere is a value. */
const holding: ReadonlySet<string> = new Set([
  ...['not', 'if', 'then', 'else', 'allOf', 'anyOf', 'oneOf', 'contains', 'items', 'prefixItems'],
  ...['additionalItems', 'unevaluatedItems', 'additionalProperties', 'unevaluatedProperties'],
  ...['propertyNames', 'contentSchema'],
])

/** Keywords that hold schemas by name. */
const naming: ReadonlySet<string> = new Set(['properties', 'patternProperties', 'dependentSchemas'])

/** What only tells of a schema, and may stand beside a reference to one. */
const telling: ReadonlySet<string> = new Set([
  ...['title', 'description', 'default', 'deprecated', 'readOnly', 'writeOnly', 'examples', '$comment'],
  ...['$defs', 'definitions', '$schema'],
])

/** It gives a part another base, so that a reference in it may mean something else. */
const isRebased = (part: JsonObject) => part.$id !== undefined

class Inlining {
  /** How many parts the schema has so far. */
  parts = 0
  readonly #root: JsonSchema
  readonly #named: Readonly<Record<string, JsonObject | undefined>>

  constructor(root: JsonSchema) {
    this.#root = root
    this.#named = { $defs: asObject(root.$defs), definitions: asObject(root.definitions) }
  }

  /** @param within the references that lead here */
  inline(part: JsonObject, within: readonly string[]): JsonObject {
    if (++this.parts > mostParts || (part !== this.#root && isRebased(part))) return part
    const target = this.#targetOf(part, within)
    if (!target) return this.#inlineParts(part, within)
    const { $ref, ...beside } = part
    return { ...this.inline(target, [...within, String($ref)]), ...beside }
  }

  #targetOf(part: JsonObject, within: readonly string[]): JsonObject | undefined {
    const { $ref, ...beside } = part
    if (typeof $ref !== 'string' || within.includes($ref)) return undefined
    if (!Object.keys(beside).every((word) => telling.has(word))) return undefined
    const [, holder, name] = /^#\/(\$defs|definitions)\/([^/%~]+)$/.exec($ref) ?? []
    return asObject(lookUp(lookUp(this.#named, holder) ?? {}, name))
  }

  #inlineParts(part: JsonObject, within: readonly string[]): JsonObject {
    const each = (value: unknown): unknown => {
      const schema = asObject(value)
      return schema ? this.inline(schema, within) : value
    }
    return mapEntries(part, (value, word) => {
      if (naming.has(word)) return mapEntries(asObject(value) ?? {}, each)
      if (!holding.has(word)) return value
      return Array.isArray(value) ? value.map(each) : each(value)
    })
  }
}

function mapEntries(object: JsonObject, map: (value: unknown, key: string) => unknown): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, map(value, key)]))
}
