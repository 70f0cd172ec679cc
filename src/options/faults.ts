import type { ZodError } from 'zod'
import { AgentError, shortened } from '../errors.ts'
import { closestName } from './closest.ts'
import { turnOptionsSchema } from './schema.ts'

/** The first thing that is wrong, in one line. */
export function faultOf(error: ZodError, schema: { shape: object }): AgentError {
  const issue = error.issues[0]
  const path = issue?.path.map((key) => shortened(String(key))).join('.') ?? ''
  if (issue?.code === 'unrecognized_keys') {
    const within = path === 'options' ? turnOptionsSchema : schema
    const known = path === '' || path === 'options' ? Object.keys(within.shape) : []
    return unknownOption(path, issue.keys[0] ?? '', known)
  }
  if (path === '') return invalid('The options are no object')
  return invalid(`The option \`${path}\` is wrong: ${issue?.message}`)
}

function unknownOption(within: string, name: string, known: string[]): AgentError {
  const closest = closestName(name, known)
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
