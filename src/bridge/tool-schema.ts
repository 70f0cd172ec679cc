import type { ErrorObject, ValidateFunction } from 'ajv'
import { Ajv } from 'ajv'
import { Ajv2019 } from 'ajv/dist/2019.js'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { wordsOf } from '../errors.ts'
import { asArray, asObject, asString, type JsonObject } from '../protocol/narrow.ts'
import { invalid } from './fault.ts'

/** A value as the schema makes it, or what is wrong with it: 'city: expected a string'. */
export type Checked = { value: unknown } | { issues: string[] }

export interface ToolSchema {
  /** As JSON Schema of draft 2020-12, which is MCP's, or with the `$schema` of another. */
  json: JsonObject
  /** Rejects only where the schema's own code throws. */
  check(value: unknown): Promise<Checked>
}

/**
 * Reads a Standard JSON Schema object, of whichever library and copy, or a JSON Schema.
 *
 * @param what its name in an error: 'The input of the tool "search"'
 */
export function readToolSchema(schema: unknown, side: 'input' | 'output', what: string): ToolSchema {
  const standard = asObject(asObject(schema)?.['~standard'])
  if (standard) return readStandard(standard, side, what)
  const json = asObject(schema)
  if (!json)
    throw invalid(`${what} is no schema.`, 'Give a zod schema (4.2 or newer) or a JSON Schema object.')
  return { json: withoutDefaultDraft(json), check: checkWith(compile(json, what)) }
}

function readStandard(standard: JsonObject, side: 'input' | 'output', what: string): ToolSchema {
  const describe = asObject(standard.jsonSchema)?.[side]
  if (typeof describe !== 'function') {
    throw invalid(
      `${what} cannot say itself as JSON Schema.`,
      'Use zod 4.2 or newer, another library of Standard JSON Schema, or a JSON Schema object.',
    )
  }
  const json = asObject(
    attempt(() => Reflect.apply(describe, standard.jsonSchema, [{ target: draft }]), what),
  )
  if (!json) throw invalid(`${what} has no JSON Schema.`, 'Give a JSON Schema object.')
  const { validate } = standard
  const check =
    typeof validate === 'function'
      ? async (value: unknown) => readResult(await Reflect.apply(validate, standard, [value]))
      : checkWith(compile(json, what))
  return { json: withoutDefaultDraft(json), check }
}

const draft = 'draft-2020-12'

function attempt(make: () => unknown, what: string): unknown {
  try {
    return make()
  } catch (error) {
    throw invalid(`${what} cannot be said as JSON Schema: ${wordsOf(error)}`, 'Take what JSON has.')
  }
}

function readResult(result: unknown): Checked {
  const fields = asObject(result)
  if (!fields?.issues) return { value: fields?.value }
  return {
    issues: asArray(fields.issues).map((each) => {
      const issue = asObject(each)
      const path = asArray(issue?.path).map((step) => String(asObject(step)?.key ?? step))
      return said(path, asString(issue?.message) ?? 'does not fit')
    }),
  }
}

const settings = { strict: false, allErrors: true, ownProperties: true, logger: false } as const

function compile(json: JsonObject, what: string): ValidateFunction {
  try {
    return validatorFor(asString(json.$schema) ?? '').compile(json)
  } catch (error) {
    throw invalid(`${what} is no valid JSON Schema: ${wordsOf(error)}`, 'Correct the schema.')
  }
}

function validatorFor(dialect: string): Ajv {
  if (dialect.includes('/draft-07/')) return new Ajv(settings)
  if (dialect.includes('/2019-09/')) return new Ajv2019(settings)
  return new Ajv2020(settings)
}

function checkWith(validate: ValidateFunction): (value: unknown) => Promise<Checked> {
  return async (value) => {
    if (validate(value)) return { value }
    return { issues: (validate.errors ?? []).map(readError) }
  }
}

function readError({ instancePath, message = 'does not fit', params }: ErrorObject): string {
  const path = instancePath
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
  const named = asString(params.missingProperty) ?? asString(params.additionalProperty)
  return named === undefined ? said(path, message) : said([...path, named], message)
}

function said(path: readonly string[], message: string): string {
  return path.length === 0 ? message : `${path.join('.')}: ${message}`
}

/** It is MCP's own, and not every client knows it by name. */
function withoutDefaultDraft(json: JsonObject): JsonObject {
  const { $schema, ...rest } = json
  return asString($schema)?.includes('/2020-12/') === false ? json : rest
}

const issuesSaid = 10

/** In one line, and not all of thousands. */
export function listIssues(issues: readonly string[]): string {
  const rest = issues.length - issuesSaid
  return [...issues.slice(0, issuesSaid), ...(rest > 0 ? [`and ${rest} more`] : [])].join('; ')
}
