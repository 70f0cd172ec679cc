import type { JsonSchema } from '../../options/schema-types.ts'
import { asArray, asObject, asString, type JsonObject, lookUp } from '../../protocol/narrow.ts'

/** A schema in the form that OpenAI's strict mode takes, or why there is none, in words that end a sentence. */
export type StrictSchema = { schema: JsonObject } | { reason: string }

/**
 * codex has its model held to a schema in OpenAI's strict mode (`text.format.strict`, 0.55.0 to 0.171.0), where the provider
 * refuses a whole request for one part of a schema that it does not take. So only what it takes is sent: what just narrows is left
 * to the check of the answer, and where an object would be another one the prompt has to ask.
 */
export function strictSchema(schema: JsonSchema): StrictSchema {
  const faults: string[] = []
  const strict = strictPart(schema, [], faults)
  const [reason] = faults
  return reason === undefined ? { schema: strict } : { reason }
}

/** What is taken over as it is. */
const kept = ['type', 'enum', 'const', 'title', 'description'] as const
const bounds = [
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minItems',
  'maxItems',
] as const
const formats: ReadonlySet<string> = new Set([
  'date-time',
  'time',
  'date',
  'duration',
  'email',
  'hostname',
  'ipv4',
  'ipv6',
  'uuid',
])

/** What would have to be said in another way, in words. */
const unsayable: Readonly<Record<string, string>> = {
  allOf: 'is made of several (allOf)',
  if: 'depends on a condition',
  patternProperties: 'has properties by pattern',
  dependentSchemas: 'depends on its properties',
  prefixItems: 'is a tuple',
  $dynamicRef: 'has a dynamic reference',
}

function strictPart(part: unknown, path: readonly string[], faults: string[]): JsonObject {
  const schema = asObject(part)
  const isRoot = path.length === 0
  const where = isRoot ? 'it' : `\`${path.join('.')}\``
  const fault = (what: string) => faults.push(`${where} ${what}`)
  if (!schema) {
    fault('may be anything')
    return {}
  }
  for (const keyword of Object.keys(schema)) {
    const what = lookUp(unsayable, keyword)
    if (what !== undefined) fault(what)
  }
  // Beside which it takes nothing else.
  if (schema.$ref !== undefined && !isRoot) return { $ref: schema.$ref }
  const strict: JsonObject = {}
  for (const keyword of [...kept, ...bounds]) {
    if (schema[keyword] !== undefined) strict[keyword] = schema[keyword]
  }
  if (formats.has(asString(schema.format) ?? '')) strict.format = schema.format
  const choices = schema.anyOf ?? schema.oneOf
  if (choices !== undefined) strict.anyOf = asArray(choices).map((choice) => strictPart(choice, path, faults))
  for (const keyword of ['$defs', 'definitions']) {
    const definitions = asObject(schema[keyword])
    if (!definitions) continue
    strict[keyword] = Object.fromEntries(
      Object.entries(definitions).map(([name, each]) => [name, strictPart(each, [...path, name], faults)]),
    )
  }
  strict.type ??= typeOfValues(schema.const === undefined ? asArray(schema.enum) : [schema.const])
  if (strict.type === undefined && strict.anyOf === undefined) fault('may be anything')
  const types = [strict.type].flat()
  if (types.includes('array')) strict.items = strictPart(schema.items, [...path, '0'], faults)
  if (types.includes('object')) Object.assign(strict, strictObject(schema, path, faults, fault))
  return strict
}

/** It wants a type beside the values. */
function typeOfValues(values: readonly unknown[]): string | undefined {
  const types = new Set(values.map((value) => typeof value))
  const [type] = types
  return types.size === 1 && (type === 'string' || type === 'number' || type === 'boolean') ? type : undefined
}

function strictObject(
  schema: JsonObject,
  path: readonly string[],
  faults: string[],
  fault: (what: string) => void,
): JsonObject {
  const { additionalProperties } = schema
  const properties = Object.entries(asObject(schema.properties) ?? {})
  const isOpen = additionalProperties !== undefined && additionalProperties !== false
  if (isOpen || properties.length === 0) fault('may have any property')
  const required = new Set(asArray(schema.required))
  for (const [name] of properties) {
    if (!required.has(name)) faults.push(`\`${[...path, name].join('.')}\` is optional`)
  }
  return {
    properties: Object.fromEntries(
      properties.map(([name, each]) => [name, strictPart(each, [...path, name], faults)]),
    ),
    required: properties.map(([name]) => name),
    additionalProperties: false,
  }
}

/** Why the prompt has to ask for it. */
export function whyNotStrict(schema: JsonSchema): string | undefined {
  const strict = strictSchema(schema)
  return 'reason' in strict ? strict.reason : undefined
}
