import type { Capabilities } from '../adapters/capabilities.ts'
import { AgentError, shortened } from '../errors.ts'
import { asObject } from '../protocol/narrow.ts'

/** Refuses flags and settings of the CLI that one of our own options owns: two owners would contradict each other. */
export function refuseReserved(
  capabilities: Capabilities,
  configuration: Record<string, unknown>,
  flags: readonly string[],
): void {
  for (const flag of flags) {
    if (flag === '--') refuse('The argument "--"', 'prompt')
    const owner = ownerOfFlag(capabilities, flag)
    if (owner) refuse(`The argument "${owner.flag}"`, owner.option)
  }
  for (const [path] of settingsIn(configuration)) {
    const owned = Object.entries(capabilities.reservedConfiguration).find(
      ([reserved]) => path === reserved || path.startsWith(`${reserved}.`),
    )
    if (owned) refuse(`The setting "${owned[0]}"`, owned[1])
  }
}

/**
 * Refuses in 'mcp_only' what would give the model more than the tools of its servers, or would be taken back without a word:
 * also what only a version to come has there.
 */
export function refuseWidening(
  { toolArguments, toolConfiguration }: Capabilities,
  configuration: Record<string, unknown>,
  flags: readonly string[],
): void {
  const flag = toolArguments.find((name) =>
    flags.some((word) => word === name || word.startsWith(`${name}=`)),
  )
  if (flag !== undefined) throw widening(`The argument "${flag}"`)
  const setting = settingsIn(configuration).find(
    ([path, value]) =>
      toolConfiguration.some((name) => path === name || path.startsWith(`${name}.`)) && !takesAway(value),
  )
  if (setting) throw widening(`The setting "${shortened(setting[0])}"`)
}

/** What stands within a table is asked about by itself. */
function takesAway(value: unknown): boolean {
  return value === false || value === 'disabled' || asObject(value) !== undefined
}

function widening(what: string): AgentError {
  return new AgentError(
    'invalid_options',
    `${what} decides on tools of the CLI's own, and tools.mode 'mcp_only' leaves none.`,
    { hint: "Take it out, or use tools.mode 'hybrid'." },
  )
}

/** Both `--flag value` and `--flag=value`; a one-letter flag also with its value glued on. */
function ownerOfFlag(
  capabilities: Capabilities,
  argument: string,
): { flag: string; option: string } | undefined {
  for (const [flag, option] of Object.entries(capabilities.reservedArguments)) {
    const glued = /^-[^-]$/.test(flag) && argument.startsWith(flag)
    if (argument === flag || argument.startsWith(`${flag}=`) || glued) return { flag, option }
  }
  return undefined
}

/** Every dotted path of the settings with what stands there, whole objects included: 'a', 'a.b', 'a.b.c'. */
function settingsIn(configuration: Record<string, unknown>, prefix = ''): [string, unknown][] {
  return Object.entries(configuration).flatMap(([key, value]): [string, unknown][] => {
    const path = `${prefix}${key}`
    const table = asObject(value)
    return table ? [[path, value], ...settingsIn(table, `${path}.`)] : [[path, value]]
  })
}

function refuse(what: string, option: string): never {
  throw new AgentError('invalid_options', `${what} belongs to the option \`${option}\`.`, {
    hint: `Set \`${option}\` instead.`,
  })
}
