import { UsageError } from './flags.ts'
import { namedAdapter } from './named-adapter.ts'

/** What `--binary ADAPTER=FILE` names: by adapter id, a command with its first arguments. */
export function binariesOf(values: readonly string[] = []): Map<string, [string, ...string[]]> {
  const binaries = new Map<string, [string, ...string[]]>()
  for (const value of values) {
    const [, name, word] = /^([^=]+)=(.+)$/s.exec(value) ?? []
    if (word === undefined) throw new UsageError(`--binary ${value} is no ADAPTER=FILE.`)
    const { id } = namedAdapter(name)
    const before = binaries.get(id)
    binaries.set(id, before ? [...before, word] : [word])
  }
  return binaries
}

/** A binary of an adapter that is not driven would say nothing of what it was given for. */
export function refuseUnused(
  binaries: ReadonlyMap<string, unknown>,
  driven: readonly { id: string }[],
): void {
  for (const id of binaries.keys()) {
    if (driven.some((adapter) => adapter.id === id)) continue
    throw new UsageError(
      `--binary names ${id}, which is not driven here: ${driven.map((adapter) => adapter.id).join(', ')}.`,
      'Name that adapter too, or leave its --binary out.',
    )
  }
}
