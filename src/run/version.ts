import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { realpathSync, statSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import type { Adapter } from '../adapters/adapter.ts'
import { isAtLeast } from '../adapters/version-order.ts'
import { faultOfVersion } from '../options/version-floor.ts'
import { asObject, asString } from '../protocol/narrow.ts'
import type { Binary } from './binary.ts'
import { markVariable, TurnProcesses } from './processes.ts'
import { endLeftovers } from './shutdown.ts'
import type { TurnNotice } from './turn-notice.ts'
import { within } from './within.ts'

/** `pi --version` takes 2.1 s on a quiet machine. */
const printTimeoutMs = 8_000

/** A version that is being looked for, or was found. */
interface Search {
  version: Promise<string>
  /** Turns that wait for it. */
  waiting: number
  abandon: AbortController
}

/** What was found before, by the file's path, time and size. */
const found = new Map<string, Search>()

/**
 * The CLI's version, 'unknown' where it cannot be told: from its own package's metadata where it has any, else it is
 * started to print it. One that nobody waits for any more is ended; `stopped` ends this waiting.
 */
export async function findVersion(
  adapter: Pick<Adapter, 'version'>,
  binary: Binary,
  environment: Readonly<Record<string, string>>,
  stopped?: AbortSignal,
): Promise<string> {
  const file = realpathSync(binary.script)
  const { mtimeMs, size } = statSync(file)
  const key = [file, mtimeMs, size, adapter.version.arguments, adapter.version.packages].join('\n')
  const known = found.get(key)
  if (known && !known.abandon.signal.aborted) return waitFor(known, stopped)
  const abandon = new AbortController()
  const version = packageVersion(file, adapter.version.packages ?? []).then(
    (told) => told ?? printedVersion(adapter, binary, environment, abandon.signal),
  )
  const search = { version, waiting: 0, abandon }
  found.set(key, search)
  // A machine under load must not make a version unknown for good.
  const forget = () => found.get(key) === search && found.delete(key)
  version.then((told) => told === 'unknown' && forget(), forget)
  return waitFor(search, stopped)
}

/** The version, or 'unknown' as soon as this one stops waiting; the last to stop waits until the program is gone. */
async function waitFor(search: Search, stopped: AbortSignal | undefined): Promise<string> {
  search.waiting++
  const stop = new Promise<'stopped'>((resolve) => {
    if (stopped?.aborted) resolve('stopped')
    stopped?.addEventListener('abort', () => resolve('stopped'), { once: true })
  })
  const first = await Promise.race([search.version, stop])
  search.waiting--
  if (first !== 'stopped') return first
  if (search.waiting > 0) return 'unknown'
  search.abandon.abort()
  return search.version
}

/** The version in the nearest package.json above a file whose name is one of these. */
async function packageVersion(file: string, packages: readonly string[]): Promise<string | undefined> {
  if (packages.length === 0) return undefined
  for (let directory = dirname(file); ; directory = dirname(directory)) {
    const text = await readFile(join(directory, 'package.json'), 'utf8').catch(() => undefined)
    const description = text === undefined ? undefined : parse(text)
    if (packages.includes(asString(description?.name) ?? '')) return asString(description?.version)
    if (directory === dirname(directory)) return undefined
  }
}

function parse(text: string) {
  try {
    return asObject(JSON.parse(text))
  } catch {
    return undefined
  }
}

/**
 * Starts the CLI to print its version. Its first line decides: what is no version is not waited for, and nothing that it
 * started is left.
 */
async function printedVersion(
  adapter: Pick<Adapter, 'version'>,
  binary: Binary,
  environment: Readonly<Record<string, string>>,
  abandoned: AbortSignal,
): Promise<string> {
  if (abandoned.aborted || adapter.version.arguments?.length === 0) return 'unknown'
  const mark = randomUUID()
  const child = spawn(binary.file, [...binary.arguments, ...(adapter.version.arguments ?? ['--version'])], {
    env: { ...environment, [markVariable]: mark },
    stdio: ['ignore', 'pipe', 'ignore'],
    detached: true,
  })
  const failed = new Promise((resolve) => child.once('error', resolve))
  if (child.pid === undefined) return failed.then(() => 'unknown')
  const processes = new TurnProcesses(mark, child.pid)
  const line = firstLine(child.stdout)
  const given = new Promise<void>((resolve) =>
    abandoned.addEventListener('abort', () => resolve(), { once: true }),
  )
  await within(Promise.race([line, given]), printTimeoutMs)
  child.stdout.destroy()
  await endLeftovers(processes, true)
  return /\d+\.\d+\.\d+[\w.+-]*/.exec(await line)?.[0] ?? 'unknown'
}

/** What came before the end of the first line that is not blank, or before the end. */
function firstLine(stream: Readable): Promise<string> {
  return new Promise((resolve) => {
    let text = ''
    stream.on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1')
      if (text.trimStart().includes('\n')) resolve(text)
    })
    stream.once('close', () => resolve(text))
  })
}

/** What a consumer should know of a version, if anything. Throws `unsupported_version` below the floor. */
export function judgeVersion(
  adapter: Pick<Adapter, 'title' | 'version' | 'install'>,
  version: string,
): TurnNotice | undefined {
  const { floor, tested } = adapter.version
  const isNewEnough = isAtLeast(version, floor)
  if (isNewEnough === undefined && adapter.version.arguments?.length === 0) return undefined
  if (isNewEnough === undefined) {
    return {
      level: 'warning',
      code: 'version_unknown',
      message: `The version of ${adapter.title} could not be told; it was tested with ${floor} to ${tested}.`,
    }
  }
  const fault = faultOfVersion(adapter, version)
  if (fault) throw fault
  if (isAtLeast(tested, version)) return undefined
  return {
    level: 'warning',
    code: 'version_untested',
    message: `${adapter.title} ${version} is newer than ${tested}, the newest that was tested.`,
  }
}
