import { realpathSync } from 'node:fs'
import { dirname, isAbsolute } from 'node:path'

/** A text of the machine that a recording must not hold, and what stands in its place. */
export interface Replacement {
  /** What it is, for the report: 'home', 'user name', 'secret ANTHROPIC_API_KEY'. */
  what: string
  text: string
  by: string
  /** Only where no letter or digit stands beside it: for short words, such as a user's name. */
  asWord?: boolean
}

/** How often something was replaced. */
export interface Replaced {
  what: string
  by: string
  count: number
}

export interface Machine {
  home: string
  cwd: string
  temporary: string
  user: string
  host: string
  /** Where the CLI is installed. Default: nowhere that tells anything. */
  install?: readonly string[]
}

/** What tells whose machine it was, most telling first: a longer path before one that it begins with. */
export function replacementsFor(machine: Machine): Replacement[] {
  const paths: Replacement[] = [
    { what: 'working directory', text: machine.cwd, by: '/work' },
    { what: 'home', text: machine.home, by: '/home/user' },
    { what: 'temporary directory', text: machine.temporary, by: '/tmp' },
    ...(machine.install ?? []).map((text) => ({ what: 'install directory', text, by: '/install' })),
  ]
  const words: Replacement[] = [
    { what: 'user name', text: machine.user, by: 'user', asWord: true },
    { what: 'host name', text: machine.host, by: 'host', asWord: true },
  ]
  return [
    ...paths
      .filter(({ text, by }) => text.length > 1 && text !== by)
      .sort((a, b) => b.text.length - a.text.length)
      .flatMap((path) => [path, dashed(path)]),
    // "root" says nothing of anybody, and stands in many a text.
    ...words.filter(({ text, by }) => text.length > 2 && text !== by && text !== 'root'),
  ]
}

/**
 * The folders that tell where a command is installed, links followed: what its `node_modules` lie in, or its own. Those of the
 * system are the same everywhere.
 */
export function installDirectories(command: readonly string[]): string[] {
  const files = command.filter((part) => isAbsolute(part)).flatMap((file) => [file, realPath(file)])
  const folders = files.map((file) => /^(.*?)\/node_modules\//.exec(file)?.[1] ?? dirname(file))
  return [...new Set(folders)].filter(
    (folder) => !/^\/(?:(?:usr|bin|sbin|lib|opt|nix)(?:\/|$)|$)/.test(folder),
  )
}

function realPath(file: string): string {
  try {
    return realpathSync(file)
  } catch {
    return file
  }
}

/** claude and pi name folders after paths so: '-work-project', '--work-project--'. */
function dashed({ what, text, by }: Replacement): Replacement {
  const dashes = (path: string) => path.replace(/[^A-Za-z0-9]/g, '-')
  return { what, text: dashes(text), by: dashes(by), asWord: true }
}

/** Replaces in bytes, so that everything else stays as it was, broken characters too. */
export function neutralise(
  bytes: Uint8Array,
  replacements: readonly Replacement[],
): { bytes: Uint8Array; replaced: Replaced[] } {
  // Latin-1 has one character for each byte.
  let text = Buffer.from(bytes).toString('latin1')
  const counts = new Map<string, Replaced>()
  for (const { what, text: wanted, by, asWord } of replacements) {
    const pattern = escaped(Buffer.from(wanted).toString('latin1'))
    const search = new RegExp(asWord ? `(?<![A-Za-z0-9])${pattern}(?![A-Za-z0-9])` : pattern, 'g')
    text = text.replace(search, () => {
      const known = counts.get(what) ?? { what, by, count: 0 }
      counts.set(what, { ...known, count: known.count + 1 })
      return Buffer.from(by).toString('latin1')
    })
  }
  return { bytes: Buffer.from(text, 'latin1'), replaced: [...counts.values()] }
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&')
}
