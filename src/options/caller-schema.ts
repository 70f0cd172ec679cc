import { createRequire } from 'node:module'
import type { ErrorObject } from 'ajv'
import { z } from 'zod'
import { type Issue, wordsOf } from '../errors.ts'
import { asObject, asString } from '../protocol/narrow.ts'
import { bounded } from './bounded.ts'
import { invalid } from './faults.ts'
import { issueAt, oneLine } from './issues.ts'
import { guarded, isPlainObject, readPlainData, unsaidIn } from './plain-data.ts'
import { unread } from './read-options.ts'
import { withoutReferences } from './references.ts'
import type { JsonSchema } from './schema-types.ts'

/** A schema that a caller gave: what can be sent of it, and what checks a value with it. */
export interface CallerSchema {
  /** Without `$schema`: what is sent is read by whoever gets it, by their own draft. */
  json: JsonSchema
  /** Throws or rejects only where the schema's own code does: a transform of zod's, for instance. */
  check(value: unknown): Checked | Promise<Checked>
}

/** The value as the schema makes it (defaults filled in, transformed), or what is wrong with it. */
export type Checked = { value: unknown } | { issues: Issue[] }

/**
 * Reads a zod schema (4.0 or newer, whichever copy of it, zod/mini too), another Standard JSON Schema object, or a JSON Schema.
 *
 * @param option its name, for the error
 * @param side what its JSON Schema describes: a value as it goes into the check, or as it comes out of it
 * @throws AgentError `invalid_options` for what is neither, and where no JSON Schema can be made of it
 */
export function readCallerSchema(
  schema: unknown,
  option: string,
  side: 'input' | 'output' = 'input',
): CallerSchema {
  const standard = readable(option, () => standardOf(schema))
  return standard ? readStandardSchema(schema, standard, option, side) : readJsonSchema(schema, option)
}

/** A schema's own code, of which nothing is asked that it may fail at. */
function readable<Result>(option: string, ask: () => Result): Result {
  const asked = guarded(() => ({ answer: ask() }))
  if (asked) return asked.answer
  throw invalid(
    `The option \`${option}\` cannot be read: a getter or a proxy there throws`,
    'Give a schema of zod 4 or a JSON Schema as a plain object.',
  )
}

function standardOf(schema: unknown): object | undefined {
  const isHolder = typeof schema === 'function' || (typeof schema === 'object' && schema !== null)
  return isHolder ? asObject(Reflect.get(schema, '~standard')) : undefined
}

function readStandardSchema(
  schema: unknown,
  standard: object,
  option: string,
  side: 'input' | 'output',
): CallerSchema {
  const [validate, toJson] = readable(option, () => [
    methodOf(standard, 'validate'),
    methodOf(asObject(Reflect.get(standard, 'jsonSchema')) ?? {}, side) ?? writerOfZod(schema, side),
  ])
  if (!toJson) {
    throw invalid(
      `The option \`${option}\` is a schema that makes no JSON Schema of itself`,
      'Use zod 4, or give a JSON Schema.',
    )
  }
  let made: unknown
  try {
    made = toJson({ target: 'draft-2020-12' })
  } catch (error) {
    throw invalid(
      `No JSON Schema can be made of the option \`${option}\`: ${oneLine(wordsOf(error))}`,
      'Describe what JSON has (texts, numbers, lists, objects), and make dates, maps and the like of it with a transform.',
    )
  }
  const json = asWritten(made, option)
  if (!validate) return { json: withoutReferences(json), check: checkWith(compile(json, option)) }
  return {
    json: withoutReferences(json),
    check: async (value) => readResult(await validate(value)),
  }
}

/** Schemas of zod 4.0, 4.1 and zod/mini do not write themselves. Which copy made one, zod 4 does not ask (read of 4.0.17 to 4.6.7). */
function writerOfZod(schema: unknown, io: 'input' | 'output'): (() => unknown) | undefined {
  return schema instanceof z.core.$ZodType ? () => z.toJSONSchema(schema, { io }) : undefined
}

function methodOf(holder: object, name: string): ((argument: unknown) => unknown) | undefined {
  const method: unknown = Reflect.get(holder, name)
  return typeof method === 'function' ? (argument) => Reflect.apply(method, holder, [argument]) : undefined
}

/** A result with issues is a failure whatever it is besides: arktype 2.2 answers with a list that holds itself as `issues`. */
function readResult(result: unknown): Checked {
  const isHolder = typeof result === 'object' && result !== null
  const issues: unknown = isHolder ? Reflect.get(result, 'issues') : []
  if (isHolder && (issues === undefined || issues === null)) return { value: Reflect.get(result, 'value') }
  const said = Array.isArray(issues) ? issues.map(issueOfStandard) : []
  return { issues: said.length > 0 ? said : [issueAt([], 'does not fit')] }
}

function issueOfStandard(said: unknown): Issue {
  const issue = asObject(said)
  const path = Array.isArray(issue?.path) ? issue.path : []
  return issueAt(
    path.map((segment) => String(asObject(segment)?.key ?? segment)),
    asString(issue?.message) ?? 'does not fit',
  )
}

