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
