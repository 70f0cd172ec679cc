import { AgentError } from '../errors.ts'

/** What the caller of this module gave wrongly. */
export function invalid(message: string, hint: string): AgentError {
  return new AgentError('invalid_options', message, { hint })
}
