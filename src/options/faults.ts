import { type ZodError, z } from 'zod'
import { AgentError, shortened } from '../errors.ts'
import { closestName } from './closest.ts'
import { turnOptionsSchema } from './schema.ts'

type Issue = z.core.$ZodIssue

/** The first thing that is wrong with what was given, in one line. */
export function faultOf(error: ZodError, schema: { shape: object }, given: unknown): AgentError {
  const issue = innermost(error.issues[0])
  const path = issue?.path.map((key) => shortened(String(key))).join('.') ?? ''
  if (issue?.code === 'unrecognized_keys') {
    const within = path === 'options' ? turnOptionsSchema : schema
    const known = namesAt(within, path === 'options' ? [] : issue.path)
    return unknownOption(path, issue.keys[0] ?? '', known)
  }
  if (path === '') return invalid('The options are no object')
  const value = valueAt(given, issue?.path ?? [])
  const found = value === undefined ? '' : `What was given is ${kindOf(value)}. `
  return invalid(
    `The option \`${path}\` is ${value === undefined ? 'missing' : 'wrong'}: ${issue?.message}`,
    `${found}Every option, with what it takes, is in docs/options.md of this package.`,
  )
}

/** Never the value itself, which may be a secret. */
function kindOf(value: unknown): string {
  if (value === null) return 'null'
  if (value === '') return 'an empty text'
  return isList(value) ? 'a list' : kinds[typeof value]
}

/** A revoked proxy is not even that. */
function isList(value: unknown): boolean {
  try {
    return Array.isArray(value)
  } catch {
    return false
  }
}

const kinds = {
  string: 'a text',
  number: 'a number',
  bigint: 'a bigint',
  boolean: 'true or false',
  symbol: 'a symbol',
  undefined: 'undefined',
  object: 'an object',
  function: 'a function',
} as const

/** Where one of several shapes was meant and something within it is wrong: that, not the list of shapes. */
function innermost(issue: Issue | undefined): Issue | undefined {
  if (issue?.code !== 'invalid_union') return issue
  const within = issue.errors.flatMap(([first]) =>
    first === undefined || first.path.length === 0 ? [] : [first],
  )
  const [meant] = within
  if (meant === undefined || within.length > 1) return issue
  return innermost({ ...meant, path: [...issue.path, ...meant.path] })
}

function valueAt(given: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (within, key) => (typeof within === 'object' && within !== null ? Reflect.get(within, key) : undefined),
    given,
  )
}

/** What an object of the options, at this path below them, can hold. */
function namesAt(schema: unknown, path: readonly PropertyKey[]): string[] {
  if (schema instanceof z.ZodOptional) return namesAt(schema.unwrap(), path)
  if (schema instanceof z.ZodUnion) return schema.options.flatMap((each) => namesAt(each, path))
  const shape = typeof schema === 'object' && schema !== null ? Reflect.get(schema, 'shape') : undefined
  if (typeof shape !== 'object' || shape === null) return []
  const [key, ...rest] = path
  return key === undefined ? Object.keys(shape) : namesAt(Reflect.get(shape, key), rest)
}

/** What other programs call it. */
const calledHere: Readonly<Record<string, string>> = {
  apiKey: 'credentials.values` or `endpoint.credential',
  args: 'arguments',
  baseURL: 'endpoint.url',
  baseUrl: 'endpoint.url',
  config: 'configuration',
  dir: 'cwd',
  disallowedTools: 'tools.deny',
  allowedTools: 'tools.allow',
  env: 'scope` (what to grant) or `environment',
  permissionMode: 'approvals',
  permissions: 'approvals',
  schema: 'outputSchema',
  secrets: 'scope',
  session: 'resume',
  sessionId: 'resume',
  timeout: 'budgets.totalMs',
  timeoutMs: 'budgets.totalMs',
  workingDirectory: 'cwd',
}

function unknownOption(within: string, name: string, known: string[]): AgentError {
  const other = within === '' && Object.hasOwn(calledHere, name) ? calledHere[name] : undefined
  const closest = other ?? closestName(name, known)
  const path = within === '' ? shortened(name) : `${within}.${shortened(name)}`
  const all = known.length === 0 ? '' : `Known: ${known.join(', ')}.`
  return invalid(
    `There is no option \`${path}\``,
    closest === undefined ? all || undefined : `Did you mean \`${closest}\`?`,
  )
}

export function invalid(message: string, hint?: string): AgentError {
  return new AgentError('invalid_options', `${message}.`, hint === undefined ? {} : { hint })
}
