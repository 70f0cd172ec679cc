import { AgentError } from '../errors.ts'

/** Refuses what this version of the package has on no adapter yet. */
export function notYet(option: string, supported: string): never {
  throw new AgentError(
    'unsupported',
    `This version of coxswain does not support ${option} on any adapter. Supported: ${supported}.`,
    { hint: 'Leave the option out.' },
  )
}
