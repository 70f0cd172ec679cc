import type { AgentError } from '../errors.ts'
import { asObject } from '../protocol/narrow.ts'
import { invalid } from './faults.ts'
import { guarded, readPlainData } from './plain-data.ts'

/** Options that hold no data, or are read by who knows them. */
const apart: ReadonlySet<string> = new Set(['adapter', 'outputSchema', 'signal', 'environment'])

/**
 * A turn's options as plain data, read once. What is not even an object is left to the schema.
 *
 * @param within where they stand in what the caller gave
 * @throws AgentError `invalid_options`, naming the place of what cannot be read
 */
export function readOptions(options: unknown, within?: string): unknown {
  const place = (path: readonly string[]) => [...(within === undefined ? [] : [within]), ...path].join('.')
  const isApart = ([option = '', index, ...more]: readonly string[]) => {
    if (option === 'bridge' && index !== undefined && more.length === 0) return true
    return apart.has(option) && index === undefined
  }
  const { value, issues } = readPlainData(options, isApart)
  for (const { path, message, fix } of issues) throw unread(place(path === '' ? [] : [path]), message, fix)
  const read = asObject(value)
  if (read?.environment === undefined) return value
  return { ...read, environment: readEnvironment(read.environment, place(['environment'])) }
}

/** `process.env` is no plain object, but not far from one. */
function readEnvironment(environment: unknown, path: string): unknown {
  if (typeof environment !== 'object' || environment === null) return environment
  const copy = guarded(() =>
    Object.prototype.toString.call(environment) === '[object Object]'
      ? Object.fromEntries(Object.entries(environment))
      : null,
  )
  if (copy === undefined) throw unread(path, 'cannot be read: a getter or a proxy there throws')
  if (copy === null)
    throw unread(path, 'is wrong: expected an object of names and texts, such as process.env')
  return copy
}

/** @param path '' for all of them */
export function unread(path: string, message: string, fix?: string): AgentError {
  return invalid(path === '' ? `The object of options ${message}` : `The option \`${path}\` ${message}`, fix)
}
