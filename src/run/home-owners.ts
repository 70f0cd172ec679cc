import { readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs'
import { readdir, readFile, rm, stat } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { asArray, asNumber, asObject, asString } from '../protocol/narrow.ts'
import { finishRemovals } from './home-removal.ts'
import { startTimeOf } from './process-table.js'
import { keepRefreshedSignIn, type SignInLink } from './sign-in-link.ts'

const suffix = '.owner.json'

/** After this a home of another machine or container, whose processes cannot be seen from here, counts as abandoned. */
const foreignAgeMs = 7 * 24 * 3_600_000

interface Owner {
  pid: number
  startTime: number
  /** The machine or container, where pids mean something. */
  place: string
  boot: string
  /** What a dead process may have left refreshed in the home: see `keepRefreshedSignIn`. */
  signIns: SignInLink[]
}

export interface HomeClaim {
  release(): void
}

/** Says, beside a home and before it is made, which process it belongs to. */
export function claimHome(homes: string, id: string, signIns: readonly SignInLink[] = []): HomeClaim {
  const file = join(homes, `${id}${suffix}`)
  const links = signIns.map(({ path, target }) => ({ path, target }))
  writeFileSync(file, JSON.stringify({ ...self(), signIns: links }), { mode: 0o600 })
  return { release: () => rmSync(file, { force: true }) }
}

const swept = new Map<string, Promise<void>>()

/** Removes the homes whose owners are dead, once per process and folder. Never fails. */
export function removeAbandonedHomes(homes: string): Promise<void> {
  const known = swept.get(homes)
  if (known) return known
  const sweep = Promise.all([removeAbandoned(homes), finishRemovals(homes)]).then(
    () => {},
    () => {},
  )
  swept.set(homes, sweep)
  return sweep
}

async function removeAbandoned(homes: string): Promise<void> {
  for (const name of await readdir(homes)) {
    if (!name.endsWith(suffix)) continue
    const file = join(homes, name)
    const owner = parse(await readFile(file, 'utf8').catch(() => ''))
    const { mtimeMs } = await stat(file)
    if (!isAbandoned(owner, Date.now() - mtimeMs)) continue
    for (const link of owner?.signIns ?? []) attempt(() => keepRefreshedSignIn(link))
    await rm(join(homes, name.slice(0, -suffix.length)), { recursive: true, force: true })
    await rm(file, { force: true })
  }
}

function isAbandoned(owner: Owner | undefined, ageMs: number): boolean {
  const here = self()
  if (!owner || owner.place !== here.place) return ageMs > foreignAgeMs
  if (owner.boot !== here.boot) return true
  return !isAlive(owner.pid) || startTimeOf(owner.pid) !== owner.startTime
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

function parse(text: string): Owner | undefined {
  try {
    const value = asObject(JSON.parse(text))
    const [pid, startTime] = [asNumber(value?.pid), asNumber(value?.startTime)]
    const [place, boot] = [asString(value?.place), asString(value?.boot)]
    if (pid === undefined || startTime === undefined || place === undefined || boot === undefined) return
    return { pid, startTime, place, boot, signIns: asArray(value?.signIns).flatMap(readLink) }
  } catch {
    return undefined
  }
}

function readLink(value: unknown): SignInLink[] {
  const [path, target] = [asString(asObject(value)?.path), asString(asObject(value)?.target)]
  return path === undefined || target === undefined ? [] : [{ path, target }]
}

function attempt(act: () => void): void {
  try {
    act()
  } catch {
    // The home goes all the same.
  }
}

let me: Omit<Owner, 'signIns'> | undefined

function self(): Omit<Owner, 'signIns'> {
  me ??= {
    pid: process.pid,
    startTime: startTimeOf(process.pid),
    place: `${hostname()} ${read(() => readlinkSync('/proc/self/ns/pid'))}`,
    boot: read(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()),
  }
  return me
}

function read(from: () => string): string {
  try {
    return from()
  } catch {
    return ''
  }
}
