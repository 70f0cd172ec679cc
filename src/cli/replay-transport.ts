import { type CommandLine, UsageError } from './flags.ts'

/** Which wire replays the recording. */
export function transportIn(values: CommandLine['values']): 'structured' | 'live' {
  const [transport = 'structured'] = values.get('transport') ?? []
  if (transport === 'structured' || transport === 'live') return transport
  throw new UsageError(`There is no transport "${transport}" to replay.`, 'Give structured or live.')
}
