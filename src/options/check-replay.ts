import type { Adapter } from '../adapters/adapter.ts'
import type { ToolPolicy } from '../adapters/launch-options.ts'
import { type Secret, secretsOf } from '../env/secrets.ts'
import { asObject } from '../protocol/narrow.ts'
import type { WireOptions } from '../protocol/wire.ts'
import type { CallerSchema } from './caller-schema.ts'
import { resolveAdapter } from './check.ts'
import { faultOf } from './faults.ts'
import { readOutputSchema } from './output-schema.ts'
import { readPlainData } from './plain-data.ts'
import { present } from './present.ts'
import { readOptions, unread } from './read-options.ts'
import { replayOptionsSchema } from './replay-schema.ts'
import type { ParsedOptions } from './schema.ts'
import { toolPolicyOf, withGroups } from './tool-policy.ts'

/** What `replay` may know of the turn's options, checked for shape alone: no CLI has to honour them any more. */
export function checkReplayOptions(options: unknown): {
  adapter: Adapter
  wireOptions: WireOptions
  includeRaw: boolean
  tools: ToolPolicy | undefined
  secrets: Secret[]
  output: CallerSchema | undefined
} {
  const given = readReplayOptions(options)
  const result = replayOptionsSchema.safeParse(given)
  if (!result.success) throw faultOf(result.error, replayOptionsSchema, given)
  const { options: turn = {} } = result.data
  const adapter = resolveAdapter(result.data.adapter)
  return {
    adapter,
    wireOptions: present({
      resume: turn.resume,
      fork: turn.fork,
      backgroundTasks: turn.backgroundTasks,
      model: turn.model,
      cwd: turn.cwd,
    }),
    includeRaw: turn.includeRaw ?? false,
    tools: turn.tools && withGroups(toolPolicyOf(turn), adapter.nativeTools),
    secrets: turn.redact === false ? [] : secretsOfRecorded(turn),
    output: turn.outputSchema === undefined ? undefined : readOutputSchema(turn.outputSchema, adapter),
  }
}

function readReplayOptions(options: unknown): unknown {
  const { value, issues } = readPlainData(options, ([option = '', ...more]) => {
    return ['adapter', 'stdout', 'options'].includes(option) && more.length === 0
  })
  for (const { path, message, fix } of issues) throw unread(path, message, fix)
  const read = asObject(value)
  return read?.options === undefined ? value : { ...read, options: readOptions(read.options, 'options') }
}

/** A recording has no environment any more: only what the options name can be hidden. */
function secretsOfRecorded({
  scope,
  endpoint,
  redact,
}: Pick<ParsedOptions, 'scope' | 'endpoint' | 'redact'>): Secret[] {
  const { credential } = endpoint ?? {}
  const values = Array.isArray(redact) ? redact : []
  return secretsOf({
    environment: {},
    scope,
    values,
    endpoint: present({ credential, headers: endpoint?.headers }),
  })
}
