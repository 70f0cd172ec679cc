import type { Capabilities } from '../adapters/capabilities.ts'
import { AgentError } from '../errors.ts'

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
  for (const path of settingPaths(configuration)) {
    const owned = Object.entries(capabilities.reservedConfiguration).find(
      ([reserved]) => path === reserved || path.startsWith(`${reserved}.`),
    )
    if (owned) refuse(`The setting "${owned[0]}"`, owned[1])
  }
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

/** Every dotted path of the settings, whole objects included: 'a', 'a.b', 'a.b.c'. */
function settingPaths(configuration: Record<string, unknown>, prefix = ''): string[] {
  return Object.entries(configuration).flatMap(([key, value]) => {
    const path = `${prefix}${key}`
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isObject ? [path, ...settingPaths({ ...value }, `${path}.`)] : [path]
  })
}

function refuse(what: string, option: string): never {
  throw new AgentError('invalid_options', `${what} belongs to the option \`${option}\`.`, {
    hint: `Set \`${option}\` instead.`,
  })
}
