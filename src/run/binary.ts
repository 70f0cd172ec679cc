import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, isAbsolute, join, resolve } from 'node:path'
import type { Adapter } from '../adapters/adapter.ts'
import { AgentError, shortened } from '../errors.ts'

/** What to start: an absolute file, and what goes before the CLI's own arguments. */
export interface Binary {
  file: string
  arguments: string[]
  /** The file that is the CLI: the script where another program runs it. */
  script: string
}

type Verdict = 'usable' | 'missing' | 'unusable' | 'unreachable'

/**
 * Finds the CLI to start.
 *
 * @param given the option `binary`: a path, a name, or a command with its first arguments
 * @param searchPath the PATH that the child will have
 * @throws AgentError `not_installed` or `not_executable`, naming what was looked for
 */
export function resolveBinary(
  adapter: Pick<Adapter, 'id' | 'title' | 'binary' | 'command' | 'install'>,
  given: readonly [string, ...string[]] | undefined,
  searchPath: string | undefined,
): Binary {
  const words = given ?? adapter.command
  if (!words) return single(search(adapter, searchPath ?? ''))
  const [command, ...first] = words
  const file = command.includes('/')
    ? resolve(command)
    : searchOne(command, searchPath ?? '', given ? undefined : adapter)
  demand(file, command)
  const script = first.find((argument) => isAbsolute(argument))
  const verdict = script === undefined ? 'usable' : examine(script, constants.R_OK)
  if (script !== undefined && verdict === 'missing') throw missing(script)
  if (script !== undefined && verdict === 'unreachable') throw unreachable(script)
  return { file, arguments: first, script: script ?? file }
}

function single(file: string): Binary {
  return { file, arguments: [], script: file }
}

function search(adapter: Pick<Adapter, 'title' | 'binary' | 'install'>, searchPath: string): string {
  let unusable: string | undefined
  for (const name of adapter.binary) {
    for (const file of places(name, searchPath)) {
      const verdict = examine(file, constants.X_OK)
      if (verdict === 'usable') return file
      if (verdict === 'unusable') unusable ??= file
    }
  }
  if (unusable !== undefined) throw notExecutable(unusable)
  const names = adapter.binary.map((name) => `"${name}"`).join(' or ')
  throw notInstalled(adapter, names)
}

function notInstalled({ title, install }: Pick<Adapter, 'title' | 'install'>, names: string): AgentError {
  return new AgentError('not_installed', `${title} is not installed: no ${names} on PATH.`, {
    hint: `Install it (${install}), or give its path as \`binary\`.`,
  })
}

/** @param adapter whose own command it is; undefined: it was given */
function searchOne(
  name: string,
  searchPath: string,
  adapter: Pick<Adapter, 'title' | 'install'> | undefined,
): string {
  for (const file of places(name, searchPath)) {
    if (examine(file, constants.X_OK) === 'usable') return file
  }
  if (adapter) throw notInstalled(adapter, `"${name}"`)
  throw new AgentError('not_installed', `The binary "${name}" is not on PATH.`, {
    hint: 'Give an absolute path as `binary`, or extend PATH.',
  })
}

/** Relative entries of PATH are left out: they would mean another file in each working directory. */
function places(name: string, searchPath: string): string[] {
  return searchPath
    .split(delimiter)
    .filter(isAbsolute)
    .map((directory) => join(directory, name))
}

function demand(file: string, given: string): void {
  const verdict = examine(file, constants.X_OK)
  if (verdict === 'missing') throw missing(given === file ? file : `${given} (${file})`)
  if (verdict === 'unusable') throw notExecutable(file)
  if (verdict === 'unreachable') throw unreachable(file)
}

/** Never throws: directories that this user may not enter stand on many a PATH. */
function examine(file: string, mode: number): Verdict {
  const found = attempt(() => statSync(file, { throwIfNoEntry: false }) ?? 'missing')
  if (found === undefined) return 'unreachable'
  if (found === 'missing') return 'missing'
  if (found.isDirectory()) return 'unusable'
  const isAllowed = attempt(() => {
    accessSync(file, mode)
    return true
  })
  return isAllowed ? 'usable' : 'unusable'
}

function attempt<Found>(look: () => Found): Found | undefined {
  try {
    return look()
  } catch {
    return undefined
  }
}

function missing(what: string): AgentError {
  return new AgentError('not_installed', `The binary ${what} does not exist.`, {
    hint: 'Check `binary`; without it the CLI is looked for on PATH.',
  })
}

function notExecutable(file: string): AgentError {
  return new AgentError('not_executable', `${file} is not an executable file.`, {
    hint: `Run chmod +x on it, or give another path as \`binary\`.`,
  })
}

function unreachable(file: string): AgentError {
  return new AgentError('not_executable', `The binary ${shortened(file)} cannot be reached.`, {
    hint: 'Check who may enter the directories above it, and where its links lead.',
  })
}

/** Throws where the working directory is missing: spawn would blame the binary for it. */
export function demandDirectory(cwd: string): void {
  const what = whatIsWrong(cwd)
  if (what === undefined) return
  throw new AgentError('invalid_options', `The working directory ${shortened(cwd)} ${what}.`, {
    hint: 'Create it, or give another `cwd`.',
  })
}

function whatIsWrong(cwd: string): string | undefined {
  const found = attempt(() => statSync(cwd, { throwIfNoEntry: false }) ?? 'missing')
  if (found === undefined) return 'cannot be reached'
  if (found === 'missing') return 'does not exist'
  return found.isDirectory() ? undefined : 'is no directory'
}