function readJsonSchema(schema: unknown, option: string): CallerSchema {
  if (!readable(option, () => isPlainObject(schema))) {
    throw invalid(
      `The option \`${option}\` is no schema`,
      'Give a schema of zod 4 or a JSON Schema as a plain object.',
    )
  }
  const { value, issues } = readPlainData(schema)
  for (const { path, message, fix } of issues) throw unread(joined(option, path), message, fix)
  const unsaid = unsaidIn(value)?.join('.')
  if (unsaid !== undefined) {
    throw unread(
      joined(option, unsaid),
      'is nothing that JSON can say',
      'Give a JSON Schema: texts, numbers, lists, objects.',
    )
  }
  const { $schema, $async: _, ...json } = asWritten(value, option, true)
  const validate = compile({ ...json, ...($schema !== undefined && { $schema }) }, option)
  return { json: withoutReferences(json), check: checkWith(validate) }
}

function checkWith(validate: Validate): (value: unknown) => Checked {
  return (value) => {
    const checked = bounded(longestCheckMs, () => validate(value))
    if (!checked) return { issues: [issueAt([], `the check took longer than ${longestCheckMs} ms`)] }
    return checked.result === true ? { value } : { issues: (validate.errors ?? []).map(issueOfAjv) }
  }
}

function joined(option: string, path: string): string {
  return path === '' ? option : `${option}.${path}`
}

/** As it will be written, so that what is checked is what the CLI reads. */
function asWritten(schema: unknown, option: string, keepsDraft = false): JsonSchema {
  let written: unknown
  try {
    written = JSON.parse(JSON.stringify(schema))
  } catch {
    written = undefined
  }
  const object = asObject(written)
  if (!object)
    throw invalid(`The option \`${option}\` is no schema that JSON can say`, 'Give a JSON Schema object.')
  if (keepsDraft) return object
  const { $schema: _, ...json } = object
  return json
}

interface Validate {
  (value: unknown): unknown
  errors?: ErrorObject[] | null
}

/** Loaded when a JSON Schema is checked for the first time: ajv takes longer to load than all the rest. */
const load = createRequire(import.meta.url)

const settings = {
  strict: false,
  allErrors: true,
  validateFormats: false,
  // What every object inherits ('constructor') is no property of a value.
  ownProperties: true,
  logger: false,
  // Nobody's schema is to be found by another's $ref.
  addUsedSchema: false,
  // Twice as fast, for code that is run a few times.
  code: { optimize: false },
} as const

/** It blocks the whole host: a property takes about a third of a millisecond to compile. */
const longestSchema = 128 * 1024
const longestCompileMs = 2_000
/** Nothing but a pattern, or a list of thousands that must differ, takes as long. */
const longestCheckMs = 300

function compile(schema: JsonSchema, option: string): Validate {
  const { length } = JSON.stringify(schema)
  if (length > longestSchema) {
    throw invalid(
      `The option \`${option}\` is a JSON Schema of ${length} characters`,
      `Give one of at most ${longestSchema}: no model's API takes much more.`,
    )
  }
  const draft = draftOf(schema.$schema, option)
  const compiler = compilers.get(draft) ?? makeCompiler(draft)
  compilers.set(draft, compiler)
  try {
    const compiled = bounded(longestCompileMs, () => compiler.compile(schema))
    if (compiled) return compiled.result
  } catch (error) {
    throw invalid(
      `The option \`${option}\` is no valid JSON Schema: ${oneLine(wordsOf(error))}`,
      'Correct it. What a $ref names must stand in the schema itself: nothing is fetched.',
    )
  } finally {
    compiler.removeSchema(schema)
  }
  // It was left in the middle of its work.
  compilers.delete(draft)
  throw invalid(
    `The option \`${option}\` is a JSON Schema that takes longer than ${longestCompileMs} ms to read`,
    'Make it simpler.',
  )
}

type Draft = 'draft-07' | '2019-09' | '2020-12'

function draftOf(named: unknown, option: string): Draft {
  if (named === undefined) return '2020-12'
  const [, draft] =
    /^https?:\/\/json-schema\.org\/(?:draft\/)?(draft-07|2019-09|2020-12)\/schema#?$/.exec(String(named)) ??
    []
  if (draft === 'draft-07' || draft === '2019-09' || draft === '2020-12') return draft
  throw invalid(
    `The option \`${option}\` names a draft of JSON Schema in \`$schema\` that is not known`,
    'Known are draft-07, 2019-09 and 2020-12, which is meant where it is left out.',
  )
}

interface Compiler {
  compile(schema: JsonSchema): Validate
  removeSchema(schema: JsonSchema): unknown
}

/** By draft. What describes the schemas of a draft takes each of them a tenth of a second to compile. */
const compilers = new Map<Draft, Compiler>()

function makeCompiler(draft: Draft): Compiler {
  if (draft === 'draft-07') {
    const { Ajv }: typeof import('ajv') = load('ajv')
    return new Ajv(settings)
  }
  if (draft === '2019-09') {
    const { Ajv2019 }: typeof import('ajv/dist/2019.js') = load('ajv/dist/2019.js')
    return new Ajv2019(settings)
  }
  const { Ajv2020 }: typeof import('ajv/dist/2020.js') = load('ajv/dist/2020.js')
  return new Ajv2020(settings)
}

function issueOfAjv({ instancePath, message, params }: ErrorObject): Issue {
  const path = instancePath
    .split('/')
    .slice(1)
    .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'))
  const extra = asString(params.additionalProperty) ?? asString(params.unevaluatedProperty)
  const missing = asString(params.missingProperty)
  const said = message ?? 'does not fit'
  if (missing !== undefined) return issueAt([...path, missing], said)
  return issueAt(path, extra === undefined ? said : `${said}: "${extra}"`)
}
