import { parseArgs } from 'node:util'
import { closestName } from '../options/closest.ts'

/** One flag of a command. */
export interface Flag {
  name: string
  short?: string
  /** What stands for its value in the help; absent: it takes none. */
  value?: string
  /** It may be given several times. */
  many?: boolean
  help: string
}

export interface CommandLine {
  positionals: string[]
  /** The values of a flag, in order; of one without a value, one empty text. */
  values: ReadonlyMap<string, readonly string[]>
}

/** A command line that is wrong. One line, and what to do. */
export class UsageError extends Error {
  readonly hint: string | undefined

  constructor(message: string, hint?: string) {
    super(message)
    this.hint = hint
  }
}

export function parseCommandLine(argv: readonly string[], flags: readonly Flag[]): CommandLine {
  const options = Object.fromEntries(
    flags.map(({ name, short, value }) => [
      name,
      {
        type: value === undefined ? ('boolean' as const) : ('string' as const),
        multiple: true,
        ...(short !== undefined && { short }),
      },
    ]),
  )
  const { tokens } = parseArgs({
    args: [...argv],
    options,
    strict: false,
    allowPositionals: true,
    tokens: true,
  })
  const positionals: string[] = []
  const values = new Map<string, string[]>()
  for (const token of tokens) {
    if (token.kind === 'positional') positionals.push(token.value)
    if (token.kind !== 'option') continue
    const flag = flags.find((each) => each.name === token.name)
    if (!flag) throw unknownFlag(token.rawName, flags)
    if (flag.value === undefined && token.value !== undefined) {
      throw new UsageError(`${token.rawName} takes no value.`)
    }
    if (flag.value !== undefined && token.value === undefined) {
      throw new UsageError(`${token.rawName} needs a value: ${token.rawName} ${flag.value}`)
    }
    const known = values.get(flag.name) ?? []
    if (known.length > 0 && !flag.many && flag.value !== undefined) {
      throw new UsageError(`${token.rawName} is given twice.`)
    }
    values.set(flag.name, [...known, token.value ?? ''])
  }
  return { positionals, values }
}

function unknownFlag(rawName: string, flags: readonly Flag[]): UsageError {
  const name = rawName.replace(/^-+/, '')
  const closest = closestName(
    name,
    flags.map((flag) => flag.name),
  )
  return new UsageError(
    `There is no flag ${rawName} here.`,
    closest === undefined ? '--help lists those that there are.' : `Did you mean --${closest}?`,
  )
}

/** One line per flag, for a command's help. */
export function flagRows(flags: readonly Flag[]): string[][] {
  return flags.map(({ name, short, value, help }) => [
    `  ${short === undefined ? '    ' : `-${short}, `}--${name}${value === undefined ? '' : ` ${value}`}`,
    help,
  ])
}
