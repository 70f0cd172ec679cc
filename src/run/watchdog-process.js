// @ts-check
// A process of its own, started by watchdog.ts and held by a pipe: when the pipe ends, the host is dead, and what its turns
// started is ended. Plain JavaScript, because Node 20 runs no TypeScript.
import { execFileSync } from 'node:child_process'
import { createInterface } from 'node:readline'
import { belonging, carriesMark, identity, parsePs, readProcessTable } from './process-table.js'

const goodManners = 1_000
const patience = 10_000

const hasProc = process.platform === 'linux'

/**
 * @typedef {{ id: string, pid: number, startTime: number, firstSignal: string, known: Set<string> }} Turn
 * @type {Map<string, Turn>}
 */
const turns = new Map()

// A service manager ends every process of a service at once; this one is needed until the host is gone.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {})

const input = createInterface({ input: process.stdin })
input.on('line', (line) => {
  const message = JSON.parse(line)
  if (message.end !== undefined) {
    turns.delete(message.end)
    return
  }
  const { begin: id, pid, startTime, firstSignal } = message
  turns.set(id, { id, pid, startTime, firstSignal, known: new Set() })
})
input.on('close', endAll)

async function endAll() {
  const started = Date.now()
  const alive = processesLeft()
  if (alive.length > 0) {
    for (const { pid, firstSignal } of turns.values()) if (alive.includes(pid)) signal(-pid, firstSignal)
    while (processesLeft().length > 0 && Date.now() - started < goodManners) await pause()
    for (let left = processesLeft(); left.length > 0 && Date.now() - started < patience; ) {
      for (const pid of left) signal(pid, 'SIGKILL')
      await pause()
      left = processesLeft()
    }
  }
  process.exit(0)
}

/** @returns {number[]} */
function processesLeft() {
  const oldest = Math.min(...[...turns.values()].map((turn) => turn.startTime))
  const rows = hasProc ? readProcessTable(oldest) : parsePs(printProcesses())
  const pids = new Set()
  for (const turn of turns.values()) {
    const members = belonging(rows, turn, (pid) => hasProc && carriesMark(pid, turn.id))
    for (const row of members) {
      turn.known.add(identity(row))
      pids.add(row.pid)
    }
  }
  return [...pids]
}

function printProcesses() {
  try {
    const columns = 'pid=,ppid=,pgid=,state=,lstart='
    return execFileSync('/bin/ps', ['-A', '-o', columns], { encoding: 'utf8', env: { LC_ALL: 'C' } })
  } catch {
    return ''
  }
}

/**
 * @param {number} pid
 * @param {string} name
 */
function signal(pid, name) {
  try {
    process.kill(pid, name)
  } catch {
    // Gone already.
  }
}

function pause() {
  return new Promise((resolve) => setTimeout(resolve, 20))
}
