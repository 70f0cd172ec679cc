// @ts-check
// Plain JavaScript: the watchdog runs it under Node 20, which cannot run TypeScript.
import { closeSync, lstatSync, openSync, readdirSync, readSync } from 'node:fs'

/**
 * One process of the machine. `startTime` tells a reused pid from the process that had it before: clock ticks since boot
 * on Linux, milliseconds since the epoch elsewhere.
 *
 * @typedef {{ pid: number, parent: number, group: number, session: number, startTime: number }} ProcessRow
 */

/**
 * What a turn's processes are known by: the child that was started, and who was found before.
 *
 * @typedef {{ pid: number, startTime: number, known: ReadonlySet<string> }} Ancestor
 */

const buffer = Buffer.allocUnsafe(256 * 1024)

/**
 * Those found too old before: nearly all of a machine, and none of them need be read again. A pid that is used again has a
 * folder of its own.
 *
 * @typedef {{ inode: number, since: number, startTime: number }} Elder
 * @type {Map<number, Elder>}
 */
let elders = new Map()

/**
 * Every live process that was started at `startTime` or later, zombies left out. Linux only: elsewhere empty.
 *
 * @param {number} startTime
 * @returns {ProcessRow[]}
 */
export function readProcessTable(startTime) {
  /** @type {ProcessRow[]} */
  const rows = []
  /** @type {typeof elders} */
  const found = new Map()
  for (const name of directoryNames('/proc')) {
    const first = name.charCodeAt(0)
    if (first < 0x30 || first > 0x39) continue
    const pid = Number(name)
    // Before its row: what has taken its place by then is another folder.
    const folder = lstatSync(`/proc/${pid}`, { throwIfNoEntry: false })
    if (!folder) continue
    const elder = elders.get(pid)
    if (
      elder &&
      elder.inode === folder.ino &&
      elder.since === folder.ctimeMs &&
      elder.startTime < startTime
    ) {
      found.set(pid, elder)
      continue
    }
    const row = readRow(pid)
    if (!row) continue
    if (row.startTime >= startTime) rows.push(row)
    else found.set(pid, { inode: folder.ino, since: folder.ctimeMs, startTime: row.startTime })
  }
  elders = found
  return rows
}

/**
 * One process; undefined if it is gone or a zombie. Linux only.
 *
 * @param {number} pid
 * @returns {ProcessRow | undefined}
 */
export function readRow(pid) {
  const [state, parent, group, session, ...rest] = statFields(pid)
  if (rest.length < 16 || state === 'Z' || state === 'X') return undefined
  return {
    pid,
    parent: Number(parent),
    group: Number(group),
    session: Number(session),
    startTime: Number(rest[15]),
  }
}

/**
 * When a process was started, in clock ticks since boot; also of a zombie. Linux only.
 *
 * @param {number} pid
 */
export function startTimeOf(pid) {
  return Number(statFields(pid)[19] ?? 0)
}

/**
 * The fields of `/proc/<pid>/stat` from the state on.
 *
 * @param {number} pid
 */
function statFields(pid) {
  const stat = readFile(`/proc/${pid}/stat`)
  // The command before them stands in parentheses and may hold spaces and parentheses itself.
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
}

/**
 * Whether a process was started with `COXSWAIN_TURN=<id>` in its environment.
 *
 * @param {number} pid
 * @param {string} turnId
 */
export function carriesMark(pid, turnId) {
  const environment = readFile(`/proc/${pid}/environ`)
  return `\0${environment}\0`.includes(`\0COXSWAIN_TURN=${turnId}\0`)
}

/**
 * The rows of `ps -A -o pid=,ppid=,pgid=,state=,lstart=`.
 *
 * @param {string} output
 * @returns {ProcessRow[]}
 */
export function parsePs(output) {
  /** @type {ProcessRow[]} */
  const rows = []
  for (const line of output.split('\n')) {
    const [pid, parent, group, state = 'Z', ...start] = line.trim().split(/\s+/)
    if (state.startsWith('Z')) continue
    rows.push({
      pid: Number(pid),
      parent: Number(parent),
      group: Number(group),
      session: 0,
      startTime: Date.parse(start.join(' ')),
    })
  }
  return rows
}

/** @param {ProcessRow} row */
export function identity(row) {
  return `${row.pid}@${row.startTime}`
}

/**
 * The processes that belong to a turn: the child, its group and session, what was known before, what carries the mark, and
 * what descends from any of these. Tool shells have sessions of their own, and what outlives its parent has another one, so
 * no single sign is enough.
 *
 * @param {ProcessRow[]} rows
 * @param {Ancestor} ancestor
 * @param {(pid: number) => boolean} hasMark
 * @returns {ProcessRow[]}
 */
export function belonging(rows, ancestor, hasMark) {
  const candidates = rows.filter((row) => row.startTime >= ancestor.startTime && row.pid !== process.pid)
  const recycled = candidates.some((row) => row.pid === ancestor.pid && row.startTime !== ancestor.startTime)
  /** @type {Map<number, ProcessRow>} */
  const members = new Map()
  for (const row of candidates) {
    const related = !recycled && [row.pid, row.group, row.session].includes(ancestor.pid)
    if (related || ancestor.known.has(identity(row)) || hasMark(row.pid)) members.set(row.pid, row)
  }
  for (let before = -1; before !== members.size; ) {
    before = members.size
    for (const row of candidates) if (members.has(row.parent)) members.set(row.pid, row)
  }
  return [...members.values()]
}

/** @param {string} path */
function directoryNames(path) {
  try {
    return readdirSync(path)
  } catch {
    return []
  }
}

/**
 * The start of a file in /proc, '' if it cannot be read: it may be another user's, or gone by now.
 *
 * @param {string} path
 */
function readFile(path) {
  let file
  try {
    file = openSync(path, 'r')
    return buffer.toString('latin1', 0, readSync(file, buffer, 0, buffer.length, 0))
  } catch {
    return ''
  } finally {
    if (file !== undefined) closeSync(file)
  }
}
